"""Events: courses, seasons, cups and the public arena, with their members. Begin with `values`."""
