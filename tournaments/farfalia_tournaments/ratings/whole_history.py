"""The strengths of a whole ladder at once, from all its results. The only module that knows `trueskillthroughtime`."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from statistics import NormalDist
from typing import Final, Generic

from farfalia_tournaments.ratings.ratings import Rating
from farfalia_tournaments.ratings.systems.trueskill import TrueSkill
from farfalia_tournaments.results import Entrant, MatchResult, ordered

#: The sweeps end when no mu moves by more than this, or after so many.
_STILL: Final = 0.01
_SWEEPS: Final = 10


@dataclass(frozen=True, slots=True)
class SkillEstimate(Generic[Entrant]):
    """An entrant's strength on TrueSkill's scale, and where it lies with that confidence."""

    entrant: Entrant
    rating: Rating
    low: float
    high: float
    matches: int


def fit_whole_history(
    results: Iterable[MatchResult[Entrant]], model: TrueSkill | None = None, confidence: float = 0.95
) -> list[SkillEstimate[Entrant]]:
    """Return all rated entrants, strongest first, with the strengths that explain all results together.

    The model is the online rating's, but every result teaches about all others: it does not matter in which order
    they were played, or are given. Entrants that are never rated take part as opponents. Who lost its seat stands
    behind all who played to the end; on its side a newcomer stands in for it, so that a partner's strength is not
    touched. It costs a few milliseconds a match.
    """
    import trueskillthroughtime  # only whoever fits a ladder waits for it

    model = model or TrueSkill()
    played = sorted(map(_sides, results), key=repr)
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
        beta=model.beta,
        gamma=model.tau,
        p_draw=model.draw_probability,
    )
    history.convergence(epsilon=_STILL, iterations=_SWEEPS, verbose=False)
    curves = history.learning_curves()
    width = NormalDist().inv_cdf(0.5 + confidence / 2)
    fitted = []
    for entrant in ordered(rated):
        skill = curves[numbers[entrant]][-1][1]
        half = width * skill.sigma
        rating = Rating(float(skill.mu), float(skill.sigma))
        fitted.append(SkillEstimate(entrant, rating, rating.mu - half, rating.mu + half, matches[entrant]))
    return sorted(fitted, key=lambda one: -one.rating.mu)


_Member = tuple[Entrant, bool] | None
"""Who it is and whether it is rated; None for somebody of whom nothing is known."""


def _sides(result: MatchResult[Entrant]) -> list[tuple[int, list[_Member[Entrant]]]]:
    """Return place and members of each side, best first as the package needs them.

    Who lost its seat is a side of its own. All have as many members as they had.
    """
    placed: dict[int, list[_Member[Entrant]]] = {}
    places: dict[int, int] = {}
    lost: list[tuple[int, list[_Member[Entrant]]]] = []
    for entrant in ordered(result.entrants):
        seat = result.entrants.index(entrant)
        member, side = (entrant, result.rated[seat]), result.sides[seat]
        gone = seat in result.forfeits
        placed.setdefault(side, []).append(None if gone else member)
        if gone:
            lost.append((result.places[seat], [member, *[None] * (result.sides.count(side) - 1)]))
        else:
            places[side] = result.places[seat]
    return sorted([(places[side], placed[side]) for side in placed if side in places] + lost, key=lambda side: side[0])
