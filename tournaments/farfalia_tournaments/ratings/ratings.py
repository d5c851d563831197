"""Ratings after a list of results, by any rating system.

A rating is never corrected in place: results are kept permanently, and ratings follow from them, in order.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.ratings.settling import Company
from farfalia_tournaments.results import Entrant, MatchResult, ordered, rating_places, shown

#: By how many standard deviations a conservative rating lies below the mean.
_CONSERVATIVE_SIGMAS: Final = 3
#: How much of the performance noise of a match is left once the luck of its cards is taken out, as long as nothing has
#: been measured: in four fields of Chinkway it was 0.71 to 0.82 (`farfalia bench luck`).
LUCK_LEFT: Final = 0.75


def conservative_rating(mu: float, sigma: float) -> float:
    """Return mu - 3 sigma, by which ladders are sorted: the skill is almost surely above it."""
    return mu - _CONSERVATIVE_SIGMAS * sigma


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of an entrant's skill: mean mu and standard deviation sigma.

    Raises TournamentError unless both are finite and sigma is above 0.
    """

    mu: float
    sigma: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.mu) or not 0 < self.sigma < math.inf:
            raise TournamentError(f"rating {self.mu} ± {self.sigma}: expected finite numbers, the deviation above 0")

    @property
    def conservative(self) -> float:
        """The conservative rating, mu - 3 sigma."""
        return conservative_rating(self.mu, self.sigma)


#: The ratings of the members of each side, best side first.
Groups = list[tuple[Rating, ...]]


class RatingSystem(Protocol):
    """A model of skill and luck that learns from places."""

    @property
    def prior(self) -> Rating:
        """The rating of a newcomer."""

    @property
    def beta(self) -> float:
        """The performance noise of one match as it was played: a standard deviation on the scale of mu."""

    def with_beta(self, beta: float, *, ties: bool = True) -> "RatingSystem":
        """Return the same system with another performance noise; without `ties`, hardly ever two share a place."""

    def update(self, groups: Groups, places: list[int]) -> Groups:
        """Return the new ratings of the members of each side; the old ones if the arithmetic fails.

        `places` are those of the sides, 1 for the best.
        """


def match_beta(result: MatchResult[Entrant], system: RatingSystem, luck_left: float = LUCK_LEFT) -> float:
    """Return the performance noise of a match: `luck_left` of it is left where its luck is known."""
    return system.beta * luck_left if any(result.luck) else system.beta


def rate(
    ratings: Mapping[Entrant, Rating],
    result: MatchResult[Entrant],
    system: RatingSystem,
    beta: float | None = None,
    company: Company[Entrant] | None = None,
) -> dict[Entrant, Rating]:
    """Return the new ratings of the rated entrants about whom the match tells something, and of nobody else.

    Places alone count, not points: those of `rating_places`, without luck where it is known. `beta` is the performance
    noise of this match, by default what `match_beta` says. An entrant without a rating starts from the prior. An
    unrated entrant takes part with the rating it is given, or the prior, which the match does not change. Equal places
    depend neither on seats nor on the order of arguments. `company` says who learns from whom: for each entrant, sides
    with somebody from whom it does not learn are left out; without it, all learn from all.

    Nobody gains by a forfeit. Sides of which somebody played to the end are rated as they finished, among themselves; a
    partner who forfeited stands in there with its rating, unchanged. An entrant that forfeited is rated as if its side
    had come last among those, or behind everybody if nobody played to the end, and its mu never rises. Who was gone
    before it was asked anything is as good as not there: its partner has a newcomer beside it.
    """
    system = system.with_beta(match_beta(result, system) if beta is None else beta, ties=not any(result.luck))
    told = shown(result)
    old = {
        entrant: ratings.get(entrant, system.prior) if entrant in told else system.prior for entrant in result.entrants
    }
    forfeited = {entrant: result.sides[told[entrant]] for entrant in told if told[entrant] in result.forfeits}
    finished = _finished(result)
    new = old | _learned(old, finished, system, company)
    for entrant, side in forfeited.items():
        nobody = {
            number: (1, _members(result, number)) for number in ordered({result.sides[seat] for seat in told.values()})
        }
        others = [one for number, one in (finished or nobody).items() if number != side]
        behind = 1 + max((place for place, _ in others), default=0)
        fallen = _update(old, [*others, (behind, _members(result, side))], system).get(entrant, old[entrant])
        new[entrant] = Rating(min(old[entrant].mu, fallen.mu), fallen.sigma)
    return {entrant: new[entrant] for entrant, seat in told.items() if result.rated[seat]}


def rate_all(results: Iterable[MatchResult[Entrant]], system: RatingSystem) -> dict[Entrant, Rating]:
    """Return the ratings of all rated entrants after the results, in their order, everybody starting from the prior."""
    ratings: dict[Entrant, Rating] = {}
    for result in results:
        ratings.update(rate(ratings, result, system))
    return ratings


#: Place and members.
_Side = tuple[int, list[Entrant]]


def _learned(
    old: Mapping[Entrant, Rating],
    sides: Mapping[int, _Side[Entrant]],
    system: RatingSystem,
    company: Company[Entrant] | None,
) -> dict[Entrant, Rating]:
    """Return the new ratings of the members of these sides, best first, each by those sides from which it learns."""
    if company is None:
        return _update(old, list(sides.values()), system)
    after: dict[tuple[int, ...], dict[Entrant, Rating]] = {}
    new = {}
    for own, (_, members) in sides.items():
        for entrant in members:
            told = tuple(
                side for side in sides if side == own or all(company.learns(entrant, one) for one in sides[side][1])
            )
            if told not in after:
                after[told] = _update(old, [sides[side] for side in told], system)
            new[entrant] = after[told].get(entrant, old[entrant])
    return new


def _update(
    old: Mapping[Entrant, Rating], sides: Sequence[_Side[Entrant]], system: RatingSystem
) -> dict[Entrant, Rating]:
    """Return the new ratings of the members of these sides, best first, after playing each other."""
    if len(sides) < 2:
        return {}
    groups = system.update(
        [tuple(old[entrant] for entrant in members) for _, members in sides], [place for place, _ in sides]
    )
    return {
        entrant: rating
        for (_, members), group in zip(sides, groups, strict=True)
        for entrant, rating in zip(members, group, strict=True)
    }


def _finished(result: MatchResult[Entrant]) -> dict[int, _Side[Entrant]]:
    """Return the sides of which somebody played to the end: by place, equal places by the names, never by the seats.

    Systems treat sides that share a place a little differently by their order (in the third decimal).
    """
    seats = {entrant: seat for seat, entrant in enumerate(result.entrants)}
    by_seat = rating_places(result)
    places: dict[int, int] = {}
    members: defaultdict[int, list[Entrant]] = defaultdict(list)
    for entrant in ordered(seats):
        seat = seats[entrant]
        members[result.sides[seat]].append(entrant)
        if seat not in result.forfeits:
            places[result.sides[seat]] = by_seat[seat]
    return {side: (places[side], members[side]) for side in sorted(places, key=places.__getitem__)}


def _members(result: MatchResult[Entrant], side: int) -> list[Entrant]:
    return ordered(entrant for entrant, of in zip(result.entrants, result.sides, strict=True) if of == side)
