"""Ratings in memory, to which matches are applied in order."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import structlog

from farfalia_server.records.results import match_result
from farfalia_server.store import LadderRating, Match, RatingChange, Seat
from farfalia_server.store.ratings.values import for_new_version
from farfalia_tournaments import (
    MATCH_PARTS,
    Company,
    MatchNoise,
    Rating,
    RatingSystem,
    TournamentError,
    match_beta,
    rate,
    shown,
)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class AppliedMatch:
    """What a match did to ratings: nothing if its result cannot be rated.

    `beta` is its performance noise if it was rated by points less luck, None if it was rated as it was played.
    """

    changes: tuple[RatingChange, ...] = ()
    beta: float | None = None


class LadderRatings:
    """Ratings of one system in memory, to which matches are applied in order.

    `noises` say by ladder how noisy its next match is; of one that is not there, no match has been rated.
    """

    def __init__(self, system: RatingSystem, noises: dict[str, MatchNoise[int]] | None = None) -> None:
        self._system = system
        self._noises = {} if noises is None else noises
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

    def apply(self, match: Match, seq: int, house: Collection[int] = (), *, as_played: bool = False) -> AppliedMatch:
        """Update the ratings of the players of a match by its points less luck, or as it was played.

        `seq` is the match's position in the rating order, and `house` has the numbers of its house bots.
        """
        noise = self._noises.setdefault(match.ladder, MatchNoise())
        versions = {seat.bot_id: seat.version for seat in match.seats}
        try:
            result = match_result(match, match.bot_ids)
        except TournamentError as error:
            log.error("match_not_rated", match=match.id, error=str(error))
            noise.add(None, versions)
            return AppliedMatch()
        counted = replace(result, luck=()) if as_played else result
        beta = match_beta(counted, self._system, noise.luck_left)
        noise.add(counted, versions)
        before = {seat.bot_id: self._rating(match.ladder, seat) for seat in match.seats}
        skills = {bot_id: Rating(rating.mu, rating.sigma) for bot_id, rating in before.items()}
        there = {bot_id for bot_id, seat in shown(result).items() if result.rated[seat]}
        parts = {bot_id: rating.counted for bot_id, rating in before.items() if bot_id in there or bot_id in house}
        company = Company(parts, house, noise.count)
        changes = [
            self._change(match, before[bot_id], skill, seq, MATCH_PARTS - company.parts(bot_id))
            for bot_id, skill in rate(skills, counted, self._system, beta, company).items()
        ]
        return AppliedMatch(tuple(changes), beta if any(counted.luck) else None)

    def _change(self, match: Match, old: LadderRating, skill: Rating, seq: int, uncounted: int) -> RatingChange:
        new = replace(
            old,
            mu=skill.mu,
            sigma=skill.sigma,
            matches=old.matches + 1,
            seq=seq,
            uncounted=old.uncounted + uncounted,
        )
        self._put(new)
        self._changed.add((new.ladder, new.bot_id, new.version))
        return RatingChange(
            new.ladder, match.id, new.bot_id, old.mu, old.sigma, new.mu, new.sigma, new.matches, new.version
        )

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
