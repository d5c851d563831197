"""Cards in documents: a fenced block that reads as text elsewhere, and as a picture of the cards on the pages.

```cards
Trick 4: S12 (2 leads) S1 (3) S8 (4) F4 (0 wins) S4 (1)
```

Each line is a row: what it shows, a colon, and cards by their short names, each with a note in parentheses if it needs
one. A letter alone is a subject of the proposal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from farfalia_engine import ruleset
from farfalia_engine.farfalia.wording import FAMILY_WORDS
from farfalia_engine.wording import CardFace

_ITEM = re.compile(r"(?P<name>\S+)(?: \((?P<note>[^)]*)\))?\s*")


@dataclass(frozen=True, slots=True)
class Shown:
    """A card, or a subject if it has no face, and what is said of it."""

    name: str
    words: str
    face: CardFace | None
    note: str

    @property
    def won(self) -> bool:
        """Whether the note says so."""
        return self.note.endswith("wins")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cards."""

    title: str
    cards: tuple[Shown, ...]


def rows(block: str) -> list[Row]:
    """Return the rows of a block; ValueError for what is no card."""
    parts = (line.partition(": ") for line in block.splitlines())
    return [Row(title, tuple(_shown(cards))) for title, _, cards in parts]


def _shown(cards: str) -> Iterator[Shown]:
    for found in _ITEM.finditer(cards):
        name, note = found["name"], found["note"] or ""
        if name in FAMILY_WORDS:
            yield Shown(name, FAMILY_WORDS[name], None, note)
        elif name in _faces():
            yield Shown(name, _faces()[name].words, _faces()[name], note)
        else:
            raise ValueError(f"{name!r} is no card; expected a short name such as S10, WB or TH, or a family's letter")


@cache
def _faces() -> dict[str, CardFace]:
    """Return the cards of both families of games, whose names differ; five play with the largest pack."""
    games = ruleset("farrago", {"players": "5"}).game, ruleset("chinkway").game
    return {face.text: face for game in games for face in game.wording.faces}
