"""The table of a tournament."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from farfalia_tournaments.ratings import Rating, rate_all
from farfalia_tournaments.results import Entrant, MatchResult, ordered
from farfalia_tournaments.student import mean_interval


@dataclass(frozen=True, slots=True)
class Standing(Generic[Entrant]):
    """A row of the table.

    `relative` is the mean over all matches of the entrant's points less the mean of the table, and `interval` where
    it lies with 95 % confidence: None before the second match. A lost seat counts, for this, as having the
    lowest points of the table, since a house bot made the points of the seat. The rating is None for an entrant that
    is never rated.
    """

    place: int
    entrant: Entrant
    matches: int
    points: int
    relative: float
    interval: tuple[float, float] | None
    places: tuple[int, ...]
    strikes: int
    forfeits: int
    rating: Rating | None


def standings(
    results: Iterable[MatchResult[Entrant]], ratings: Mapping[Entrant, Rating] | None = None
) -> list[Standing[Entrant]]:
    """Return all entrants of the results, best first by `relative`; equal ones share a place.

    Ratings are those after these results alone, in their order, unless they are given. Only they depend on the order.
    """
    played = list(results)
    if ratings is None:
        ratings = rate_all(played)
    seats = max((len(result.entrants) for result in played), default=0)
    taken: defaultdict[Entrant, list[tuple[MatchResult[Entrant], int]]] = defaultdict(list)
    for result in played:
        for seat, entrant in enumerate(result.entrants):
            taken[entrant].append((result, seat))
    scores = {entrant: [_relative(*one) for one in taken[entrant]] for entrant in ordered(taken)}
    means = {entrant: sum(score) / len(score) for entrant, score in scores.items()}
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


def _relative(result: MatchResult[Entrant], seat: int) -> Fraction:
    """Return the points of a seat less the mean of the table, exactly, so that equal entrants are found equal."""
    points = min(result.points) if seat in result.forfeits else result.points[seat]
    return points - Fraction(sum(result.points), len(result.points))


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
        points=sum(result.points[seat] for result, seat in taken),
        relative=float(sum(scores) / len(scores)),
        interval=mean_interval(values) if len(values) > 1 else None,
        places=tuple(places[number] for number in range(1, seats + 1)),
        strikes=sum(result.strikes[seat] for result, seat in taken),
        forfeits=sum(seat in result.forfeits for result, seat in taken),
        rating=rating,
    )
