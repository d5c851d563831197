"""How the house bots are called that the server seats by itself."""

from __future__ import annotations

import re
from typing import Final

from farfalia import bots as house_bots

#: Their names begin so; nobody else's do.
HOUSE_PREFIX: Final = "house-"
_FILLER = re.compile(rf"{HOUSE_PREFIX}({'|'.join(house_bots.HOUSE)})-\d+")


def filler_name(house: str, copy: int) -> str:
    """Return the name of a copy of a house bot, counted from 1."""
    return f"{HOUSE_PREFIX}{house}-{copy}"


def refusal(house: str) -> str:
    """Return why this server cannot seat a house bot of this kind, as a fragment; empty if it can."""
    if house not in house_bots.HOUSE:
        return f"there is no house bot {house!r}; expected one of {', '.join(house_bots.HOUSE)}"
    lacks = house_bots.missing(house)
    return f"the server's house bot {house} {lacks}" if lacks else ""


def house_of(name: str) -> str | None:
    """Return the house bot that a name of `filler_name` stands for, None for any other name."""
    found = _FILLER.fullmatch(name)
    return found[1] if found else None
