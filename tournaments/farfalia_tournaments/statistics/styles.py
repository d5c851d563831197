"""What styles explain of how two do against each other: one beats another, which beats a third, which beats the first.

How much each of two gains on the other is a skew-symmetric matrix. Styles that beat each other in a circle give it
large planes, pairs of equal singular values, as every skew-symmetric matrix is a sum of planes; luck alone gives it
none beyond 2 √n for n entrants. A single pair that plays together is far too little for a plane.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist, median
from typing import Final, Generic, NamedTuple

from farfalia_tournaments.results import Entrant

#: A field says something about styles from as many entrants, and as many pairs, on.
_FEWEST_ENTRANTS: Final = 6
_FEWEST_PAIRS: Final = 20
#: Planes at most, and how much more of the squares than luck's largest plane has one must have.
_MOST_PLANES: Final = 3
_MORE_THAN_LUCK: Final = 1.3
#: Differences farther from what styles explain count as if they were so far, in deviations: they may be no style.
_CLIP: Final = 3.0
#: How often all planes are found again, from differences that are clipped again, and steps on the way to a plane.
_ROUNDS: Final = 4
_STEPS: Final = 30
#: The median of the absolute value of a standard normal variable.
_MEDIAN: Final = NormalDist().inv_cdf(0.75)


class PairDifference(NamedTuple, Generic[Entrant]):
    """How much more one gains than the other when they meet, in points per match, and the variance of that."""

    one: Entrant
    other: Entrant
    difference: float
    variance: float


def explained_by_styles(meetings: Sequence[PairDifference[Entrant]]) -> list[float]:
    """Return what styles explain of each difference, in points per match; 0 where they explain no more than luck."""
    entrants = list(dict.fromkeys(entrant for meeting in meetings for entrant in meeting[:2]))
    part = [0.0] * len(meetings)
    if len(entrants) < _FEWEST_ENTRANTS or len(meetings) < _FEWEST_PAIRS:
        return part
    numbers = {entrant: number for number, entrant in enumerate(entrants)}
    field = _Field(
        len(entrants),
        [(numbers[meeting.one], numbers[meeting.other]) for meeting in meetings],
        [1 / meeting.variance for meeting in meetings],
    )
    differences = [meeting.difference for meeting in meetings]
    for _ in range(_ROUNDS):
        part = field.planes(field.clipped(differences, part))
        if not any(part):
            break
    return part


class _Field:
    """Who met, by number, and the weight of each meeting."""

    def __init__(self, entrants: int, pairs: Sequence[tuple[int, int]], weights: Sequence[float]) -> None:
        self._entrants = entrants
        self._pairs = pairs
        self._weights = weights

    def clipped(self, differences: Sequence[float], part: Sequence[float]) -> list[float]:
        """Return the differences, none of them far from what is explained."""
        deviations = [math.sqrt(1 / weight) for weight in self._weights]
        left = [all_ - some for all_, some in zip(differences, part, strict=True)]
        scores = [abs(one) / deviation for one, deviation in zip(left, deviations, strict=True)]
        most = _CLIP * max(1.0, median(scores) / _MEDIAN)
        return [
            some + max(-most * deviation, min(most * deviation, one))
            for some, one, deviation in zip(part, left, deviations, strict=True)
        ]

    def planes(self, differences: Sequence[float]) -> list[float]:
        """Return the sum of the planes that are surely more than luck, each shrunk by what luck adds to it."""
        found, left = [0.0] * len(differences), list(differences)
        luck = 4.0 * self._entrants
        for _ in range(_MOST_PLANES):
            shape = self._largest_plane(left)
            along = sum(w * d * s for w, d, s in zip(self._weights, left, shape, strict=True))
            squares = sum(w * s * s for w, s in zip(self._weights, shape, strict=True))
            if not squares or along * along / squares < _MORE_THAN_LUCK * luck:
                break
            factor = along / squares * (1 - luck * squares / (along * along))
            plane = [factor * one for one in shape]
            found = [one + more for one, more in zip(found, plane, strict=True)]
            left = [one - less for one, less in zip(left, plane, strict=True)]
        return found

    def _largest_plane(self, differences: Sequence[float]) -> list[float]:
        """Return the shape of the plane with the largest singular values, by power iteration."""
        # Any start will do that no plane is at a right angle to.
        first = _unit([math.sin(1 + 7.1 * number) for number in range(self._entrants)])
        for _ in range(_STEPS):
            second = self._times(differences, first)
            first = _unit([-one for one in self._times(differences, second)])
        second = _unit(self._times(differences, first))
        return [second[one] * first[other] - first[one] * second[other] for one, other in self._pairs]

    def _times(self, differences: Sequence[float], vector: Sequence[float]) -> list[float]:
        """Return the product of the matrix of weighted differences with a vector."""
        product = [0.0] * self._entrants
        for (one, other), weight, difference in zip(self._pairs, self._weights, differences, strict=True):
            product[one] += weight * difference * vector[other]
            product[other] -= weight * difference * vector[one]
        return product


def _unit(vector: Sequence[float]) -> list[float]:
    length = math.sqrt(sum(one * one for one in vector))
    return [one / length for one in vector] if length else list(vector)
