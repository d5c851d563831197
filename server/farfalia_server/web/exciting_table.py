"""Which of several tables is the most exciting one to watch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableScore:
    """How a table stands as far as everybody may see it: the points of each side so far, best first.

    `deal` is the number of the deal that is shown, from 1, and `deals` the most that the match can have.
    """

    match: int
    points: tuple[int, ...] = ()
    deal: int = 1
    deals: int = 1

    @property
    def lead(self) -> int:
        """Points of the best side above the next one."""
        return self.points[0] - self.points[1] if len(self.points) > 1 else 0


def excitement(table: TableScore) -> float:
    """Return how exciting a table is, 0 to 1: the later the deal and the closer the best two, the more.

    A lead counts in deals: as many points as a deal brings halve the excitement. So a game of few points is compared
    with one of many.

    >>> excitement(TableScore(1, (60, 60, 10), deal=11, deals=11))
    1.0
    >>> excitement(TableScore(1, (60, 54), deal=11, deals=11))
    0.5
    """
    over = table.deal - 1
    usual = max((abs(points) for points in table.points), default=0) / over if over else 0.0
    closeness = 1 / (1 + table.lead / usual) if usual else 1.0
    return min(1.0, table.deal / table.deals) * closeness


def most_exciting(tables: Iterable[TableScore]) -> TableScore | None:
    """Return the table to watch, of equal ones that of the oldest match; None if there is none."""
    return max(tables, key=lambda table: (excitement(table), -table.match), default=None)
