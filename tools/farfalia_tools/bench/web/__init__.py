"""What it costs when people look at pages: start with `benchmark`."""
