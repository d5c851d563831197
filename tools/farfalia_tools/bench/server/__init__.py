"""How fast a whole server is: start with `benchmark`; `systems` are what it measures, `figures` what comes of it."""
