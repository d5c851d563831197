"""How much of the noise of a ladder's matches is left once luck is taken out, measured by the ladder's own results.

When two bots meet again, the difference of their points has changed by noise alone: their strengths stay, and what the
others at the table are worth is no part of it. So the mean squared change from meeting to meeting measures noise,
whatever the spread of the field (J. von Neumann, "Distribution of the Ratio of the Mean Square Successive Difference to
the Variance", Annals of Mathematical Statistics 12, 1941). The ratio of this without luck and with it says how much
is left; with luck, it is what a unit of mu is in points. Sums are of whole numbers, so every machine comes to the same
figure.
"""

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Final, Generic

from farfalia_tournaments.ratings.ratings import LUCK_LEFT
from farfalia_tournaments.results import Entrant, MatchResult

#: Results after which it is measured anew, and how many each measurement takes, once there are as many.
_PERIOD: Final = 1000
#: Results after which it is measured anew before.
_EARLY: Final = 100
#: Meetings of pairs that have met before which a measurement needs: with fewer, what most fields have is closer.
REPEATS: Final = 300
#: The least that is believed.
_LEAST: Final = 0.2
#: Digits after the point.
_DIGITS: Final = 3

#: A version of a bot.
_Version = tuple[Entrant, str]


class MatchNoise(Generic[Entrant]):
    """How much of the noise of a ladder's next match is left once luck is taken out: `luck_left`.

    `points` is that noise as it was played, a standard deviation in points; None until pairs have met often enough.

    `add` takes every result of the ladder, in the order of its chain; those without luck, or with luck left in, are
    counted, but say nothing of what is left. It is measured after each hundredth result by
    all of them, and from the thousandth on after each thousandth by the last thousand. To go on after `count` results,
    begin with `MatchNoise(MatchNoise.start(count))` and add those from there on.
    """

    def __init__(self, count: int = 0) -> None:
        #: The results so far.
        self.count = count
        self.luck_left = LUCK_LEFT
        self.points: float | None = None
        self._forget()

    @staticmethod
    def start(count: int) -> int:
        """Return how many of the first results need not be added to know what holds after `count` of them."""
        return max(0, count // _PERIOD - 1) * _PERIOD

    def add(self, result: MatchResult[Entrant] | None, versions: Mapping[Entrant, str]) -> None:
        """Add the next result, None if the match had none that can be rated; `versions` are those of its entrants."""
        if result is not None and len(set(result.sides)) == len(result.sides):
            if any(result.luck):
                self._compare(result, versions)
            self._compare_points(result, versions)
        self.count += 1
        if self.count % _PERIOD == 0 or (self.count < _PERIOD and self.count % _EARLY == 0):
            self.luck_left, self.points = self._measured(), self._measured_points()
        if self.count % _PERIOD == 0:
            self._forget()

    def _forget(self) -> None:
        #: Differences of points as played and less luck, in thousandths, when a pair met last.
        self._last: dict[tuple[_Version[Entrant], _Version[Entrant]], tuple[int, int]] = {}
        #: Sums of the squares by which these have changed, and of how many.
        self._played = self._left = self._repeats = 0
        #: The same of points as played, in all matches.
        self._last_points: dict[tuple[_Version[Entrant], _Version[Entrant]], int] = {}
        self._changed = self._changes = 0

    def _compare(self, result: MatchResult[Entrant], versions: Mapping[Entrant, str]) -> None:
        seats = [
            ((entrant, versions[entrant]), 1000 * result.points[seat], round(1000 * result.luck[seat]))
            for seat, entrant in enumerate(result.entrants)
            if seat not in result.forfeits
        ]
        for (one, made, luck), (other, others, theirs) in combinations(sorted(seats, key=repr), 2):
            played, left = made - others, made - luck - others + theirs
            if (before := self._last.get((one, other))) is not None:
                self._played += (played - before[0]) ** 2
                self._left += (left - before[1]) ** 2
                self._repeats += 1
            self._last[one, other] = played, left

    def _compare_points(self, result: MatchResult[Entrant], versions: Mapping[Entrant, str]) -> None:
        seats = [
            ((entrant, versions[entrant]), result.points[seat])
            for seat, entrant in enumerate(result.entrants)
            if seat not in result.forfeits
        ]
        for (one, made), (other, others) in combinations(sorted(seats, key=repr), 2):
            if (before := self._last_points.get((one, other))) is not None:
                self._changed += (made - others - before) ** 2
                self._changes += 1
            self._last_points[one, other] = made - others

    def _measured_points(self) -> float | None:
        if self._changes < REPEATS or not self._changed:
            return None
        # The noise of two bots is in each difference, and that of two differences in each change.
        return math.sqrt(self._changed / self._changes / 4)

    def _measured(self) -> float:
        if self._repeats < REPEATS or not self._played:
            return LUCK_LEFT
        # Quotients of whole numbers and roots are rounded alike on every machine.
        return max(_LEAST, round(math.sqrt(self._left / self._played), _DIGITS))
