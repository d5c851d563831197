"""The whole-history fit of a ladder: TrueSkill Through Time over all its results at once.

P. Dangauthier, R. Herbrich, T. Minka and T. Graepel, "TrueSkill Through Time: Revisiting the History of Chess", NIPS
2007. This is the only module that imports the package `trueskillthroughtime`.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from statistics import NormalDist, fmean
from typing import Final, Generic

from farfalia_tournaments.ratings.ratings import LUCK_LEFT, Rating, match_beta
from farfalia_tournaments.ratings.systems.trueskill import TrueSkill
from farfalia_tournaments.results import Entrant, MatchResult, ordered, rating_places, shown

#: The fit has converged when no mu moves by more than this in a sweep.
_CONVERGED: Final = 0.01
#: The most sweeps.
_SWEEPS: Final = 10
#: The least probability of a tie, where there are any: with .002 the package takes roots of negative numbers.
_TIED: Final = 0.01


@dataclass(frozen=True, slots=True)
class SkillEstimate(Generic[Entrant]):
    """The fitted skill of an entrant on TrueSkill's scale, with the bounds of its credible interval."""

    entrant: Entrant
    rating: Rating
    low: float
    high: float
    matches: int


def fit_whole_history(
    results: Iterable[MatchResult[Entrant]],
    model: TrueSkill | None = None,
    confidence: float = 0.95,
    luck_left: float = LUCK_LEFT,
) -> list[SkillEstimate[Entrant]]:
    """Return all rated entrants, strongest first, with the skills that explain all results together.

    The model is the online rating's, but skills do not depend on the order of the results, and all matches have one
    performance noise: `luck_left` of it is left in those whose luck is known. The mean of the variances counts, and
    that of how often there are ties. Entrants that are never rated take part as opponents. An entrant that forfeited
    comes behind all who played to the end; on its side a newcomer stands in for it, so that a partner's skill does not
    change. One that was gone before it was asked anything is left out, and so are matches that then have only one side.
    It takes a few milliseconds per match.
    """
    import trueskillthroughtime  # imported here, as only a fit needs to wait for it

    model = model or TrueSkill()
    held = list(results)
    models = [model.with_beta(match_beta(result, model, luck_left), ties=not any(result.luck)) for result in held]
    played = sorted((sides for sides in map(_sides, held) if len(sides) > 1), key=repr)
    matches: Counter[Entrant] = Counter()
    rated: set[Entrant] = set()
    for sides in played:
        for _, side in sides:
            matches.update(member[0] for member in side if member)
            rated.update(member[0] for member in side if member and member[1])
    # By number, as the package keeps its agents in an order that follows from how they are hashed.
    numbers = {entrant: number for number, entrant in enumerate(ordered(matches))}
    newcomers = count(len(numbers))
    history = trueskillthroughtime.History(
        composition=[
            [[numbers[member[0]] if member else next(newcomers) for member in side] for _, side in sides]
            for sides in played
        ],
        results=[[-float(place) for place, _ in sides] for sides in played],
        times=list(range(len(played))),
        mu=model.mu,
        sigma=model.sigma,
        beta=math.sqrt(fmean(one.beta**2 for one in models or [model])),
        gamma=model.tau,
        p_draw=max(fmean(one.draw_probability for one in models or [model]), _TIED if _has_ties(played) else 0.0),
    )
    history.convergence(epsilon=_CONVERGED, iterations=_SWEEPS, verbose=False)
    curves = history.learning_curves()
    width = NormalDist().inv_cdf(0.5 + confidence / 2)
    fitted = []
    for entrant in ordered(rated):
        skill = curves[numbers[entrant]][-1][1]
        half = width * skill.sigma
        rating = Rating(float(skill.mu), float(skill.sigma))
        fitted.append(SkillEstimate(entrant, rating, rating.mu - half, rating.mu + half, matches[entrant]))
    return sorted(fitted, key=lambda one: -one.rating.mu)


#: An entrant and whether it is rated; None for a newcomer that stands in.
_Member = tuple[Entrant, bool] | None


def _has_ties(played: Sequence[list[tuple[int, list[_Member[Entrant]]]]]) -> bool:
    return any(one[0] == other[0] for sides in played for one, other in pairwise(sides))


def _sides(result: MatchResult[Entrant]) -> list[tuple[int, list[_Member[Entrant]]]]:
    """Return place and members of each side, best first as the package needs them.

    An entrant that forfeited is a side of its own, filled up with newcomers to as many members as its side had.
    """
    placed: dict[int, list[_Member[Entrant]]] = {}
    places: dict[int, int] = {}
    forfeited: list[tuple[int, list[_Member[Entrant]]]] = []
    told, by_seat = shown(result), rating_places(result)
    for entrant in ordered(result.entrants):
        seat = result.entrants.index(entrant)
        member, side = (entrant, result.rated[seat]), result.sides[seat]
        gone = seat in result.forfeits
        placed.setdefault(side, []).append(None if gone else member)
        if gone and entrant in told:
            forfeited.append((by_seat[seat], [member, *[None] * (result.sides.count(side) - 1)]))
        elif not gone:
            places[side] = by_seat[seat]
    return sorted(
        [(places[side], placed[side]) for side in placed if side in places] + forfeited, key=lambda side: side[0]
    )
