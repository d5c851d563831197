"""Ratings in memory, to which matches are applied in order."""

from collections.abc import Iterable, Iterator

import structlog

from farfalia_server.results import match_result
from farfalia_server.store import Match, Rating, RatingChange
from farfalia_tournaments import Rating as Skill
from farfalia_tournaments import TournamentError, TrueSkill, rate

log = structlog.get_logger(__name__)

_SYSTEM = TrueSkill()


class LadderRatings:
    """Ratings in memory, to which matches are applied in order."""

    def __init__(self) -> None:
        self._ratings: dict[tuple[str, int], Rating] = {}
        self._changed: set[tuple[str, int]] = set()

    def learn(self, ratings: Iterable[Rating]) -> None:
        """Takes ratings over as they are."""
        self._ratings.update(((rating.ladder, rating.bot_id), rating) for rating in ratings)

    def changed(self) -> list[Rating]:
        """The ratings that matches have changed, as they are now."""
        return [self._ratings[key] for key in sorted(self._changed)]

    def apply(self, match: Match) -> Iterator[RatingChange]:
        """Changes the ratings of those who sat in a match; nobody's if its result cannot be rated."""
        ladder = match.ruleset
        for bot_id, skill in self._rate(match).items():
            before = self._rating(ladder, bot_id)
            after = Rating(ladder, bot_id, skill.mu, skill.sigma, before.matches + 1)
            self._ratings[ladder, bot_id] = after
            self._changed.add((ladder, bot_id))
            yield RatingChange(ladder, match.id, bot_id, before.mu, before.sigma, after.mu, after.sigma, after.matches)

    def _rate(self, match: Match) -> dict[int, Skill]:
        skills = {bot_id: _skill(self._rating(match.ruleset, bot_id)) for bot_id in match.bot_ids}
        try:
            result = match_result(match, match.bot_ids)
            return rate(skills, result, _SYSTEM)
        except TournamentError as error:
            log.error("match cannot be rated", match=match.id, why=str(error))
            return {}

    def _rating(self, ladder: str, bot_id: int) -> Rating:
        prior = _SYSTEM.prior
        newcomer = Rating(ladder, bot_id, prior.mu, prior.sigma, 0)
        return self._ratings.get((ladder, bot_id), newcomer)


def _skill(rating: Rating) -> Skill:
    return Skill(rating.mu, rating.sigma)
