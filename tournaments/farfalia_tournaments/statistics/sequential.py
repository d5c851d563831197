"""Which of two is better: a sequential test, asked again after every unit.

It is a bet against each mean that the differences might have: a player who bets on a larger or a smaller one, by shares
that are fixed in advance, gains without end if the mean is another one, and hardly ever much if it is not. All means
against which no player has gained enough are the interval (I. Waudby-Smith and A. Ramdas, "Estimating means of bounded
random variables by betting", Journal of the Royal Statistical Society B 86, 2024). It holds at all times at once, so
looking often costs no confidence, and it assumes nothing but a bound: neither skew nor differences on one unit in
twenty can deceive it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Final

from farfalia_tournaments.errors import TournamentError

#: Shares of what a bettor can lose at most in a unit. The large ones find large differences soon.
_STAKES: Final = (0.95, 0.5, 0.2, 0.05)
#: Differences are cut off at a bound, in points per match: at this one, or at twice the largest of the first units if
#: that is more, as in games with other points. Boards of five rotations between sample bots that differ had a standard
#: deviation of 6 to 9.
_BOUND: Final = 30.0
#: Units that do nothing but set the bound: it has to be known before a bet.
_FIRST_UNITS: Final = 5
#: Nothing is decided before as many units: by then a difference on one unit in ten shows with probability 7/8.
FEWEST_UNITS: Final = 20
#: Ends of the interval are this exact, in points per match, and on the safe side.
_EXACT: Final = 0.01


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
    """The answer, the mean difference and its interval in points per match, and the number of units there were."""

    answer: ComparisonAnswer
    mean: float
    interval: tuple[float, float]
    units: int


def compare(differences: Sequence[float], confidence: float = 0.95, margin: float = 0.0) -> Comparison:
    """Compare two by the differences of their scores, one for each unit in which both took part.

    It may be asked after every unit: over a whole comparison, however long it is and whenever it ends, the interval
    holds the true difference with that confidence; at 0.95, equals are declared different at most one time in twenty.
    Mean and interval are of differences cut off at 30 points, or at twice the largest of the first five, which set that
    bound and count for nothing else. Nothing is decided before `FEWEST_UNITS`. With a margin, in points per match, two
    whose interval lies within it count as equal. Raises TournamentError for a confidence outside 0.5 to 1 or a margin
    below 0.
    """
    if not 0.5 <= confidence < 1:
        raise TournamentError(f"confidence {confidence}: expected at least 0.5, and below 1")
    if not 0 <= margin < math.inf:
        raise TournamentError(f"margin {margin}: expected a number of at least 0")
    bound = max([_BOUND, *(2 * abs(one) for one in differences[:_FIRST_UNITS])])
    counted = [min(bound, max(-bound, one)) for one in differences[_FIRST_UNITS:]]
    mean = fmean(counted) if counted else 0.0
    enough = 2 / (1 - confidence)
    low = _low(counted, bound, mean, enough)
    high = -_low([-one for one in counted], bound, -mean, enough)
    if len(differences) < FEWEST_UNITS:
        answer = ComparisonAnswer.UNDECIDED
    elif low > 0:
        answer = ComparisonAnswer.FIRST
    elif high < 0:
        answer = ComparisonAnswer.SECOND
    elif -margin <= low and high <= margin:
        answer = ComparisonAnswer.EQUAL
    else:
        answer = ComparisonAnswer.UNDECIDED
    return Comparison(answer, mean, (low, high), len(differences))


def _low(differences: Sequence[float], bound: float, mean: float, enough: float) -> float:
    """Return the least mean against which bets on a larger one have not made `enough` of 1: minus infinity if there
    is none within the bound.
    """
    low, high = -bound * (1 - 1e-9), mean
    if high <= low or (below := _gained(differences, bound, low, enough)) < 0:
        return -math.inf
    above = _gained(differences, bound, high, enough)
    # False position, after Illinois: the end that stays counts half the next time.
    while high - low > _EXACT:
        between = low + (high - low) * min(0.98, max(0.02, below / (below - above)))
        gained = _gained(differences, bound, between, enough)
        if gained >= 0:
            low, below, above = between, gained, above / 2
        else:
            high, above, below = between, gained, below / 2
    return low


def _gained(differences: Sequence[float], bound: float, mean: float, enough: float) -> float:
    """Return the logarithm of what 1, shared among the stakes, has become by bets that the differences are larger than
    this mean, less that of `enough`.
    """
    total = 0.0
    for stake in _STAKES:
        share = stake / (bound + mean)
        step = 1 - share * mean
        total += math.prod([step + share * difference for difference in differences])
    return math.log(max(1e-300, min(1e300, total)) / len(_STAKES) / enough)
