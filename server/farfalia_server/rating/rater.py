"""Applies finished matches to the ladders, one after another, in an order that is stored.

Results never change, and ratings follow from them: the rating order is stored with the matches, so all ratings can be
rebuilt at any time with the same outcome. In a cluster one node has the role of the rater. One that rated for longer
than it had the role writes nothing: its writes carry the token of the role, which SQL checks.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import ExitStack, aclosing
from time import monotonic
from typing import Self

import structlog

from farfalia_server.net.tracing import span
from farfalia_server.rating.ladder_habits import LadderHabits, LadderNoises
from farfalia_server.rating.ladder_ratings import LadderRatings
from farfalia_server.rating.rebuilding import rebuild
from farfalia_server.rating.renaming import rewrite_records
from farfalia_server.records.house_names import is_house
from farfalia_server.store import DEFAULT_SYSTEM, Change, Match, MatchState, RatedMatch, Store, Topic
from farfalia_server.store.change_service import ChangeService
from farfalia_server.store.ratings.chain import digest_of
from farfalia_server.store.ratings.ratings import system_of
from farfalia_tournaments import rating_system

log = structlog.get_logger(__name__)

#: Matches per transaction.
_BATCH = 100
#: Seconds that finished matches wait for others to share a transaction, and at most between two looks.
_GATHER_SECONDS, _LOOK_SECONDS = 0.25, 5.0


class Rater(ChangeService):
    """The service that rates what finishes; `rated` is called after each commit. `async with` starts and stops it.

    House bots that were entered are rated like any other bot; fillers are not
    rated, but count as opponents. Ratings of two systems are never mixed: as long as the stored ones are of another
    system, nothing is rated.
    """

    topics = (Topic.MATCH, Topic.TOURNAMENT, Topic.BOT)

    def __init__(
        self, store: Store, rated: Callable[[RatedMatch], None] = lambda _: None, system: str = DEFAULT_SYSTEM
    ) -> None:
        super().__init__(store.changes, "rater", every=_LOOK_SECONDS, gather=_GATHER_SECONDS)
        self._store = store
        self._system = system
        self._refused = ""
        self._rated = rated
        self._noises = LadderNoises(store)
        #: Void and struck matches that the ratings are known to leave out, or without which they could not be rebuilt.
        self._left_out: list[int] = []
        #: When to look next for what was rated and is void, struck or renamed by now, by the clock of `monotonic`.
        self._correct_at = 0.0

    async def __aenter__(self) -> Self:
        self._correct_at = 0.0
        return await super().__aenter__()

    async def rate_all(self) -> None:
        """Rate every finished match that is not rated yet."""
        while await self._rate_some():
            pass

    def _changed(self, change: Change) -> None:
        if change.topic is Topic.BOT or change.state is MatchState.CANCELLED:
            self._correct_at = 0.0
            self.wake()
        elif change.state is MatchState.FINISHED:
            self.wake()

    def _until_next_tick(self) -> float:
        return max(0.0, self._correct_at - monotonic())

    async def _tick(self) -> None:
        await self.rate_all()
        if monotonic() < self._correct_at:
            return  # matches that have just ended change nothing in what was rated before
        self._correct_at = monotonic() + _LOOK_SECONDS
        try:
            await self._correct()
            await self._rename()
        except BaseException:
            self._correct_at = 0.0
            raise

    async def _correct(self) -> None:
        """Rebuild the ratings if matches that count in them have become void, or were struck from their ladder."""
        void = await self._store.ratings.uncounted()
        if void == self._left_out:
            return
        if not await self._store.ratings.counting(void):
            self._left_out = void
            return
        replaced = await self._rebuild()
        self._left_out = void
        log.info("void_matches_unrated", matches=void, replaced=replaced)

    async def _rename(self) -> None:
        """Write records anew in which bots have old names, and rebuild the chains, which have their digests."""
        if renamed := await rewrite_records(self._store):
            await self._rebuild()
            await self._store.renaming.done(renamed)
            log.info("records_renamed", bots=renamed)

    async def _rebuild(self) -> bool:
        """Rebuild the ratings and the chains; return whether that changed them."""
        replaced = False
        async with aclosing(rebuild(self._store, replace=True, system=self._system)) as steps:
            async for step in steps:
                replaced = step.replaced
        return replaced

    async def _rate_some(self) -> bool:
        """Rate a batch; return whether there may be more."""
        unrated = await self._store.ratings.unrated(_BATCH)
        if self._is_of_another(unrated.basis) or not unrated.matches:
            return False
        with ExitStack() as spans:
            for match in unrated.matches:
                spans.enter_context(span("rate", match.id))
            ladders, habits = await self._ladders(unrated.matches, unrated.basis), LadderHabits(self._store)
            house = {bot for bot, name in unrated.names.items() if is_house(name)}
            rated = []
            for seq, match in enumerate(unrated.matches, start=unrated.last_seq + 1):
                digest = digest_of(match.id, unrated.records[match.id])
                done = ladders.apply(match, seq, house, as_played=await habits.as_played(match.ladder))
                rated.append(RatedMatch(match, seq, done.changes, digest, done.beta))
                await asyncio.sleep(0)  # a match costs milliseconds, and tables wait for their turn
            stored = await self._store.ratings.apply(unrated, rated, ladders.changed(), self._system)
        if stored:
            for one in rated:
                self._rated(one)
        return not stored or len(rated) == _BATCH

    def _is_of_another(self, basis: str) -> bool:
        """Return whether the stored ratings are of another system; log it once."""
        kept = system_of(basis)
        other = kept if kept != self._system else ""
        if other and other != self._refused:
            log.error(
                "rating_system_differs",
                kept=kept,
                rating_system=self._system,
            )
        self._refused = other
        return bool(other)

    async def _ladders(self, matches: Iterable[Match], basis: str) -> LadderRatings:
        bots: dict[str, set[int]] = {}
        for match in matches:
            bots.setdefault(match.ladder, set()).update(match.bot_ids)
        noises = {ladder: await self._noises.of(ladder, basis) for ladder in bots}
        ladders = LadderRatings(rating_system(self._system), noises)
        for ladder, bot_ids in bots.items():
            ladders.learn(await self._store.ratings.versions(ladder, bot_ids))
        return ladders
