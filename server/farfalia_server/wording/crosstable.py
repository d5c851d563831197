"""Who is stronger than whom, cell by cell, in the words and on the scale that pages and terminals share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from farfalia.v1 import tournaments_pb2
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import signed

#: What a crosstable says, above it. Emphasis follows the probability, never the counts, which may differ from it.
CAPTION = (
    "The probability, in %, that the entrant of the row is stronger than that of the column, by the points of all"
    " matches; bold from 95 upwards and from 5 downwards."
)
#: The same about the counts, where they are shown.
COUNTS = "With it: in how many matches it finished ahead–behind."

#: The same about differences, where they are shown.
DIFFERENCES = "Below it: by how many points per match it is stronger, with the 95 % interval."
#: What is said where some probabilities depend on how close the two are, which results do not show.
DOUBTFUL = (
    "Where a ? stands, these results do not show how likely it is: that depends on how close such bots usually are."
)


def caption(tournament: tournaments_pb2.Tournament, *, counts: bool, differences: bool = False) -> str:
    """Return what is said above a crosstable, with or without counts and differences, and what a ? means in it."""
    doubtful = any(pair.doubtful and pair.meetings for pair in tournament.pairs)
    said = [CAPTION, *[DIFFERENCES] * differences, *[COUNTS] * counts, *[DOUBTFUL] * doubtful]
    return " ".join(gettext(sentence) for sentence in said)


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
    #: By how many points per match, and half of the 95 % interval.
    difference: float = 0.0
    margin: float = 0.0
    #: The probability depends on what results do not show.
    doubtful: bool = False

    @property
    def by(self) -> str:
        """As `+5.2 ± 2.1`; empty if they have not met."""
        if not self.counts:
            return ""
        return f"{signed(self.difference, 1)} ± {signed(self.margin, 1).lstrip('+')}"

    @property
    def counts(self) -> str:
        """As `12–7`; empty if they have not met."""
        return f"{self.better}–{self.worse}" if self.better + self.worse + self.equal else ""

    @property
    def percent(self) -> str:
        """The probability as whole per cent, never 0 or 100; `?` if it is doubtful, empty if they have not met."""
        if not self.counts:
            return ""
        return "?" if self.doubtful else percent(self.stronger)

    @property
    def lean(self) -> Lean:
        """What the probability says."""
        return Lean.of(self.stronger) if self.counts and not self.doubtful else Lean.UNDECIDED

    @property
    def heat(self) -> int:
        """How warm its colour is, 0 to 10, by the probability alone."""
        return 5 if self.doubtful else round(10 * self.stronger)


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
        cells[pair.row][pair.column] = Cell(
            pair.better,
            worse,
            pair.equal,
            pair.stronger,
            pair.difference,
            (pair.difference_high - pair.difference_low) / 2,
            pair.doubtful,
        )
    return cells
