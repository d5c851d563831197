"""The standings of a tournament."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic

from farfalia_tournaments.ratings.ratings import Rating
from farfalia_tournaments.ratings.systems import TrueSkill
from farfalia_tournaments.ratings.unit_ratings import rate_units
from farfalia_tournaments.results import Entrant, MatchResult, booked, ordered, shown
from farfalia_tournaments.statistics.strengths import StrengthFit, fit_strengths
from farfalia_tournaments.statistics.units import units

#: Digits after the point to which strengths are equal: what is left of rounding is less.
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Standing(Generic[Entrant]):
    """A row of the standings.

    `relative` is the mean over all matches of the entrant's points less the mean of the table. `adjusted` is its
    strength: what it would make more than the mean of the field, as far as the results show, without the effect of
    hands and of who sat at its tables. `interval` holds it with 95 %, and `ranks` are the best and the worst rank that
    it may have by strength: those of all entrants hold at once with 95 %. Entrants that share a letter of `brackets`
    cannot be told apart. Points, relative and adjusted are in points per match, but `points`, which are those of all
    matches; for all three a forfeit has no points. `places` counts the matches in each place, first place first.
    `missed` are those of the forfeits that nothing else counts, since they tell nothing about the entrant. The rating
    is None for an entrant that is never rated.
    """

    place: int
    entrant: Entrant
    matches: int
    points: int
    units: int
    relative: float
    adjusted: float
    interval: tuple[float, float]
    ranks: tuple[int, int]
    brackets: str
    places: tuple[int, ...]
    strikes: int
    forfeits: int
    missed: int
    rating: Rating | None


def standings(
    results: Iterable[MatchResult[Entrant]],
    ratings: Mapping[Entrant, Rating] | None = None,
    baselines: Mapping[str, Sequence[int]] | None = None,
    strengths: StrengthFit[Entrant] | None = None,
) -> list[Standing[Entrant]]:
    """Return all entrants of whom the results show something, best first by `adjusted`; equal ones share a place.

    Ratings are TrueSkill after these results alone, in their order, unless they are given; nothing else depends on
    the order. `baselines` are as `units` takes them. `strengths` are those of `fit_strengths` for these results.
    """
    played = list(results)
    observed = units(played, baselines)
    if ratings is None:
        ratings = rate_units(observed, TrueSkill())
    fit = strengths or fit_strengths(played, baselines)
    letters = fit.letters()
    seats = max((len(result.entrants) for result in played), default=0)
    taken: defaultdict[Entrant, list[tuple[MatchResult[Entrant], int]]] = defaultdict(list)
    for result in played:
        for entrant, seat in shown(result).items():
            taken[entrant].append((result, seat))
    missed = count_missed(played)
    counted = Counter(entrant for unit in observed for entrant in unit.shown)
    means = {entrant: round(fit.strength(entrant).mean, _DIGITS) for entrant in ordered(taken)}
    rows = []
    for entrant in sorted(means, key=lambda entrant: -means[entrant]):
        own = taken[entrant]
        places = Counter(result.places[seat] for result, seat in own)
        rows.append(
            Standing(
                place=1 + sum(other > means[entrant] for other in means.values()),
                entrant=entrant,
                matches=len(own),
                points=sum(booked(*one) for one in own),
                units=counted[entrant],
                relative=_mean_relative(own),
                adjusted=means[entrant],
                interval=fit.interval(entrant),
                ranks=fit.rank_interval(entrant),
                brackets=letters[entrant],
                places=tuple(places[number] for number in range(1, seats + 1)),
                strikes=sum(result.strikes[seat] for result, seat in own),
                forfeits=sum(seat in result.forfeits for result, seat in own) + missed[entrant],
                missed=missed[entrant],
                rating=ratings.get(entrant),
            )
        )
    return rows


def count_missed(results: Iterable[MatchResult[Entrant]]) -> Counter[Entrant]:
    """Return in how many of the results each entrant was gone before it was asked anything."""
    return Counter(result.entrants[seat] for result in results for seat in result.missed)


def _mean_relative(taken: Sequence[tuple[MatchResult[Entrant], int]]) -> float:
    """Return the mean of the relative scores of these seats, exact until it is rounded."""
    # By the number of seats at a table the sum of as many times the scores, which are whole numbers then.
    multiples: Counter[int] = Counter()
    for result, seat in taken:
        seats = len(result.points)
        multiples[seats] += booked(result, seat) * seats - sum(result.points)
    return float(sum(Fraction(multiple, seats) for seats, multiple in multiples.items()) / len(taken))
