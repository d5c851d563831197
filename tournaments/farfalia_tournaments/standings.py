"""The standings of a tournament."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean
from typing import Generic

from farfalia_tournaments.ratings.ratings import Rating
from farfalia_tournaments.ratings.systems import TrueSkill
from farfalia_tournaments.ratings.unit_ratings import rate_units
from farfalia_tournaments.results import Entrant, MatchResult, booked, ordered
from farfalia_tournaments.statistics.student import mean_interval
from farfalia_tournaments.statistics.units import relative_score, units


@dataclass(frozen=True, slots=True)
class Standing(Generic[Entrant]):
    """A row of the standings.

    `relative` is the mean over all matches of the entrant's points less the mean of the table. `adjusted` is the same
    with the effect of the hands taken out, as `units` does it, and `interval` is its 95 % confidence interval: None
    before the second unit. Both are in points per match. `points` are those of all matches. For all three a forfeit has
    no points. `places` counts the matches in each place, first place first. The rating is None for an entrant that is
    never rated.
    """

    place: int
    entrant: Entrant
    matches: int
    points: int
    units: int
    relative: float
    adjusted: float
    interval: tuple[float, float] | None
    places: tuple[int, ...]
    strikes: int
    forfeits: int
    rating: Rating | None


def standings(
    results: Iterable[MatchResult[Entrant]],
    ratings: Mapping[Entrant, Rating] | None = None,
    baselines: Mapping[str, Sequence[int]] | None = None,
) -> list[Standing[Entrant]]:
    """Return all entrants of the results, best first by `adjusted`; equal ones share a place.

    Ratings are TrueSkill after these results alone, in their order, unless they are given; nothing else depends on
    the order. `baselines` are as `units` takes them.
    """
    played = list(results)
    adjusted = units(played, baselines)
    if ratings is None:
        ratings = rate_units(adjusted, TrueSkill())
    seats = max((len(result.entrants) for result in played), default=0)
    taken: defaultdict[Entrant, list[tuple[MatchResult[Entrant], int]]] = defaultdict(list)
    for result in played:
        for seat, entrant in enumerate(result.entrants):
            taken[entrant].append((result, seat))
    scores: defaultdict[Entrant, list[Fraction]] = defaultdict(list)
    for unit in adjusted:
        for entrant, score in unit.scores.items():
            scores[entrant].append(score)
    means = {entrant: mean(scores[entrant]) for entrant in ordered(taken)}
    return [
        _row(
            1 + sum(other > means[entrant] for other in means.values()),
            entrant,
            taken[entrant],
            scores[entrant],
            seats,
            ratings.get(entrant),
        )
        for entrant in sorted(means, key=lambda entrant: -means[entrant])
    ]


def _row(
    place: int,
    entrant: Entrant,
    taken: Sequence[tuple[MatchResult[Entrant], int]],
    scores: Sequence[Fraction],
    seats: int,
    rating: Rating | None,
) -> Standing[Entrant]:
    values = [float(score) for score in scores]
    places = Counter(result.places[seat] for result, seat in taken)
    return Standing(
        place=place,
        entrant=entrant,
        matches=len(taken),
        points=sum(booked(*one) for one in taken),
        units=len(scores),
        relative=float(mean([relative_score(*one) for one in taken])),
        adjusted=float(mean(scores)),
        interval=mean_interval(values) if len(values) > 1 else None,
        places=tuple(places[number] for number in range(1, seats + 1)),
        strikes=sum(result.strikes[seat] for result, seat in taken),
        forfeits=sum(seat in result.forfeits for result, seat in taken),
        rating=rating,
    )
