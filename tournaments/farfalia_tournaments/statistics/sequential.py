"""Which of two is better, asked again after every unit, and answered as soon as it can be."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, variance
from typing import Final

from farfalia_tournaments.errors import TournamentError

#: How large a difference is expected to be if there is one: its variance, in variances of a unit's difference.
#: Differences of about half a deviation are found soonest with it.
_EXPECTED: Final = 0.25
#: Nothing is decided before this many units: with probability 7/8 a difference on one unit in ten shows by then.
FEWEST_UNITS: Final = 20
#: The deviation of a unit's difference, in points a match, as believed before anything is seen, and how many units
#: that weighs: a floor, since units that are all alike say nothing about those that are not. Boards of bots that
#: differ have a deviation of 6 to 9.
_USUAL: Final = 6.0
_USUAL_WEIGHS: Final = 10


class Answer(StrEnum):
    """What is known so far."""

    FIRST = "first"  #: the first is better
    SECOND = "second"  #: the second is better
    EQUAL = "equal"  #: neither is better by more than the margin
    UNDECIDED = "undecided"  #: go on


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer, and what it rests on: mean difference in points a match, where it lies, and after how many units."""

    answer: Answer
    mean: float
    interval: tuple[float, float]
    units: int


def compare(differences: Sequence[float], confidence: float = 0.95, margin: float = 0.0) -> Comparison:
    """Compare two by the differences of their scores, one for each unit in which both took part.

    It may be asked after every unit: over a whole comparison, however long and whenever it is ended, the interval
    holds the true difference with that confidence, so that equals are told apart by mistake that rarely. Nothing is
    decided before `FEWEST_UNITS`. With a margin, those whose interval lies within it count as equal. The interval is a
    confidence sequence: the t-tests with a normal mixture over the size of the effect that would not reject, with a
    deviation that is not believed to be as small as that of few units may be. Raises TournamentError for a confidence
    or a margin that cannot be.
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
        answer = Answer.UNDECIDED
    elif low > 0:
        answer = Answer.FIRST
    elif high < 0:
        answer = Answer.SECOND
    elif -margin <= low and high <= margin:
        answer = Answer.EQUAL
    else:
        answer = Answer.UNDECIDED
    return Comparison(answer, mean, (low, high), units)


def _half(differences: Sequence[float], error: float) -> float:
    """Return half the width of the interval: all differences against which the evidence is below 1 / error."""
    n = len(differences)
    grown = 1 + n * _EXPECTED
    bound = (math.sqrt(grown) / error) ** (2 / n)
    if bound >= grown:
        return math.inf
    t = math.sqrt((n - 1) * (bound - 1) / (1 - bound / grown))
    seen = variance(differences)
    believed = ((n - 1) * seen + _USUAL_WEIGHS * _USUAL**2) / (n - 1 + _USUAL_WEIGHS)
    return t * math.sqrt(max(seen, believed) / n)
