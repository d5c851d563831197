"""Ratings after a list of results, whatever the system that works them out.

A rating is never corrected in place: results are kept for ever, and ratings follow from them, in order.
"""

import math
from collections.abc import Callable, Iterable, Mapping
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
    def exposed(self) -> float:
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

    def with_luck(self, beta: float) -> "RatingSystem":
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

    Nobody gains by a crash: those who played to the end are rated among themselves, and who lost his seat as one
    behind them who learns nothing good of himself by it.
    """
    old = {entrant: ratings.get(entrant, system.prior) for entrant in result.entrants}
    lost = {result.entrants[seat] for seat in result.forfeits}
    new = old | _update(old, result, lambda entrant: entrant not in lost, system)
    if lost:
        fallen = _update(old, result, lambda _: True, system)
        new |= {one: Rating(min(old[one].mu, fallen[one].mu), fallen[one].sigma) for one in lost}
    return {entrant: new[entrant] for entrant, counts in zip(result.entrants, result.rated, strict=True) if counts}


def rate_all(results: Iterable[MatchResult[Entrant]], system: RatingSystem) -> dict[Entrant, Rating]:
    """Return the ratings of all rated entrants after the results, taken in their order, everybody from the prior."""
    ratings: dict[Entrant, Rating] = {}
    for result in results:
        ratings.update(rate(ratings, result, system))
    return ratings


def _update(
    old: Mapping[Entrant, Rating],
    result: MatchResult[Entrant],
    counts: Callable[[Entrant], bool],
    system: RatingSystem,
) -> dict[Entrant, Rating]:
    """Return what those who count have learned from playing each other."""
    sides = [(place, side) for place, side in _best_first(result) if any(map(counts, side))]
    if len(sides) < 2:
        return dict(old)
    groups = system.update(
        [tuple(old[entrant] for entrant in side) for _, side in sides], [place for place, _ in sides]
    )
    return {
        entrant: rating
        for (_, side), group in zip(sides, groups, strict=True)
        for entrant, rating in zip(side, group, strict=True)
    }


def _best_first(result: MatchResult[Entrant]) -> list[tuple[int, list[Entrant]]]:
    """Return each side's place and members: by place, equal places by the names, never by the seats.

    Systems treat those who share a place a little differently by their order (in the third decimal).
    """
    members: dict[int, list[Entrant]] = {}
    places: dict[int, int] = {}
    for entrant in ordered(result.entrants):
        seat = result.entrants.index(entrant)
        members.setdefault(result.sides[seat], []).append(entrant)
        places[result.sides[seat]] = result.places[seat]
    return sorted(((places[side], members[side]) for side in members), key=lambda side: side[0])
