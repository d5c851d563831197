"""Who of a match is there: one rule for whether it may begin without somebody, and whether what was played counts.

A result comes from play. A match in which at most one entrant is left that plays is no result: it waits for its bots,
and is replayed if it has begun.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto


class Attendance(Enum):
    """What has become of the entrant of a seat."""

    PLAYS = auto()  #: it is there, or is a house bot that was entered by name
    FILLS = auto()  #: a house bot that fills the table: company for those who play, nobody on its own
    LOST = auto()  #: it has lost its seat by its own fault, or will not come any more
    ABSENT = auto()  #: it is not connected, and may come back


def is_result(seats: Iterable[Attendance]) -> bool:
    """Return whether a match counts that is played out with these seats.

    It does if everybody is accounted for. If somebody is absent, one has to play, and another one has to sit or to have
    lost its seat.
    """
    found = Counter(seats)
    opponents = found[Attendance.FILLS] + found[Attendance.LOST]
    return not found[Attendance.ABSENT] or (found[Attendance.PLAYS] >= 1 and found[Attendance.PLAYS] + opponents >= 2)


@dataclass(frozen=True, slots=True)
class Players:
    """Who is to play a match: the bots that have to connect, the house bots, and the bots that nobody waits for.

    The `lost` ones lose their seats if they are not there: they have withdrawn, have no token any more, or have walked
    out of this match too often.
    """

    callers: tuple[int, ...]
    house: tuple[Attendance, ...] = ()
    lost: frozenset[int] = frozenset()

    def enough_since(self, came: Mapping[int, float]) -> float:
        """Return since when enough were there for a result, on the clock of `came`: when those came who are there.

        Infinity if not enough are there, minus infinity if nobody has to be.
        """
        away = [Attendance.LOST if bot in self.lost else Attendance.ABSENT for bot in self.callers if bot not in came]
        arrivals = sorted(came.values())
        for there in range(len(arrivals) + 1):
            coming = [Attendance.PLAYS] * there + [Attendance.ABSENT] * (len(arrivals) - there)
            if is_result([*self.house, *away, *coming]):
                return arrivals[there - 1] if there else -math.inf
        return math.inf
