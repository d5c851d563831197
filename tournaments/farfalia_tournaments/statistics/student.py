"""Student's t distribution, as far as intervals of a mean and p-values need it.

The formulas are those of M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions", 1964: the finite series
26.7.3 and 26.7.4 for whole degrees of freedom, and the expansion 26.7.5 for many.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist, fmean, stdev
from typing import Final

#: The most degrees of freedom for which a quantile is found by inverting the series.
_SERIES_UP_TO: Final = 60


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """Return the confidence interval of the mean of at least two values, taken as independent."""
    mean = fmean(values)
    half = quantile(0.5 + confidence / 2, len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return mean - half, mean + half


def two_sided(t: float, degrees: int) -> float:
    """Return the two-sided p-value of t, for 1 and more degrees of freedom.

    Exact but for rounding: it sums half as many terms as there are degrees.
    """
    return max(0.0, 1 - _within(math.atan(abs(t) / math.sqrt(degrees)), degrees))


@lru_cache(maxsize=1024)
def quantile(probability: float, degrees: int) -> float:
    """Return the quantile of a probability from 0.5 to 0.999, for 1 and more degrees of freedom.

    Good to nine digits up to 60 degrees, where the exact series is inverted, and to seven beyond.
    """
    return _by_bisection(probability, degrees) if degrees <= _SERIES_UP_TO else _by_expansion(probability, degrees)


def _by_bisection(probability: float, degrees: int) -> float:
    # In the angle whose tangent is t / sqrt(degrees), all of t fits into a quarter turn.
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if 0.5 + _within(middle, degrees) / 2 < probability:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(degrees)


def _within(angle: float, degrees: int) -> float:
    """Return the probability of -t … t: a finite sum of powers of the cosine for a whole number of degrees."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    term = cosine if odd else 1.0
    total = term if degrees > 1 else 0.0
    for step in range(2 + odd, degrees - 1, 2):
        term *= cosine * cosine * (step - 1) / step
        total += term
    return (angle + sine * total) * 2 / math.pi if odd else sine * total


def _by_expansion(probability: float, degrees: int) -> float:
    """Return the normal quantile corrected by powers of 1 / degrees, the expansion of Cornish and Fisher."""
    z = NormalDist().inv_cdf(probability)
    square = z * z
    corrections = (
        (square + 1) / 4,
        ((5 * square + 16) * square + 3) / 96,
        (((3 * square + 19) * square + 17) * square - 15) / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    )
    return z + sum(z * correction / float(degrees) ** power for power, correction in enumerate(corrections, 1))
