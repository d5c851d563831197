"""What is known of strengths before the first match: means and deviations that ladders have of the same versions.

A ladder measures strengths from a middle of its own, which is unknown to the tournament. So what is known is one more
block of observations, mean = strength + offset + error, with one offset for all, of which nothing is expected. It is
taken out as hands are. With precisions k, their sum K, and the middle, the sum of k mean / K:

    a'a: diag(k) - k k' / K   a: k (mean - middle)   y'y: sum of k (mean - middle)^2

Equations have their precisions as multiples of luck's, but errors of ratings are known in points: they tell nothing of
luck. So luck's variance follows from the squares of scores and of strengths alone, and its degrees of freedom from
these: what is known fixes as many of the strengths as the trace of its share in the posterior says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from farfalia_tournaments.statistics.strengths.algebra import Matrix, Solution

#: The largest precision: a thousandth of luck's deviation. With larger ones equations lose their digits.
_SUREST: Final = 1e6


@dataclass(frozen=True, slots=True)
class KnownDifferences:
    """What is known of unknowns by number: means less their middle, and precisions as multiples of luck's."""

    means: Mapping[int, float]
    precisions: Mapping[int, float]

    @classmethod
    def of(cls, means: Mapping[int, float], deviations: Mapping[int, float], luck: float) -> "KnownDifferences":
        """Return what is known by means and deviations, in points, where luck has this variance."""
        precisions = {number: min(luck / own**2, _SUREST) for number, own in deviations.items()}
        middle = sum(precisions[number] * mean for number, mean in means.items()) / sum(precisions.values())
        return cls({number: mean - middle for number, mean in means.items()}, precisions)

    def add_to(self, precision: Matrix, right: list[float]) -> None:
        """Add it to equations."""
        whole = sum(self.precisions.values())
        for one, own in self.precisions.items():
            row = precision[one]
            row[one] += own
            for other, theirs in self.precisions.items():
                row[other] -= own * theirs / whole
            right[one] += own * self.means[one]

    @property
    def square(self) -> float:
        """What it adds to the square of the scores."""
        return sum(own * self.means[number] ** 2 for number, own in self.precisions.items())

    def misfit(self, values: Sequence[float]) -> float:
        """Return the square of what strengths differ from it."""
        errors = {number: mean - values[number] for number, mean in self.means.items()}
        weighted = sum(own * errors[number] for number, own in self.precisions.items())
        squares = sum(own * errors[number] ** 2 for number, own in self.precisions.items())
        return squares - weighted * weighted / sum(self.precisions.values())

    def share(self, solution: Solution) -> float:
        """Return how many of the strengths it fixes in the solution of all equations, 0 to one less than it knows.

        Where the solution is an approximation, strengths are taken as independent.
        """
        whole = sum(self.precisions.values())
        found = sum(own * solution.variances[number] for number, own in self.precisions.items())
        if solution.covariances is None:
            squares = sum(own * own * solution.variances[number] for number, own in self.precisions.items())
            return found - squares / whole
        for one, own in self.precisions.items():
            row = solution.covariances[one]
            found -= own / whole * sum(theirs * row[other] for other, theirs in self.precisions.items())
        return found
