"""What ratings expect: who is ahead of whom, and which of two versions is the stronger one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from farfalia_server.store import DEFAULT_SYSTEM, LadderRating, Store
from farfalia_tournaments import Rating, probability_before, rating_system


@dataclass(frozen=True, slots=True)
class Expecting:
    """The ratings of some bots, by ladder, bot and version, and the luck of a match in their units."""

    ratings: Mapping[tuple[str, int, str], LadderRating]
    newest: Mapping[tuple[str, int], LadderRating]
    beta: float

    @classmethod
    async def of(cls, store: Store, bots: Iterable[int]) -> Expecting:
        """Return what the present ratings of these bots expect."""
        every = [one for one in await store.ratings.of_bots(bots) if one.matches]
        newest: dict[tuple[str, int], LadderRating] = {}
        for one in sorted(every, key=lambda one: one.seq):
            newest[one.ladder, one.bot_id] = one
        system = rating_system(await store.ratings.system() or DEFAULT_SYSTEM)
        return cls({(one.ladder, one.bot_id, one.version): one for one in every}, newest, system.beta)

    def share(self, ladder: str, bot: int, version: str, other: int) -> float | None:
        """Return the share of matches in which a bot at a version is expected ahead of another bot; None unless both
        are rated on the ladder.
        """
        own = self.ratings.get((ladder, bot, version)) or self.newest.get((ladder, bot))
        return _before(own, self.newest.get((ladder, other)), self.beta)

    def stronger(self, ladder: str, bot: int, version: str, before: str) -> float | None:
        """Return the probability that a version of a bot is stronger than another one; None unless both are rated."""
        return _before(self.ratings.get((ladder, bot, version)), self.ratings.get((ladder, bot, before)), 0.0)


def _before(one: LadderRating | None, other: LadderRating | None, beta: float) -> float | None:
    if one is None or other is None:
        return None
    return probability_before(Rating(one.mu, one.sigma), Rating(other.mu, other.sigma), beta)
