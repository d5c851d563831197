"""One file a step; the name begins with its number."""
