"""How much luck the value function takes out of scores: start with `benchmark`; `fit` makes the function."""
