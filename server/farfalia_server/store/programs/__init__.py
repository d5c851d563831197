"""Programs that were handed in: `archives` keeps their contents, `programs` their checks, `hosting` who runs them."""
