"""Which of two is better: a sequential test, asked again after every unit.

The interval is a confidence sequence for the mean of a normal variable with unknown variance: Lai's construction with a
normal mixture over the size of the effect (T. L. Lai, "On Confidence Sequences", Annals of Statistics 4, 1976; H. Wang
and A. Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance",
arXiv:2310.03722, 2023). It holds at all times at once, so looking often costs no confidence.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, variance
from typing import Final

from farfalia_tournaments.errors import TournamentError

#: Variance of the normal mixture over effect sizes, in variances of a unit's difference. With it, differences of about
#: half a standard deviation are found soonest.
_MIXTURE: Final = 0.25
#: Nothing is decided before as many units: by then a difference on one unit in ten shows with probability 7/8.
FEWEST_UNITS: Final = 20
#: Prior standard deviation of a unit's difference, in points per match: a floor, since units that are all alike say
#: nothing about those that are not. Boards of five rotations between sample bots that differ gave 6 to 9.
_PRIOR_DEVIATION: Final = 6.0
#: Prior weight of its square, in units.
_PRIOR_WEIGHT: Final = 10


class ComparisonAnswer(StrEnum):
    """What a sequential test says so far."""

    #: The first is better.
    FIRST = "first"
    #: The second is better.
    SECOND = "second"
    #: Neither is better by more than the margin.
    EQUAL = "equal"
    #: More units are needed.
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer, the mean difference and its interval in points per match, and the number of units behind them."""

    answer: ComparisonAnswer
    mean: float
    interval: tuple[float, float]
    units: int


def compare(differences: Sequence[float], confidence: float = 0.95, margin: float = 0.0) -> Comparison:
    """Compare two by the differences of their scores, one for each unit in which both took part.

    It may be asked after every unit: over a whole comparison, however long it is and whenever it ends, the interval
    holds the true difference with that confidence; at 0.95, equals are declared different at most one time in twenty.
    Nothing is decided before `FEWEST_UNITS`. With a margin, in points per match, two whose interval lies within it
    count as equal. Raises TournamentError for a confidence outside 0.5 to 1 or a margin below 0.
    """
    if not 0.5 <= confidence < 1:
        raise TournamentError(f"confidence {confidence}: expected at least 0.5, and below 1")
    if not 0 <= margin < math.inf:
        raise TournamentError(f"margin {margin}: expected a number of at least 0")
    units = len(differences)
    mean = fmean(differences) if units else 0.0
    half = _half(differences, 1 - confidence) if units > 1 else math.inf
    low, high = mean - half, mean + half
    if units < FEWEST_UNITS:
        answer = ComparisonAnswer.UNDECIDED
    elif low > 0:
        answer = ComparisonAnswer.FIRST
    elif high < 0:
        answer = ComparisonAnswer.SECOND
    elif -margin <= low and high <= margin:
        answer = ComparisonAnswer.EQUAL
    else:
        answer = ComparisonAnswer.UNDECIDED
    return Comparison(answer, mean, (low, high), units)


def _half(differences: Sequence[float], error: float) -> float:
    """Return half the width of the interval: the differences against which the evidence stays below 1 / error.

    It is infinite while no difference is rejected.
    """
    n = len(differences)
    grown = 1 + n * _MIXTURE
    bound = (math.sqrt(grown) / error) ** (2 / n)
    if bound >= grown:
        return math.inf
    t = math.sqrt((n - 1) * (bound - 1) / (1 - bound / grown))
    observed = variance(differences)
    shrunk = ((n - 1) * observed + _PRIOR_WEIGHT * _PRIOR_DEVIATION**2) / (n - 1 + _PRIOR_WEIGHT)
    return t * math.sqrt(max(observed, shrunk) / n)
