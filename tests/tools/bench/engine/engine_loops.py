"""The loops whose speed is measured."""

LOOPS = {
    "play, deals included",
    "play from a dealt state",
    "playouts",
    "rollouts",
    "play in lock step",
    "clone",
    "observation",
    "sample",
    "search, first card",
    "search, mid-deal",
}
