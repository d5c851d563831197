"""Records of matches: their forms and files, what is checked about them, and how people look at them."""
