"""How much luck there is in a mean of matches. All constants of planning are here, to be measured anew."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from farfalia_tournaments.schedules.boards import Boards

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Noise:
    """The luck in one match: a deviation of points less the mean of the table. Measured with Chinkway."""

    #: With cards of its own.
    fresh: float = 13.6
    #: A match of a board that is played with all rotations of the seats.
    rotations: float = 8.2
    #: What part of the variance other tables with the same board take out, if there are very many, and how many
    #: take out half of that.
    datum_gain: float = 0.53
    datum_half: float = 1.06

    def of(self, boards: Boards, tables: int) -> float:
        """Return the deviation in a match, with so many tables in its round."""
        if boards is Boards.ROTATIONS:
            return self.rotations
        if boards is Boards.DATUM:
            others = tables - 1
            return self.fresh * math.sqrt(1 - self.datum_gain * others / (others + self.datum_half))
        return self.fresh


@dataclass(frozen=True, slots=True)
class SamplingError:
    """Of a bot's mean score: as many matches, and the sum of their variances."""

    matches: int = 0
    variance: float = 0.0

    def plus(self, matches: int, deviation: float) -> "SamplingError":
        """Return the error after as many matches more."""
        return SamplingError(self.matches + matches, self.variance + matches * deviation**2)

    @property
    def standard_error(self) -> float:
        """The standard error of the bot's mean score, in points a match; at least one match is needed."""
        return math.sqrt(self.variance) / self.matches

    @property
    def minimum_detectable_difference(self) -> float:
        """The smallest difference of two such bots that can be told with 95 % confidence."""
        return NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * math.sqrt(2) * self.standard_error
