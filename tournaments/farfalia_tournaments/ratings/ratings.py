"""Ratings after a list of results, whatever the system that works them out.

A rating is never corrected in place: results are kept for ever, and ratings follow from them, in order.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.results import Entrant, MatchResult, ordered


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of an entrant's skill: the mean mu and the deviation sigma."""

    mu: float
    sigma: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.mu) or not 0 < self.sigma < math.inf:
            raise TournamentError(f"rating {self.mu} ± {self.sigma}: expected finite numbers, the deviation above 0")

    @property
    def conservative(self) -> float:
        """What the entrant is worth almost certainly, mu - 3 sigma: a ladder's order."""
        return self.mu - 3 * self.sigma

    def renewed(self, prior: "Rating") -> "Rating":
        """The rating with which a new version of the entrant starts: what it was, and a newcomer's uncertainty."""
        return Rating(self.mu, prior.sigma)


Groups = list[tuple[Rating, ...]]


class RatingSystem(Protocol):
    """A model of the game that learns from places."""

    @property
    def prior(self) -> Rating:
        """The rating of a newcomer."""

    @property
    def beta(self) -> float:
        """Luck of one match, as a deviation on the scale of mu."""

    def with_beta(self, beta: float) -> "RatingSystem":
        """The same system for results in which there is so much luck."""

    def update(self, groups: Groups, places: list[int]) -> Groups:
        """Return the new ratings of the members of each side, best side first; the old ones if it cannot say."""


def rate(
    ratings: Mapping[Entrant, Rating], result: MatchResult[Entrant], system: RatingSystem
) -> dict[Entrant, Rating]:
    """Return the new ratings of the match's rated entrants, and of nobody else.

    Places alone count, not points. Who has no rating yet starts from the prior. An unrated entrant takes part with
    the rating it is given, or the prior, and that is not changed by it: beating a house bot is worth what the house
    bot is believed to be worth. Equal places depend neither on seats nor on the order of arguments.

    Nobody gains by a crash. Sides of which somebody played to the end are rated as they finished, among themselves; a
    partner who was lost stands in there with the rating it had, and is not changed by it. Who lost its seat is rated
    as if its side had come last among those, or behind everybody if nobody played to the end, and never rises.
    """
    old = {entrant: ratings.get(entrant, system.prior) for entrant in result.entrants}
    lost = {result.entrants[seat]: result.sides[seat] for seat in result.forfeits}
    finished = _finished(result)
    new = old | _update(old, list(finished.values()), system)
    for entrant, side in lost.items():
        nobody = {number: (1, _members(result, number)) for number in ordered(set(result.sides))}
        others = [one for number, one in (finished or nobody).items() if number != side]
        behind = 1 + max((place for place, _ in others), default=0)
        fallen = _update(old, [*others, (behind, _members(result, side))], system).get(entrant, old[entrant])
        new[entrant] = Rating(min(old[entrant].mu, fallen.mu), fallen.sigma)
    return {entrant: new[entrant] for entrant, counts in zip(result.entrants, result.rated, strict=True) if counts}


def rate_all(results: Iterable[MatchResult[Entrant]], system: RatingSystem) -> dict[Entrant, Rating]:
    """Return the ratings of all rated entrants after the results, taken in their order, everybody from the prior."""
    ratings: dict[Entrant, Rating] = {}
    for result in results:
        ratings.update(rate(ratings, result, system))
    return ratings


_Side = tuple[int, list[Entrant]]
"""Place and members."""


def _update(
    old: Mapping[Entrant, Rating], sides: Sequence[_Side[Entrant]], system: RatingSystem
) -> dict[Entrant, Rating]:
    """Return what the members of these sides, best first, have learned from playing each other."""
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

    Systems treat those who share a place a little differently by their order (in the third decimal).
    """
    places: dict[int, int] = {}
    for entrant in ordered(result.entrants):
        seat = result.entrants.index(entrant)
        if seat not in result.forfeits:
            places[result.sides[seat]] = result.places[seat]
    first = sorted(places, key=lambda side: places[side])
    return {side: (places[side], _members(result, side)) for side in first}


def _members(result: MatchResult[Entrant], side: int) -> list[Entrant]:
    return ordered(entrant for entrant, of in zip(result.entrants, result.sides, strict=True) if of == side)
