"""Cached standings: computed again only when matches have ended, and not too often if that takes long."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import NamedTuple, Protocol

import structlog

from farfalia_server.arena.standings import RatingPrefix, StandingsSnapshot, make_standings
from farfalia_server.contract.errors import NotReady
from farfalia_server.contract.said import said
from farfalia_server.net.cpu_time import charged, in_thread
from farfalia_server.organising.entries import families_of
from farfalia_server.store import Entrant, MatchState, Store, Tournament
from farfalia_tournaments import RatingSystem

log = structlog.get_logger(__name__)

#: Tournaments whose standings are cached.
KEPT = 64
#: Standings that took longer than this many seconds are shown for `PATIENCE` times as long before they are computed
#: again, however many ask for them. Final standings are always exact.
LONG, PATIENCE = 0.1, 10


class StandingsSource(Protocol):
    """Where the standings of tournaments come from."""

    async def of(
        self, tournament: Tournament, counts: Mapping[MatchState, int], wait: float | None = None
    ) -> StandingsSnapshot:
        """Return the standings of a tournament with this many matches in each state; NotReady after `wait` seconds."""


class _Fingerprint(NamedTuple):
    """What standings depend on: finished matches, all matches, attempts that were void and so opened a board to those
    who had finished it, late entries and withdrawals, what was decided about matches, known baselines.
    """

    over: int
    matches: int
    voids: int
    entrants: frozenset[tuple[int, int | None]]
    acts: int
    baselines: int

    def lacks(self, now: _Fingerprint, *, over: bool) -> bool:
        """Return whether standings computed from this are wrong now: other entrants, void results, or last results
        missing.
        """
        return (self.entrants, self.acts) != (now.entrants, now.acts) or (over and self[:-1] != now[:-1])


@dataclass(slots=True)
class _CacheEntry:
    """The cached standings of a tournament."""

    seen: _Fingerprint | None = None
    good_until: float = 0.0
    long: bool = False  # it took long to make
    making: asyncio.Task[None] | None = None
    snapshot: StandingsSnapshot = field(default_factory=StandingsSnapshot)
    rated: RatingPrefix = field(default_factory=RatingPrefix)


class StandingsCache:
    """Standings by tournament, computed from the store in a thread, again only when matches have ended."""

    def __init__(self, store: Store, system: RatingSystem) -> None:
        self._store = store
        self._system = system
        self._kept: OrderedDict[int, _CacheEntry] = OrderedDict()

    async def of(
        self, tournament: Tournament, counts: Mapping[MatchState, int], wait: float | None = None
    ) -> StandingsSnapshot:
        """Return the standings of a tournament that has this many matches in each state.

        All callers share one computation. If it takes long and there are older standings, those are returned meanwhile;
        but entries and withdrawals always show, and so do the last results of a finished tournament. Raises NotReady
        if there are none after `wait` seconds.
        """
        kept = self._kept.setdefault(tournament.id, _CacheEntry())
        self._kept.move_to_end(tournament.id)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        seen = await self._seen(tournament, counts)
        for _ in range(2):  # a computation that was under way may have begun before the last result
            if kept.seen == seen:
                break
            needed = kept.seen is None or kept.seen.lacks(seen, over=tournament.state.over)
            if not needed and time.monotonic() < kept.good_until:
                break
            if kept.making is None:
                kept.making = asyncio.create_task(charged(self._make(kept, tournament)))
                kept.making.add_done_callback(_failed)
            if kept.long and not needed:
                break
            try:
                async with asyncio.timeout(wait):
                    await asyncio.shield(kept.making)
            except TimeoutError:
                raise NotReady(
                    said("the standings of tournament %(tournament)s are being computed", tournament=tournament.id)
                ) from None
        return kept.snapshot

    async def _seen(self, tournament: Tournament, counts: Mapping[MatchState, int]) -> _Fingerprint:
        entrants = await self._store.tournaments.entrants(tournament.id)
        acts = await self._store.acts.newest(tournament.id)
        known = await self._store.baselines.count(tournament.id)
        voids = (await self._store.void_attempts.counts([tournament.id]))[tournament.id]
        over = sum(count for state, count in counts.items() if state.over)
        return _seen(over, sum(counts.values()), voids, entrants, acts, known)

    async def _make(self, kept: _CacheEntry, tournament: Tournament) -> None:
        try:
            began = time.monotonic()
            acts = await self._store.acts.newest(tournament.id)
            if kept.seen is None or kept.seen.acts != acts:
                kept.rated = RatingPrefix()  # one of these matches may be void by now
            voids = (await self._store.void_attempts.counts([tournament.id]))[tournament.id]
            baselines = await self._store.baselines.of(tournament.id)
            planned = await self._store.matches.of_tournament(tournament.id)
            matches = [match for match in planned if match.replaced_by is None]
            entrants = await self._store.tournaments.entrants(tournament.id)
            bots = await self._store.bots.by_ids(chain.from_iterable(entrant.held_by for entrant in entrants))
            house = {entrant.name for entrant in entrants if bots[entrant.bot_id].house}
            families = families_of(entrants, bots)
            known = await self._store.ladder_knowledge.of(tournament.id)
            former = {one.bot_id: bots[one.bot_id].name for entrant in entrants for one in entrant.former}
            make = partial(make_standings, self._system, kept.rated)
            kept.rated, kept.snapshot = await asyncio.to_thread(
                in_thread(make), tournament, matches, entrants, house, families, known, baselines, former
            )
            over = sum(match.state.over for match in matches)
            kept.seen = _seen(over, len(matches), voids, entrants, acts, len(baselines))
            took = time.monotonic() - began
            kept.long = took > LONG
            kept.good_until = began + took * (1 + PATIENCE) if kept.long else 0.0
        finally:
            kept.making = None


def _failed(making: asyncio.Task[None]) -> None:
    """Log that standings could not be computed, whether or not anybody still waits for them."""
    if not making.cancelled() and (error := making.exception()) is not None:
        log.warning("standings_failed", error=str(error))


def _seen(over: int, matches: int, voids: int, entrants: Sequence[Entrant], acts: int, known: int) -> _Fingerprint:
    who = frozenset((entrant.bot_id, entrant.gone) for entrant in entrants)
    return _Fingerprint(over, matches, voids, who, acts, known)
