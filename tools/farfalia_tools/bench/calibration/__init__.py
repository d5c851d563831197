"""Whether what a tournament shows keeps its word: start with `benchmark`; `tournaments` are drawn and judged."""
