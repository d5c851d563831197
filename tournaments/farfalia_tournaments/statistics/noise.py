"""The noise of a match's score, and the sampling error of a mean of scores. The constants of planning are here.

Scores are in points less the mean of the table. All constants are of Chinkway at tables of five. They were measured in
a simulation with five heuristic bots that err at different rates. Two banks of 800 matches between sample bots in the
engine gave 13.3 and 12.7 for a match with cards of its own, 8.8 and 9.7 for one of five rotations.
`farfalia bench fairness` measures again.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from farfalia_tournaments.schedules.boards import Boards

#: Standard deviation of a score in a match with cards of its own, in points.
MATCH_DEVIATION: Final = 13.6
#: Level of confidence of a detectable difference.
CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Noise:
    """The noise of one match: standard deviations of a score, in points."""

    #: With cards of its own.
    fresh: float = MATCH_DEVIATION
    #: A match of a board that is played with all rotations of the seats: the deviation of the block's mean, times the
    #: root of its matches.
    rotations: float = 8.2
    #: The share of the variance that other tables with the same board take out in the limit of many tables.
    datum_gain: float = 0.53
    #: With how many other tables half of that is taken out.
    datum_half: float = 1.06

    def of(self, boards: Boards, tables: int) -> float:
        """Return the standard deviation for a match in a round of as many tables, in points."""
        if boards is Boards.ROTATIONS:
            return self.rotations
        if boards is Boards.DATUM:
            others = tables - 1
            return self.fresh * math.sqrt(1 - self.datum_gain * others / (others + self.datum_half))
        return self.fresh


@dataclass(frozen=True, slots=True)
class SamplingError:
    """The error of a bot's mean score: the number of its matches, and the sum of their variances."""

    matches: int = 0
    variance: float = 0.0

    def plus(self, matches: int, deviation: float) -> "SamplingError":
        """Return the error after more matches, each with this standard deviation."""
        return SamplingError(self.matches + matches, self.variance + matches * deviation**2)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean, in points per match; ZeroDivisionError without a match."""
        return math.sqrt(self.variance) / self.matches

    @property
    def minimum_detectable_difference(self) -> float:
        """The smallest difference between two such bots that is significant at 95 %, in points per match."""
        return NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * math.sqrt(2) * self.standard_error
