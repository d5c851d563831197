"""How long a server's event loop is blocked, and by what: start with `benchmark`."""
