"""The loops whose speed is measured."""

#: A network of ours plays, so nobody else's engine can be beside it.
SELF_PLAY = "self-play of a network"

LOOPS = {
    "play, deals included",
    "play from a dealt state",
    "playouts",
    "rollouts",
    "play in lock step",
    SELF_PLAY,
    "clone",
    "observation",
    "sample",
    "search, first card",
    "search, mid-deal",
}
