"""How fast the engine is: start with `benchmark`, whose topics yield the loops that `contest` measures."""
