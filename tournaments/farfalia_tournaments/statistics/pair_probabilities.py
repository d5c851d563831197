"""How likely each entrant is to be better than each other one."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist, fmean, variance
from typing import Final

from farfalia_tournaments.results import Entrant, ordered
from farfalia_tournaments.statistics.units import Unit

#: Spread of skill in a field, in deviations of one unit's score, before anything is known of the field:
#: measured with single matches. It weighs as much as so many entrants.
_PRIOR_SPREAD: Final = 4.8 / 13.6
_PRIOR_WEIGHT: Final = 4.0
#: The noise of a unit is estimated from all entrants together; before there are two units of anybody, it is this.
_NOISE: Final = 13.6


@dataclass(frozen=True, slots=True)
class Strength:
    """What the scores say about an entrant: mean and standard deviation, in points per match, shrunk."""

    mean: float
    standard_deviation: float


def strengths(played: Iterable[Unit[Entrant]]) -> dict[Entrant, Strength]:
    """Return what is known of each entrant, in the order of their names.

    Scores are taken as an entrant's skill and noise, and skills as spread over the field as far as the means are
    further apart than noise alone would bring them: few units say little, and then everybody is near the middle. A
    lost seat counts in the mean, and not as noise, behind which a weak entrant could hide.
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
        known = len(scores[entrant]) / noise
        standard_deviation = 1 / (known + 1 / spread)
        found[entrant] = Strength(standard_deviation * known * fmean(scores[entrant]), math.sqrt(standard_deviation))
    return found


def pair_probabilities(played: Iterable[Unit[Entrant]]) -> dict[tuple[Entrant, Entrant], float]:
    """Return for each ordered pair the probability that the first is the stronger one of the two, 0 to 1.

    It is calibrated over fields like those that skill was measured in: of all pairs of which it says 0.8, the first
    is stronger in eight of ten.
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
    """Return the variance of a unit's score around its entrant's mean, pooled."""
    degrees = sum(len(values) - 1 for values in scores.values())
    squares = sum(variance(values) * (len(values) - 1) for values in scores.values() if len(values) > 1)
    return squares / degrees if squares else _NOISE**2


def _spread(scores: Mapping[Entrant, list[float]], noise: float) -> float:
    """Return the variance of skill over the field: the prior's, moved by what is observed."""
    prior = _PRIOR_SPREAD**2 * noise
    if len(scores) < 2:
        return prior
    means = [fmean(values) for values in scores.values()]
    observed = max(0.0, variance(means) - fmean(noise / len(values) for values in scores.values()))
    weighs = len(scores) - 1
    return (_PRIOR_WEIGHT * prior + weighs * observed) / (_PRIOR_WEIGHT + weighs)
