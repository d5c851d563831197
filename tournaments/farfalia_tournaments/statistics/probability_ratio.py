"""Is one of two better by a difference that is named in advance, or are they equal? Wald's test, as it goes on.

A sequential probability ratio test (A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical
Statistics 16, 1945), generalised as engines of chess are tested: the variance of a unit is estimated from all units so
far. The logarithm of the likelihood ratio, LLR, grows with each unit that speaks for the difference and falls with each
that speaks for equality; it ends at either bound. It takes units to be as good as normal in sum, which a confidence
sequence does not, and ends far sooner for it. No unit is cut off: a seat that is lost lowers the mean, and raises the
variance for both hypotheses.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev
from typing import Final

#: The least standard deviation of a unit, in points per match: equal results of a few say little of those to come.
_LEAST_DEVIATION: Final = 1.0


@dataclass(frozen=True, slots=True)
class ProbabilityRatio:
    """The LLR that the one who is ahead is better by `expected` points per match, against that both are equal.

    Below `lower` they are equal, from `upper` on that one is better.
    """

    expected: float
    llr: float
    lower: float
    upper: float


def probability_ratio(differences: Sequence[float], expected: float, error: float) -> ProbabilityRatio:
    """Return the ratio after these differences, where equals are told apart, and a difference of `expected` is missed,
    with at most this probability each.

    Either of the two may be the better one, so each gets half of the error with equals.
    """
    lower, upper = math.log(error / (1 - error / 2)), math.log((1 - error) / (error / 2))
    if not differences:
        return ProbabilityRatio(expected, 0.0, lower, upper)
    deviation = max(_LEAST_DEVIATION, stdev(differences) if len(differences) > 1 else 0.0)
    ahead = abs(fmean(differences)) - expected / 2
    return ProbabilityRatio(expected, expected * len(differences) * ahead / deviation**2, lower, upper)


def likelihood_of_superiority(differences: Sequence[float]) -> float:
    """Return LOS, the probability that the first is the better one, if units are normal and looked at once: 0 to 1.

    It is 1/2 after fewer than two units.
    """
    if len(differences) < 2:
        return 0.5
    deviation = max(_LEAST_DEVIATION, stdev(differences))
    return NormalDist().cdf(fmean(differences) * math.sqrt(len(differences)) / deviation)
