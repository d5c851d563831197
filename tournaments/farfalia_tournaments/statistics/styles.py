"""What styles explain of how two do against each other: one beats another, which beats a third, which beats the first.

How much each of two gains on the other is a skew-symmetric matrix. Styles that beat each other in a circle give it
large planes, pairs of equal singular values, as every skew-symmetric matrix is a sum of planes; luck alone gives it
none beyond 2 √n for n entrants. A single pair that plays together is far too little for a plane. An entrant whom half
of the others feed is not: nothing here tells that from a style of its own.
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
#: A leverage beyond this would make a small rest look large.
_MOST_LEVERAGE: Final = 0.5

#: Two unit vectors at a right angle.
_Plane = tuple[list[float], list[float]]


class PairDifference(NamedTuple, Generic[Entrant]):
    """How much more one gains than the other when they meet, in points per match, and the variance of that."""

    one: Entrant
    other: Entrant
    difference: float
    variance: float


class Style(NamedTuple):
    """What styles explain of a difference, in points per match, and how much that follows the difference itself.

    `leverage` is the share of its own luck that a difference brings into what is explained of it, from 0 to 1.
    """

    part: float
    leverage: float


#: Where styles explain nothing.
NO_STYLE: Final = Style(0.0, 0.0)


def explained_by_styles(meetings: Sequence[PairDifference[Entrant]]) -> list[Style]:
    """Return what styles explain of each difference: nothing where they explain no more than luck."""
    entrants = list(dict.fromkeys(entrant for meeting in meetings for entrant in meeting[:2]))
    nothing = [NO_STYLE] * len(meetings)
    if len(entrants) < _FEWEST_ENTRANTS or len(meetings) < _FEWEST_PAIRS:
        return nothing
    numbers = {entrant: number for number, entrant in enumerate(entrants)}
    field = _Field(
        len(entrants),
        [(numbers[meeting.one], numbers[meeting.other]) for meeting in meetings],
        [1 / meeting.variance for meeting in meetings],
    )
    differences = [meeting.difference for meeting in meetings]
    part = [0.0] * len(meetings)
    for number in range(1, _ROUNDS + 1):
        # One plane more each time: before the largest is known, nothing says that a single pair is farther off.
        planes, part = field.planes(field.clipped(differences, part), min(number, _MOST_PLANES))
        if not planes:
            return nothing
    return list(map(Style, part, field.leverages(planes)))


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

    def planes(self, differences: Sequence[float], most: int) -> tuple[list[_Plane], list[float]]:
        """Return the planes that are surely more than luck, and their sum, each shrunk by what luck adds to it.

        The factor is that with the least squared error: M. Gavish and D. L. Donoho, "Optimal Shrinkage of Singular
        Values", IEEE Transactions on Information Theory 63, 2017.
        """
        found, left = [0.0] * len(differences), list(differences)
        planes: list[_Plane] = []
        luck = 4.0 * self._entrants
        for _ in range(most):
            first, second = largest = self._largest_plane(left)
            shape = [second[one] * first[other] - first[one] * second[other] for one, other in self._pairs]
            along = sum(w * d * s for w, d, s in zip(self._weights, left, shape, strict=True))
            squares = sum(w * s * s for w, s in zip(self._weights, shape, strict=True))
            if not squares or along * along / squares < _MORE_THAN_LUCK * luck:
                break
            factor = along / squares * math.sqrt(1 - luck * squares / (along * along))
            plane = [factor * one for one in shape]
            found = [one + more for one, more in zip(found, plane, strict=True)]
            left = [one - less for one, less in zip(left, plane, strict=True)]
            planes.append(largest)
        return planes, found

    def leverages(self, planes: Sequence[_Plane]) -> list[float]:
        """Return the leverage of each pair: planes turn a little towards every difference that they are found from.

        What they do not follow of a pair is what lies outside of them at both ends.
        """
        vectors = [vector for plane in planes for vector in plane]

        def outside(one: int, other: int) -> float:
            return float(one == other) - sum(vector[one] * vector[other] for vector in vectors)

        own = [outside(one, one) for one in range(self._entrants)]
        return [
            min(_MOST_LEVERAGE, max(0.0, 1 - own[one] * own[other] + outside(one, other) ** 2))
            for one, other in self._pairs
        ]

    def _largest_plane(self, differences: Sequence[float]) -> _Plane:
        """Return two unit vectors that span the plane with the largest singular values, by power iteration."""
        # Any start will do that no plane is at a right angle to.
        first = _unit([math.sin(1 + 7.1 * number) for number in range(self._entrants)])
        for _ in range(_STEPS):
            second = self._times(differences, first)
            first = _unit([-one for one in self._times(differences, second)])
        return first, _unit(self._times(differences, first))

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
