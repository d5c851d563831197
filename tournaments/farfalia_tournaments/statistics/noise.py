"""The noise of a match's score, and the sampling error of a mean of scores. The constants of planning are here.

Scores are in points less the mean of the table. `NOISES` has what standings show of each game, less the luck of the
cards where the game has a value function: measured with ten sample bots of about the same strength in tournaments of 20
rounds, 8 with rotations, by `python -m tests.figures.noise_of_games`. Other fields differ: with much weaker bots at
the table rotations leave more.

The defaults of `Noise` are of Chinkway with luck, which simulations of luck and ladders need. They come from a
simulation with five heuristic bots that err at different rates; two banks of 800 matches between sample bots in the
engine gave 13.3 and 12.7 for a match with cards of its own, 8.8 and 9.7 for one of five rotations.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Final

from farfalia_tournaments.schedules.boards import Boards

#: Standard deviation of a score in a match of Chinkway with cards of its own, luck included, in points.
MATCH_DEVIATION: Final = 13.6
#: Level of confidence of a detectable difference.
CONFIDENCE: Final = 0.95
#: Share of the tournaments in which it is detected.
POWER: Final = 0.8


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
    #: By how much matches with a kind of boards are noisier than these figures say; 1 where nothing is known.
    factors: Mapping[Boards, float] = field(default_factory=dict, repr=False)

    def scaled(self, factors: Mapping[Boards, float]) -> "Noise":
        """Return the noise with these factors by kind of boards."""
        return replace(self, factors=factors)

    def of(self, boards: Boards, tables: int) -> float:
        """Return the standard deviation for a match in a round of as many tables, in points."""
        return self.factors.get(boards, 1.0) * self._built_in(boards, tables)

    def _built_in(self, boards: Boards, tables: int) -> float:
        if boards is Boards.ROTATIONS:
            return self.rotations
        if boards is Boards.DATUM:
            others = tables - 1
            return self.fresh * math.sqrt(1 - self.datum_gain * others / (others + self.datum_half))
        return self.fresh


#: The noise of one match as standings show it, by game, with default options.
NOISES: Final[Mapping[str, Noise]] = {
    "basic": Noise(fresh=4.3, rotations=4.4, datum_gain=0.00),
    "chinkway": Noise(fresh=9.4, rotations=8.7, datum_gain=0.42),
    "farrago": Noise(fresh=38.3, rotations=25.6, datum_gain=0.85),
    "five-hand": Noise(fresh=5.7, rotations=5.2, datum_gain=0.63),
    "four": Noise(fresh=9.8, rotations=11.5, datum_gain=0.00),
    "three": Noise(fresh=5.8, rotations=5.7, datum_gain=0.00),
    "three-short": Noise(fresh=4.8, rotations=3.8, datum_gain=0.63),
    "two": Noise(fresh=9.0, rotations=7.2, datum_gain=0.17),
}


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

    def minimum_detectable_difference(self, field: int) -> float:
        """Return the smallest difference between two such bots of a field of at least two, in points per match, that
        is significant at 95 % in 80 % of tournaments.

        What one bot gains the others lose: scores of a field that meets evenly have a correlation of −1 / (field − 1).
        """
        quantiles = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) + NormalDist().inv_cdf(POWER)
        return quantiles * math.sqrt(2 * field / (field - 1)) * self.standard_error
