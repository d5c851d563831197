"""Every game, with the options that change its rules."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import pytest
from _pytest.mark import ParameterSet

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

#: Fewer of them: every game, every option, and each kind of game (five seats, four seats, dummies, Farrago) with each
#: variant. What stands above the engine meets no more than these in its differences.
PAIRWISE: list[tuple[str, dict[str, str]]] = [
    ("chinkway", {}),
    ("chinkway", {"double_you": "on"}),
    ("five-hand", {"burnin": "on"}),
    ("basic", {"burnin": "on"}),
    ("four", {"hands": "8", "double_you": "on"}),
    ("four", {"target": "70"}),
    ("three", {"double_you": "on"}),
    ("three-short", {}),
    ("two", {"burnin": "on"}),
    ("farrago", {"players": "3", "order": "random"}),
    ("farrago", {"order": LISTED}),
    ("farrago", {"players": "5"}),
    ("farrago", {"players": "5", "pack": "five-hundred", "order": "random"}),
]


def label(game: tuple[str, dict[str, str]]) -> str:
    """How a test calls a game."""
    name, options = game
    return " ".join([name, *(f"{option}={value.partition(',')[0]}" for option, value in options.items())])


def pairwise(games: Iterable[tuple[str, dict[str, str]]] = ALL) -> list[ParameterSet]:
    """Cases for tests above the engine: of these games the pairwise ones, and with `--prove` all others."""
    return [pytest.param(game, marks=() if game in PAIRWISE else pytest.mark.prove) for game in games]
