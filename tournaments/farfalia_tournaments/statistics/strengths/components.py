"""What is known of strengths for one spread of the field: Student's t."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from farfalia_tournaments.statistics.strengths.algebra import Matrix, Solution
from farfalia_tournaments.statistics.strengths.priors import Prior


@dataclass(frozen=True, slots=True)
class Strength:
    """The posterior of a strength: mean and standard deviation, in points per match; 0 is the mean of the field."""

    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Component:
    """The posterior for one spread of the field: its weight, and Student's t with these means, scales and degrees.

    Without `covariances`, among many entrants, strengths are taken as independent. `precisions` are those of the prior,
    by entrant, as multiples of luck's: about the mean of its family for one that has a family, and `family_precisions`
    are those of these means. `known_precisions` are those of what was known before of those of whom something was,
    and `known_share` is the share that this has in what is known of differences now, beside the results.
    """

    weight: float
    means: Sequence[float]
    variances: Sequence[float]
    covariances: Matrix | None
    degrees: float
    precisions: Sequence[float]
    family_precisions: Sequence[float] = ()
    known_precisions: Sequence[float] = ()
    known_share: float = 0.0

    def covariance(self, one: int, other: int) -> float:
        """Return the covariance of two strengths, but for what Student's t adds."""
        if self.covariances is not None:
            return self.covariances[one][other]
        return self.variances[one] if one == other else 0.0

    def scale(self, one: int, other: int) -> float:
        """Return the scale of the difference of two strengths."""
        return math.sqrt(self.variances[one] + self.variances[other] - 2 * self.covariance(one, other))


def centred(
    weight: float,
    solution: Solution,
    luck: float,
    degrees: float,
    charges: Sequence[float],
    prior: Prior,
    known_share: float = 0.0,
) -> Component:
    """Return a component of strengths less their mean over the field, with the charges taken off then.

    The field are the first of the solution's unknowns, as many as there are charges; of the others only the means of
    families have a prior that is kept. The solution has its variances as multiples of `luck`,
    the variance of luck.
    """
    size = len(charges)
    precisions = list(prior.own[:size])
    families = dict.fromkeys(mean for _, mean, _ in prior.ties)
    for member, _, tie in prior.ties:
        if member < size:
            precisions[member] = tie
    of_families = [prior.own[mean] for mean in families]
    known = list(prior.known.precisions.values()) if prior.known is not None else []
    values = solution.values[:size]
    middle = sum(values) / size
    means = [mean - middle - charge for mean, charge in zip(values, charges, strict=True)]
    if solution.covariances is None:
        variances = [luck * own for own in solution.variances[:size]]
        return Component(weight, means, variances, None, degrees, precisions, of_families, known, known_share)
    field = [row[:size] for row in solution.covariances[:size]]
    rows = [sum(row) / size for row in field]
    everything = sum(rows) / size
    covariances = [
        [luck * (value - own - other + everything) for value, other in zip(row, rows, strict=True)]
        for row, own in zip(field, rows, strict=True)
    ]
    variances = [row[number] for number, row in enumerate(covariances)]
    return Component(weight, means, variances, covariances, degrees, precisions, of_families, known, known_share)


def widened_component(part: Component, factor: float, means: Sequence[float]) -> Component:
    """Return a component with its deviations, and its distances from these means, scaled by a factor."""
    square = factor * factor
    return replace(
        part,
        means=[middle + factor * (mean - middle) for mean, middle in zip(part.means, means, strict=True)],
        variances=[square * own for own in part.variances],
        covariances=part.covariances and [[square * value for value in row] for row in part.covariances],
    )
