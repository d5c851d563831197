"""Pauses tournaments whose bots are gone together, and lets them go on when they are back.

Many bots lost together are the network's fault, not theirs. A bot is lost if its stream ends, or if nothing is heard
of it where something is due: a switch that fails ends no stream. Who is there is known from the start of the watch
only: bots that were gone before count as absent, as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Set
from datetime import timedelta
from time import monotonic

import structlog

from farfalia_server.contract.errors import FailedPrecondition, FarfaliaServerError
from farfalia_server.net import wall_clock
from farfalia_server.net.service import PeriodicService
from farfalia_server.organising.stage_messages import following_stages
from farfalia_server.store import NetworkRule, PauseCause, Store, VoidReason, WatchedTournament
from farfalia_server.store.tournaments.pauses import FEWEST_LOST, UNNOTICED

log = structlog.get_logger(__name__)

#: Seconds from one look at who is reachable to the next.
_LOOK_SECONDS = 0.5


class NetworkWatch(PeriodicService):
    """The service that looks at which bots are `reachable` and pauses tournaments; `now` is a monotonic clock."""

    unavailable = (FarfaliaServerError,)

    def __init__(self, store: Store, reachable: Callable[[], Set[int]], now: Callable[[], float] = monotonic) -> None:
        super().__init__("network watch", every=_LOOK_SECONDS)
        self._store = store
        self._reachable = reachable
        self._now = now
        #: When each bot was seen last.
        self._seen: dict[int, float] = {}
        #: Since when enough bots are back, by paused tournament.
        self._back_since: dict[int, float] = {}
        #: Since when a tournament has no match to play, by tournament.
        self._idle_since: dict[int, float] = {}
        #: From when on bots that were last seen count as lost, by tournament.
        self._since: dict[int, float] = {}
        #: By tournament that was paused: who was gone by then does not count again.
        self._forgiven: dict[int, float] = {}
        self._paused: set[int] = set()

    async def look(self) -> None:
        """Pause and resume what is due."""
        # A host that is lost is the arena's, and no fault of a network of theirs.
        now, present = self._now(), {*self._reachable(), *await self._store.hosting.lately()}
        self._seen.update(dict.fromkeys(present, now))
        watched = await self._store.pauses.watched()
        paused = {one.id for one in watched if one.paused}
        for number in self._paused - paused:
            self._forgiven[number] = now
        self._paused = paused
        self._back_since = {number: since for number, since in self._back_since.items() if number in paused}
        running = {one.id for one in watched}
        self._forgiven = {number: at for number, at in self._forgiven.items() if number in running}
        self._open_windows(watched, now)
        first = min(self._since.values(), default=now)
        self._seen = {bot: at for bot, at in self._seen.items() if at >= first}
        for one in watched:
            if one.paused:
                await self._wait(one, present, now)
            elif one.rule.percent and len(self._lost(one, now)) >= FEWEST_LOST:
                await self._judge(one, present, now)

    async def _tick(self) -> None:
        await self.look()

    def _open_windows(self, watched: Collection[WatchedTournament], now: float) -> None:
        """Note from when on bots count as lost; while a tournament has no match to play, this stands still.

        Nobody is missed while a round is drawn; bots that are lost meanwhile are missed as soon as the round is drawn.
        """
        idle = self._idle_since
        self._since = {one.id: idle.get(one.id, now) - one.rule.seconds for one in watched}
        self._idle_since = {one.id: idle.get(one.id, now) for one in watched if not one.open}

    def _lost(self, one: WatchedTournament, now: float) -> set[int]:
        """Return the bots that were lost within the time that the rule of a tournament gives."""
        since = max(self._since[one.id], self._forgiven.get(one.id, self._since[one.id]))
        return {bot for bot, at in self._seen.items() if since <= at < now}

    async def _judge(self, one: WatchedTournament, present: set[int], now: float) -> None:
        lost = self._lost(one, now)
        moment = wall_clock.now() - timedelta(seconds=now - min(self._seen[bot] for bot in lost)) - UNNOTICED
        # What a bot lost that was gone long before, it has not lost by this outage.
        known = set(self._seen)
        # House bots end a match quickly once its bots are gone: perhaps the last one is over already.
        awaited = await self._store.pauses.awaited(one.id) | await self._store.pauses.hurt_since(one.id, moment, known)
        gone, there = lost & awaited, present & awaited
        if len(gone) < FEWEST_LOST or not one.rule.is_share(len(gone), len(gone | there)):
            return
        text = f"{len(gone)} of {len(gone | there)} bots were lost within {one.rule.seconds} s"
        if not await self._store.pauses.pause(one.id, PauseCause.NETWORK, text, gone=gone):
            return
        self._paused.add(one.id)
        log.warning("tournament_paused", tournament=one.id, gone=len(gone), bots=len(gone | there))
        spoiled = await self._store.pauses.spoiled_since(one.id, moment, known)
        if spoiled:
            follow = following_stages(one.stages)
            try:
                await self._store.voiding.void(
                    one.id,
                    spoiled,
                    reason=VoidReason.NETWORK,
                    text=text,
                    replay=True,
                    follow=follow,
                    drawn_since=moment,
                )
            except FailedPrecondition as error:
                log.warning("spoiled_matches_count", tournament=one.id, matches=spoiled, error=str(error))

    async def _wait(self, one: WatchedTournament, present: set[int], now: float) -> None:
        """Resume a tournament whose bots are back, and note those that are lost meanwhile."""
        awaited = await self._store.pauses.awaited(one.id)
        if more := (self._lost(one, now) & awaited) - one.gone:
            await self._store.pauses.more_gone(one.id, more)
        missing, there = ((one.gone | more) & awaited) - present, present & awaited
        if not is_back(one.rule, len(missing), len(missing | there)):
            self._back_since.pop(one.id, None)
        elif now - self._back_since.setdefault(one.id, now) >= one.rule.settling and await self._store.pauses.resume(
            one.id, reason="the bots are back", network=True
        ):
            self._paused.discard(one.id)
            # Those that have been lost since the others are back may be the first of the next outage.
            self._forgiven[one.id] = now - one.rule.settling
            log.info("tournament_resumed", tournament=one.id)


def is_back(rule: NetworkRule, missing: int, of: int) -> bool:
    """Return whether less than half of the share that pauses a tournament is missing."""
    return not missing or not rule.is_share(2 * missing, of)
