"""Medians of what was measured several times, with intervals that assume nothing about the noise, and shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import NormalDist, median

#: How often an interval should hold the true median, at least.
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, mostly a median, and its interval, which holds the true one with the probability `level`."""

    value: float
    low: float
    high: float
    level: float

    @property
    def error(self) -> float:
        """The standard error, if the interval is that of a normal value."""
        return (self.high - self.low) / 2 / NormalDist().inv_cdf((1 + self.level) / 2)

    def text(self, digits: int = 3) -> str:
        """Return the value and the ends of its interval."""
        return f"{self.value:.{digits}f} ({self.low:.{digits}f} … {self.high:.{digits}f})"


@dataclass(frozen=True, slots=True)
class Spread:
    """The median and the quartiles of slices."""

    median: float
    lower: float
    upper: float

    def text(self, digits: int) -> str:
        """Return the median and the quartiles."""
        return f"{self.median:,.{digits}f} ({self.lower:,.{digits}f} … {self.upper:,.{digits}f})"


@dataclass(frozen=True, slots=True)
class Share:
    """How often something happened, of how many times, and the 95 % interval of its probability."""

    hits: int
    of: int
    low: float
    high: float

    def text(self) -> str:
        """Return the count and the interval."""
        return f"{self.hits} of {self.of} ({self.low:.1%} … {self.high:.1%})"


def estimate(values: Sequence[float], level: float = LEVEL) -> Estimate:
    """Return the median with the narrowest interval between two of the values, equally far from the ends, at a level.

    Each of *n* independent values lies above the true median with probability 1/2, whatever its distribution, so how
    many do is binomial. Fewer than six values cannot reach 95 %: their interval goes from the least to the greatest,
    and `level` says what that is worth.
    """
    ordered, number = sorted(values), len(values)
    outside = 0.0  # the probability of fewer than `rank` values on one side
    rank = 0
    for fewer in range((number + 1) // 2):
        more = outside + comb(number, fewer) / 2**number
        if fewer and 1 - 2 * more < level:
            break
        outside, rank = more, fewer
    return Estimate(median(ordered), ordered[rank], ordered[number - 1 - rank], 1 - 2 * outside)


def share(hits: int, of: int) -> Share:
    """Return how often something happened, with the interval of E. B. Wilson, JASA 22, 1927."""
    square = NormalDist().inv_cdf((1 + LEVEL) / 2) ** 2
    middle = (hits + square / 2) / (of + square)
    half = sqrt(square * (hits * (of - hits) / of + square / 4)) / (of + square)
    return Share(hits, of, max(0.0, middle - half), min(1.0, middle + half))


def spread(values: Sequence[float]) -> Spread:
    """Return the median and the quartiles, between two values where they fall there."""
    ordered = sorted(values)

    def quantile(share: float) -> float:
        place = share * (len(ordered) - 1)
        below = int(place)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (place - below) * (ordered[above] - ordered[below])

    return Spread(quantile(0.5), quantile(0.25), quantile(0.75))
