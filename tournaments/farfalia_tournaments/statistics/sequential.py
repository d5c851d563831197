"""Which of two is better: a sequential test, asked again after every unit.

It is a bet against each mean that the differences might have: a player who bets on a larger or a smaller one, by shares
that are fixed in advance, gains without end if the mean is another one, and hardly ever much if it is not. All means
against which no player has gained enough are the interval (I. Waudby-Smith and A. Ramdas, "Estimating means of bounded
random variables by betting", Journal of the Royal Statistical Society B 86, 2024). It holds at all times at once, so
looking often costs no confidence. No difference is cut off. It assumes nothing but a bound on losses: neither skew nor
differences on one unit in twenty can deceive it. A loss beyond the bound, such as that of a seat, costs a player
all but a reserve, and is the bound from then on.

A difference that is expected is another question, and has another test: `probability_ratio`.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import cycle, islice
from statistics import fmean, stdev
from typing import Final

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.statistics.probability_ratio import (
    ProbabilityRatio,
    likelihood_of_superiority,
    probability_ratio,
)

#: Shares of what a bettor can lose at most in a unit, and how much of the purse bets each of them. The bound is far
#: above what a board makes, so the largest is best wherever boards are like real ones: at a standard deviation of 4.5,
#: for all differences from 0.7 points. The others are for games and bots with rare swings. With a bound of 30 no test
#: finds 3 points with 95 % confidence in fewer than 39 boards: a bot that makes 3 on ten boards of eleven and loses 30
#: on the last is not better, and its first 38 boards are without a loss in more than 2.5 % of comparisons.
_STAKES: Final = {0.95: 0.7, 0.5: 0.2, 0.2: 0.07, 0.05: 0.03}
#: What no bet takes: a loss within the bound leaves as much to the largest stake, one beyond it to any.
_RESERVE: Final = 0.05
#: The bound on what a unit loses, in points per match: this one, or twice the largest of the first units if that is
#: more, as in games with other points. Boards of five rotations between sample bots that differ had a standard
#: deviation of 6 to 9.
_BOUND: Final = 30.0
#: Units that do nothing but set the bound: it has to be known before a bet.
_FIRST_UNITS: Final = 5
#: Nothing is decided before as many units: by then a difference on one unit in ten shows with probability 7/8.
FEWEST_UNITS: Final = 20
#: Ends of the interval are this exact, in points per match, and on the safe side.
_EXACT: Final = 0.01
#: Differences, and the bound on losses in points per match that was known before them.
_Run = tuple[float, Sequence[float]]


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
    """The answer, the mean difference and its interval in points per match, and the number of units there were.

    `superiority` is the likelihood that the first is better (LOS), for one look. Where a difference was expected there
    is a `ratio`, and no interval: its ends are infinite.
    """

    answer: ComparisonAnswer
    mean: float
    interval: tuple[float, float]
    units: int
    superiority: float = 0.5
    ratio: ProbabilityRatio | None = None


def compare(
    differences: Sequence[float], confidence: float = 0.95, margin: float = 0.0, expected: float | None = None
) -> Comparison:
    """Compare two by the differences of their scores, one for each unit in which both took part.

    It may be asked after every unit: over a whole comparison, however long it is and whenever it ends, the interval
    holds the true difference with that confidence; at 0.95, equals are declared different at most one time in twenty.
    That is true as long as losses do not exceed those before and a bound, 30 points or twice the largest of the first
    five differences, which set it and count for nothing else. Nothing is decided before `FEWEST_UNITS`. With a margin,
    in points per match, two whose interval lies within it count as equal.

    With an `expected` difference it is a sequential probability ratio test instead: equals are declared different, and
    two who differ by that much equal, each with a probability of 1 less the confidence; all units count. Raises
    TournamentError for a confidence outside 0.5 to 1, a margin below 0, or an expected difference that is not above 0.
    """
    if not 0.5 <= confidence < 1:
        raise TournamentError(f"confidence {confidence}: expected at least 0.5, and below 1")
    if not 0 <= margin < math.inf:
        raise TournamentError(f"margin {margin}: expected a number of at least 0")
    if expected is not None:
        if not 0 < expected < math.inf:
            raise TournamentError(f"expected difference {expected}: expected a number above 0")
        ratio = probability_ratio(differences, expected, 1 - confidence)
        mean = fmean(differences) if differences else 0.0
        answer = _by_ratio(ratio, mean, len(differences))
        return Comparison(
            answer, mean, (-math.inf, math.inf), len(differences), likelihood_of_superiority(differences), ratio
        )
    bound = max([_BOUND, *(2 * abs(one) for one in differences[:_FIRST_UNITS])])
    counted = differences[_FIRST_UNITS:]
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
    return Comparison(answer, mean, (low, high), len(differences), likelihood_of_superiority(counted))


def _by_ratio(ratio: ProbabilityRatio, mean: float, units: int) -> ComparisonAnswer:
    if units < FEWEST_UNITS or ratio.lower < ratio.llr < ratio.upper:
        return ComparisonAnswer.UNDECIDED
    if ratio.llr <= ratio.lower:
        return ComparisonAnswer.EQUAL
    return ComparisonAnswer.FIRST if mean > 0 else ComparisonAnswer.SECOND


def likely_more(
    differences: Sequence[float], confidence: float, margin: float, most: int, expected: float | None = None
) -> int | None:
    """Return how many more units are likely until there is an answer, if those to come are like those so far.

    None where that cannot be said: after fewer than half of `FEWEST_UNITS`, where no difference is expected and the
    mean is less than three of its standard errors from 0, which would be too hopeful, and where all units would be more
    than `most`.
    """
    counted = differences[_FIRST_UNITS:] if expected is None else differences
    done = len(differences)
    if 2 * done < FEWEST_UNITS:
        return None
    if expected is None and abs(fmean(counted)) < 3 * stdev(counted) / math.sqrt(len(counted)):
        return None
    like = [*differences, *islice(cycle(counted), max(0, most - done))]

    def answered(units: int) -> bool:
        return compare(like[:units], confidence, margin, expected).answer is not ComparisonAnswer.UNDECIDED

    if not answered(len(like)):
        return None
    return bisect_left(range(len(like)), True, lo=done, key=answered) - done


def _low(differences: Sequence[float], bound: float, mean: float, enough: float) -> float:
    """Return the least mean against which bets on a larger one have not made `enough` of 1: minus infinity if there
    is none within the bound.
    """
    runs = list(_runs(differences, bound))
    low, high = -bound * (1 - 1e-9), mean
    if high <= low or (below := _gained(runs, low, enough)) < 0:
        return -math.inf
    above = _gained(runs, high, enough)
    # False position, after Illinois: the end that stays counts half the next time.
    while high - low > _EXACT:
        between = low + (high - low) * min(0.98, max(0.02, below / (below - above)))
        gained = _gained(runs, between, enough)
        if gained >= 0:
            low, below, above = between, gained, above / 2
        else:
            high, above, below = between, gained, below / 2
    return low


def _runs(differences: Sequence[float], bound: float) -> Iterator[_Run]:
    """Yield the differences in runs, each with the bound on losses that was known before it: only the last of a run
    may be a larger loss, which is the bound of the next run.
    """
    run: list[float] = []
    for one in differences:
        run.append(one)
        if one < -bound:
            yield bound, run
            bound, run = -one, []
    if run:
        yield bound, run


def _gained(runs: Sequence[_Run], mean: float, enough: float) -> float:
    """Return the logarithm of what 1, shared among the stakes, has become by bets that the differences are larger than
    this mean, less that of `enough`.
    """
    total = 0.0
    for stake, purse in _STAKES.items():
        made = purse
        for bound, run in runs:
            share = stake / (bound + mean)
            step = 1 - share * mean
            last = max(_RESERVE, step + share * run[-1])
            made *= max(1e-300, min(1e300, math.prod([step + share * difference for difference in run[:-1]]) * last))
        total += made
    return math.log(max(1e-300, min(1e300, total)) / enough)
