"""Every game, with the options that change its rules."""

from collections.abc import Mapping
from types import MappingProxyType

NOTHING: Mapping[str, str] = MappingProxyType({})

FARFALIA: list[tuple[str, dict[str, str]]] = [
    (name, options | variant)
    for name, options in (
        ("chinkway", {}),
        ("five-hand", {}),
        ("basic", {}),
        ("four", {}),
        ("four", {"hands": "8"}),
        ("four", {"target": "70"}),
        ("three", {}),
        ("three-short", {}),
        ("two", {}),
    )
    for variant in ({}, {"double_you": "on"}, {"burnin": "on"})
]

#: An order in which skint stands in the middle.
LISTED = "listed:snap,seconds,majority,skint,ups-downs,surprise,red-black,top-suit,barred,top-rank"

FARRAGO: list[tuple[str, dict[str, str]]] = [
    ("farrago", pack | order)
    for pack in (
        {"players": "3"},
        {},
        {"players": "5"},
        {"players": "5", "pack": "five-hundred"},
    )
    for order in ({}, {"order": "random"}, {"order": LISTED})
]

ALL = FARFALIA + FARRAGO


def label(game: tuple[str, dict[str, str]]) -> str:
    """How a test calls a game."""
    name, options = game
    return " ".join([name, *(f"{option}={value.partition(',')[0]}" for option, value in options.items())])
