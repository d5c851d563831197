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


def house_of(name: str) -> str | None:
    """Return the house bot that a name of `filler_name` stands for, None for any other name."""
    found = _FILLER.fullmatch(name)
    return found[1] if found else None
