"""Probabilities that one entrant is stronger than another, by empirical Bayes.

A unit's score is an entrant's strength and noise, and strengths are normal over the field with a variance that is
estimated from the results themselves. So each mean is shrunk towards the middle of the field, the more the fewer units
it rests on: B. Efron and C. Morris, "Data Analysis Using Stein's Estimator and Its Generalizations", Journal of the
American Statistical Association 70, 1975.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist, fmean, variance
from typing import Final

from farfalia_tournaments.results import Entrant, ordered
from farfalia_tournaments.statistics.noise import MATCH_DEVIATION
from farfalia_tournaments.statistics.units import Unit

#: Prior standard deviation of strength over a field, in standard deviations of one unit's score: 4.8 points, measured
#: in the simulation that `noise` names.
_PRIOR_SPREAD: Final = 4.8 / MATCH_DEVIATION
#: Prior weight of that variance: it counts like as many entrants.
_PRIOR_WEIGHT: Final = 4.0


@dataclass(frozen=True, slots=True)
class Strength:
    """The posterior of an entrant's strength: mean and standard deviation, in points per match, shrunk to the field."""

    mean: float
    standard_deviation: float


def strengths(played: Iterable[Unit[Entrant]]) -> dict[Entrant, Strength]:
    """Return the posterior of each entrant's strength, in the order of their names.

    With few units everybody is near the middle. A forfeit counts in the mean, and not as noise: a weak entrant could
    hide behind that.
    """
    scores: dict[Entrant, list[float]] = {}
    played_out: dict[Entrant, list[float]] = {}
    for unit in played:
        for entrant, score in unit.scores.items():
            scores.setdefault(entrant, []).append(float(score))
            if entrant not in unit.forfeited:
                played_out.setdefault(entrant, []).append(float(score))
    noise = _noise(played_out)
    spread = _spread(scores, noise)
    found = {}
    for entrant in ordered(scores):
        precision = len(scores[entrant]) / noise
        posterior = 1 / (precision + 1 / spread)
        found[entrant] = Strength(posterior * precision * fmean(scores[entrant]), math.sqrt(posterior))
    return found


def pair_probabilities(played: Iterable[Unit[Entrant]]) -> dict[tuple[Entrant, Entrant], float]:
    """Return for each ordered pair the probability that the first is the stronger of the two, 0 to 1.

    It is calibrated over fields like those that the prior was measured in: of all pairs with a probability of 0.8, the
    first is stronger in eight of ten.
    """
    known = strengths(played)
    return {
        (one, other): NormalDist().cdf(
            (known[one].mean - known[other].mean)
            / math.hypot(known[one].standard_deviation, known[other].standard_deviation)
        )
        for one in known
        for other in known
        if one != other
    }


def _noise(scores: Mapping[Entrant, list[float]]) -> float:
    """Return the variance of a unit's score around its entrant's mean, pooled; a match's while nobody has two units."""
    degrees = sum(len(values) - 1 for values in scores.values())
    squares = sum(variance(values) * (len(values) - 1) for values in scores.values() if len(values) > 1)
    return squares / degrees if squares else MATCH_DEVIATION**2


def _spread(scores: Mapping[Entrant, list[float]], noise: float) -> float:
    """Return the variance of strength over the field: the prior and the moment estimate, weighted."""
    prior = _PRIOR_SPREAD**2 * noise
    if len(scores) < 2:
        return prior
    means = [fmean(values) for values in scores.values()]
    observed = max(0.0, variance(means) - fmean(noise / len(values) for values in scores.values()))
    weight = len(scores) - 1
    return (_PRIOR_WEIGHT * prior + weight * observed) / (_PRIOR_WEIGHT + weight)
