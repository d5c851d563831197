"""Ratings in memory, to which matches are applied in order."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import structlog

from farfalia_server.records.results import match_result
from farfalia_server.store import LadderRating, Match, RatingChange, Seat
from farfalia_server.store.ratings.values import for_new_version
from farfalia_tournaments import Rating, RatingSystem, TournamentError, rate

log = structlog.get_logger(__name__)


class LadderRatings:
    """Ratings of one system in memory, to which matches are applied in order."""

    def __init__(self, system: RatingSystem) -> None:
        self._system = system
        self._ratings: dict[tuple[str, int, str], LadderRating] = {}
        #: The last rated version of each bot.
        self._last: dict[tuple[str, int], str] = {}
        self._changed: set[tuple[str, int, str]] = set()

    def learn(self, ratings: Iterable[LadderRating]) -> None:
        """Adopt stored ratings."""
        for rating in sorted(ratings, key=lambda rating: rating.seq):
            self._put(rating)

    def changed(self) -> list[LadderRating]:
        """Return the ratings that matches have changed, as they are now."""
        return [self._ratings[key] for key in sorted(self._changed)]

    def apply(self, match: Match, seq: int) -> Iterator[RatingChange]:
        """Update the ratings of the players of a match; none if its result cannot be rated.

        `seq` is the match's position in the rating order.
        """
        ladder = match.ladder
        before = {seat.bot_id: self._rating(ladder, seat) for seat in match.seats}
        for bot_id, skill in self._rate(match, before).items():
            old = before[bot_id]
            new = replace(old, mu=skill.mu, sigma=skill.sigma, matches=old.matches + 1, seq=seq)
            self._put(new)
            self._changed.add((ladder, bot_id, new.version))
            yield RatingChange(ladder, match.id, bot_id, old.mu, old.sigma, new.mu, new.sigma, new.matches, new.version)

    def _rate(self, match: Match, before: Mapping[int, LadderRating]) -> dict[int, Rating]:
        skills = {bot_id: Rating(rating.mu, rating.sigma) for bot_id, rating in before.items()}
        try:
            return rate(skills, match_result(match, match.bot_ids), self._system)
        except TournamentError as error:
            log.error("match_not_rated", match=match.id, error=str(error))
            return {}

    def _rating(self, ladder: str, seat: Seat) -> LadderRating:
        """Return the rating of the version that played, or its initial rating."""
        known = self._ratings.get((ladder, seat.bot_id, seat.version))
        if known is not None:
            return known
        before = self._last.get((ladder, seat.bot_id))
        if before is not None:
            return for_new_version(self._ratings[ladder, seat.bot_id, before], seat.version)
        prior = self._system.prior
        return LadderRating(ladder, seat.bot_id, prior.mu, prior.sigma, 0, seat.version)

    def _put(self, rating: LadderRating) -> None:
        self._ratings[rating.ladder, rating.bot_id, rating.version] = rating
        self._last[rating.ladder, rating.bot_id] = rating.version
