"""Who did how well against whom, cell by cell."""

from __future__ import annotations

from dataclasses import dataclass

from farfalia.v1 import arena_pb2

#: Entrants up to which a crosstable still fits a screen.
WIDEST = 40


@dataclass(frozen=True, slots=True)
class Cell:
    """The row's entrant against the column's."""

    better: int
    worse: int
    equal: int
    #: Probability that the row's entrant is the stronger one.
    stronger: float = 0.5

    @property
    def text(self) -> str:
        """As `12–7`; empty if they have not met."""
        return f"{self.better}–{self.worse}" if self.better + self.worse + self.equal else ""

    @property
    def standing(self) -> str:
        """`ahead`, `behind` or `level`."""
        if self.better == self.worse:
            return "level"
        return "ahead" if self.better > self.worse else "behind"

    @property
    def words(self) -> str:
        """In words, for those who point at it."""
        meetings = self.better + self.worse + self.equal
        counts = f"better in {self.better}, worse in {self.worse}, level in {self.equal} of {meetings}"
        return f"{counts}; stronger with {self.stronger:.0%}"


def crosstable(tournament: arena_pb2.Tournament) -> list[list[Cell | None]]:
    """Rows and columns in the order of the standings; empty before anybody has met, and for too many entrants."""
    entrants = len(tournament.standings)
    if entrants > WIDEST or not any(pair.meetings for pair in tournament.pairs):
        return []
    cells: list[list[Cell | None]] = [
        [None if row == column else Cell(0, 0, 0) for column in range(entrants)] for row in range(entrants)
    ]
    for pair in tournament.pairs:
        worse = pair.meetings - pair.better - pair.equal
        cells[pair.row][pair.column] = Cell(pair.better, worse, pair.equal, pair.stronger)
    return cells
