"""Who is stronger than whom, cell by cell, in the words and on the scale that pages and terminals share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from farfalia.v1 import standings_pb2, tournaments_pb2
from farfalia_server.wording.language import gettext

#: What a crosstable says, above it. Emphasis follows the probability, never the counts, which may differ from it.
CAPTION = (
    "The probability, in %, that the entrant of the row is stronger than that of the column, by the points of all"
    " matches; bold from 95 upwards and from 5 downwards."
)
#: The same about the counts, where they are shown.
COUNTS = "With it: in how many matches it finished ahead–behind."

#: What is said where results do not show that the field is wide, outsiders left aside: among bots that close,
#: percentages say too much. The figures are those of `farfalia bench calibration`, field `close`.
CLOSE_FIELD = (
    "These results do not rule out that entrants with the same letter are within a point or two of each other. If they"
    " are, their percentages say too much: 85 % is right in about 72 of 100 cases."
)
#: The spread in points below which a field is close, and the probability below which that is ruled out.
_CLOSE = 1.5
_RULED_OUT = 0.05


def caption(tournament: tournaments_pb2.Tournament, *, counts: bool) -> str:
    """Return what is said above a crosstable, with or without counts, and how far its percentages can be trusted."""
    said = [CAPTION, *[COUNTS] * counts, *[CLOSE_FIELD] * _may_be_close(tournament.strength_model)]
    return " ".join(gettext(sentence) for sentence in said)


def _may_be_close(model: standings_pb2.StrengthModel) -> bool:
    """Return whether it is not ruled out that the field is close."""
    spreads = [(model.luck / math.sqrt(max(prior.precisions, default=0) or 1e-9), prior) for prior in model.priors]
    return sum(prior.weight for spread, prior in spreads if spread < _CLOSE) >= _RULED_OUT


class Lean(StrEnum):
    """Which of two is stronger, and how clearly."""

    SURELY_STRONGER = "surely-stronger"
    STRONGER = "stronger"
    UNDECIDED = "undecided"
    WEAKER = "weaker"
    SURELY_WEAKER = "surely-weaker"

    @classmethod
    def of(cls, probability: float) -> Lean:
        """Return the lean of a probability, in steps at 5, 25, 75 and 95 % as they are shown."""
        shown = round(100 * probability)
        if shown >= 75:
            return cls.SURELY_STRONGER if shown >= 95 else cls.STRONGER
        if shown <= 25:
            return cls.SURELY_WEAKER if shown <= 5 else cls.WEAKER
        return cls.UNDECIDED


@dataclass(frozen=True, slots=True)
class Cell:
    """The row's entrant against the column's."""

    better: int
    worse: int
    equal: int
    #: Probability that the row's entrant is the stronger one.
    stronger: float = 0.5

    @property
    def counts(self) -> str:
        """As `12–7`; empty if they have not met."""
        return f"{self.better}–{self.worse}" if self.better + self.worse + self.equal else ""

    @property
    def percent(self) -> str:
        """The probability as whole per cent, which is never 0 or 100; empty if they have not met."""
        return percent(self.stronger) if self.counts else ""

    @property
    def lean(self) -> Lean:
        """What the probability says."""
        return Lean.of(self.stronger) if self.counts else Lean.UNDECIDED

    @property
    def heat(self) -> int:
        """How warm its colour is, 0 to 10, by the probability alone."""
        return round(10 * self.stronger)


def percent(probability: float) -> str:
    """Return whole per cent, `<1` and `>99` at the ends: results are never certain."""
    shown = round(100 * probability)
    if shown < 1:
        return "<1"
    return ">99" if shown > 99 else str(shown)


def crosstable(tournament: tournaments_pb2.Tournament) -> list[list[Cell | None]]:
    """Return rows and columns in the order of the standings, None where they cross; empty before anybody has met."""
    entrants = len(tournament.standings)
    if not any(pair.meetings for pair in tournament.pairs):
        return []
    cells: list[list[Cell | None]] = [
        [None if row == column else Cell(0, 0, 0) for column in range(entrants)] for row in range(entrants)
    ]
    for pair in tournament.pairs:
        worse = pair.meetings - pair.better - pair.equal
        cells[pair.row][pair.column] = Cell(pair.better, worse, pair.equal, pair.stronger)
    return cells
