"""How the house bots are called that the server seats by itself, and which of them it can seat."""

from __future__ import annotations

import re
from typing import Final

from farfalia import bots as house_bots
from farfalia_server.contract.said import Said, said

#: Their names begin so; nobody else's do.
HOUSE_PREFIX: Final = "house-"
_FILLER = re.compile(rf"{HOUSE_PREFIX}({'|'.join(house_bots.NAMES)})-[1-9][0-9]{{0,3}}")


def filler_name(house: str, copy: int) -> str:
    """Return the name of a copy of a house bot, counted from 1."""
    return f"{HOUSE_PREFIX}{house}-{copy}"


def is_house(name: str) -> bool:
    """Return whether a name is that of a house bot, of whatever kind."""
    return name.startswith(HOUSE_PREFIX)


def house_of(name: str) -> str | None:
    """Return the house bot that a name of `filler_name` stands for, None for any other name."""
    found = _FILLER.fullmatch(name)
    return found[1] if found else None


def is_playable(house: str) -> bool:
    """Return whether this machine has what a house bot needs."""
    return not house_bots.missing(house)


def playable_house_bots() -> list[str]:
    """Return the house bots that this machine can play, those of other packages last."""
    return [house for house in house_bots.NAMES if is_playable(house)]


def quick_house_bots() -> list[str]:
    """Return the house bots that this machine can play and that do not search, the simplest first."""
    return [house for house in house_bots.HOUSE if is_playable(house)]


def why_no_house_bot(house: str) -> Said | None:
    """Return why this server cannot seat what is called a house bot; None if it can."""
    others = ", ".join(playable_house_bots())
    if house not in house_bots.NAMES:
        return said("there is no house bot %(house)r; expected one of %(choices)s", house=house, choices=others)
    if not is_playable(house):
        return said(
            "the server's house bot %(house)s %(missing)s; expected one of %(choices)s",
            house=house,
            missing=house_bots.missing(house),
            choices=others,
        )
    return None
