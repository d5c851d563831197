"""Ratings without a database: what a rater reads and writes, by the rules of the real ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from farfalia_server.store import LadderRating, Match, RatedMatch
from farfalia_server.store.ratings.ratings import UnratedMatches

_BASIS_KEY = "rating_basis"


class MemoryRatings:
    """The rating order and the ratings of a database that outlives its clients.

    `finished` returns all finished matches, in the order in which they finished; `check_fence` raises RoleLost if
    another node may rate by now; `commit` is called before anything changes. `meta` has what the ratings rest on.
    """

    def __init__(
        self,
        finished: Callable[[], Sequence[Match]],
        check_fence: Callable[[], object],
        commit: Callable[[], None],
        meta: dict[str, str],
    ) -> None:
        self._finished = finished
        self._check_fence = check_fence
        self._commit = commit
        self._meta = meta
        #: Every match that was rated, in the rating order.
        self.order: list[RatedMatch] = []
        self._ratings: dict[tuple[str, int, str], LadderRating] = {}

    @property
    def tables(self) -> tuple[list[Any] | dict[Any, Any], ...]:
        """All that changes but for `meta`."""
        return self.order, self._ratings

    def all(self) -> list[LadderRating]:
        """Return all ratings of all bots."""
        return [self._ratings[key] for key in sorted(self._ratings)]

    def unrated(self, limit: int) -> UnratedMatches:
        """Return the next matches to rate, in the order in which they finished; without their records."""
        rated = {one.match.id for one in self.order}
        matches = tuple(match for match in self._finished() if match.id not in rated)[:limit]
        names = {seat.bot_id: seat.name for match in matches for seat in match.seats}
        return UnratedMatches(len(self.order), self._basis(), matches, {match.id: None for match in matches}, names)

    def versions(self, ladder: str, bot_ids: Collection[int]) -> list[LadderRating]:
        """Return the ratings of all versions of these bots on a ladder."""
        return [rating for rating in self.all() if rating.ladder == ladder and rating.bot_id in bot_ids]

    def count(self, ladder: str) -> int:
        """Return how many matches of a ladder have been rated."""
        return len(self.matches(ladder, 0, len(self.order)))

    def matches(self, ladder: str, after: int, limit: int) -> list[Match]:
        """Return the rated matches of a ladder in order, without the first ones."""
        return [one.match for one in self.order if one.match.ladder == ladder][after : after + limit]

    def apply(
        self, unrated: UnratedMatches, rated: Sequence[RatedMatch], ratings: Sequence[LadderRating], system: str
    ) -> bool:
        """Keep a rated batch, unless somebody has rated since it was read, or a result has been lost."""
        self._check_fence()
        if (len(self.order), self._basis()) != (unrated.last_seq, unrated.basis):
            return False
        finished = {match.id: match.epoch for match in self._finished()}
        if any(finished.get(one.match.id) != one.match.epoch for one in rated):
            return False
        self._commit()
        self._meta.setdefault(_BASIS_KEY, f"{system} 0")
        self.order += rated
        self._ratings.update({(rating.ladder, rating.bot_id, rating.version): rating for rating in ratings})
        return True

    def _basis(self) -> str:
        return self._meta.get(_BASIS_KEY, "")
