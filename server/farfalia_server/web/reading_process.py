"""Reading for others in a worker process: it has the database open for itself, so players do not wait for readers."""

from __future__ import annotations

import asyncio
import gc
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any

from starlette.applications import Starlette

from farfalia.v1 import ladders_pb2
from farfalia_server.arena import NodeStatus, Presence, Reader
from farfalia_server.arena.standings import StandingsSnapshot
from farfalia_server.arena.standings_cache import KEPT, StandingsCache, StandingsSource
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.cpu_time import CpuMeter, metered
from farfalia_server.net.redis_connection import connect
from farfalia_server.net.worker_process import Answers, WorkerProcess, ask
from farfalia_server.store import MatchState, Store, Tournament
from farfalia_server.web import Page, PageRequest, create_web, fetch
from farfalia_server.web.live_feed import LiveFeed, LiveNews
from farfalia_server.web.record_downloads import Download, RecordLines, record_lines
from farfalia_server.web.tournament_feed import TournamentFeed, TournamentNews
from farfalia_tournaments import rating_system

#: Standings of as many finished matches as this are computed where they are asked for: that takes some ten
#: milliseconds, and a process has to be started first.
SMALL = 50
#: Seconds for which a worker process remembers who is connected.
_PRESENCE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Site:
    """The server that a worker process reads for."""

    database_url: str
    server_name: str
    server_version: str
    rating_system: str
    redis_url: str = ""


# In the server's process -----------------------------------------------------------------------------------------


def answers(presence: Presence, addresses: Callable[[], Awaitable[Addresses]]) -> Answers:
    """Return what answers a worker process that asks who is connected, and where they connect."""
    known: Mapping[str, Callable[..., Any]] = {
        "addresses": addresses,
        "connected": presence.connected,
        "reachable": presence.reachable,
        "waiting": presence.waiting,
        "nodes": presence.nodes,
    }

    async def answer(what: str, *arguments: object) -> Any:
        return await known[what](*arguments)

    return answer


class RemoteStandings:
    """The standings of tournaments, those of many matches from a worker process."""

    def __init__(self, worker: WorkerProcess, site: Site, here: StandingsSource) -> None:
        self._worker = worker
        self._site = site
        self._here = here
        self._kept: OrderedDict[int, StandingsSnapshot] = OrderedDict()

    async def of(
        self, tournament: Tournament, counts: Mapping[MatchState, int], wait: float | None = None
    ) -> StandingsSnapshot:
        """Return the standings of a tournament with as many matches in each state; NotReady after `wait` seconds."""
        if sum(count for state, count in counts.items() if state.over) <= SMALL:
            return await self._here.of(tournament, counts, wait)
        kept = self._kept.get(tournament.id, StandingsSnapshot())
        snapshot = await self._worker.run(standings_of, self._site, tournament.id, kept.stamp, wait)
        if snapshot is None:
            return kept
        self._kept[tournament.id] = snapshot
        self._kept.move_to_end(tournament.id)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return snapshot


class RemoteLiveFeed:
    """The events of matches for spectators, read in a worker process."""

    def __init__(self, worker: WorkerProcess, site: Site) -> None:
        self._worker = worker
        self._site = site

    async def __call__(self, match: int, attempt: int, known: int, behind: int) -> LiveNews:
        """Return what is new of a match, as soon as there is something; see `LiveFeed.news`."""
        return await self._worker.run(news_of, self._site, match, attempt, known, behind)


class RemoteTournamentFeed:
    """The events of tournaments for viewers, read in a worker process."""

    def __init__(self, worker: WorkerProcess, site: Site) -> None:
        self._worker = worker
        self._site = site

    async def __call__(self, number: int, known: int) -> TournamentNews:
        """Return what is new of a tournament, as soon as there is something; see `TournamentFeed.news`."""
        return await self._worker.run(tournament_news_of, self._site, number, known)


class RemoteRecords:
    """The records of tournaments and ladders, and chains, read in a worker process."""

    def __init__(self, worker: WorkerProcess, site: Site) -> None:
        self._worker = worker
        self._site = site

    async def __call__(self, wanted: Download) -> RecordLines:
        """Return a few lines of a download; see `record_lines`."""
        return await self._worker.run(record_lines_of, self._site, wanted)


class RemotePages:
    """The pages and their JSON, made in a worker process."""

    def __init__(self, worker: WorkerProcess, site: Site) -> None:
        self._worker = worker
        self._site = site

    async def __call__(self, request: PageRequest) -> Page:
        """Return what is at that address."""
        return await self._worker.run(page_of, self._site, request)


# In the worker process -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _ReadingProcess:
    store: Store
    standings: StandingsCache
    web: Starlette
    reader: Reader
    tournaments: TournamentFeed


class _RemotePresence:
    """Who is connected, as the server's process says."""

    def __init__(self) -> None:
        self._connected: Collection[str] = ()
        self._good_until = 0.0

    async def connected(self) -> Collection[str]:
        """Return names of the bots that are connected; a second old at most."""
        if time.monotonic() >= self._good_until:
            self._connected = await ask("connected")
            self._good_until = time.monotonic() + _PRESENCE_SECONDS
        return self._connected

    async def reachable(self) -> Collection[str]:
        """Return names of those that are heard of as well."""
        found: Collection[str] = await ask("reachable")
        return found

    async def waiting(self, bot: int) -> Sequence[ladders_pb2.LadderWait]:
        """Return why a bot has no table."""
        found: Sequence[ladders_pb2.LadderWait] = await ask("waiting", bot)
        return found

    async def nodes(self) -> Sequence[NodeStatus]:
        """Return all nodes that are alive."""
        found: Sequence[NodeStatus] = await ask("nodes")
        return found

    async def dismiss(self, bot: str) -> None:
        """Raise NotImplementedError: streams are not in this process."""
        raise NotImplementedError  # nothing that only reads ends a stream


_opened: dict[Site, _ReadingProcess] = {}
_opening = asyncio.Lock()
_feeds: dict[Site, LiveFeed] = {}
#: They end with the process.
_connections = AsyncExitStack()


async def standings_of(site: Site, tournament_id: int, known: str, wait: float | None) -> StandingsSnapshot | None:
    """Return the standings of a tournament; None if they are the ones with the stamp that is known."""
    here = await _open(site)
    tournament = await here.store.tournaments.get(tournament_id)
    counts = (await here.store.tournaments.counts([tournament_id]))[tournament_id]
    snapshot = await here.standings.of(tournament, counts, wait)
    return None if snapshot.stamp == known else snapshot


async def page_of(site: Site, request: PageRequest) -> Page:
    """Return the page at an address, and what it has cost."""
    meter = CpuMeter()
    page = await metered(meter, fetch((await _open(site)).web, request))
    return replace(page, seconds=meter.seconds)


async def news_of(site: Site, match: int, attempt: int, known: int, behind: int) -> LiveNews:
    """Return what is new of a match."""
    here = await _open(site)
    async with _opening:
        if site not in _feeds:
            redis = await _connections.enter_async_context(connect(site.redis_url))
            _feeds[site] = LiveFeed(here.store, redis, await here.store.meta.database())
    return await _feeds[site].news(match, attempt, known, behind)


async def tournament_news_of(site: Site, number: int, known: int) -> TournamentNews:
    """Return what is new of a tournament."""
    return await (await _open(site)).tournaments.news(number, known)


async def record_lines_of(site: Site, wanted: Download) -> RecordLines:
    """Return a few lines of a download."""
    return await record_lines((await _open(site)).reader, wanted)


async def _addresses() -> Addresses:
    found: Addresses = await ask("addresses")
    return found


async def _open(site: Site) -> _ReadingProcess:
    async with _opening:
        if site not in _opened:
            store = await Store.attach(site.database_url)
            standings = StandingsCache(store, rating_system(site.rating_system))
            reader = Reader(store, _RemotePresence(), standings=standings)
            web = create_web(reader, _addresses, server_name=site.server_name, server_version=site.server_version)
            _opened[site] = _ReadingProcess(store, standings, web, reader, TournamentFeed(reader))
            # Modules stay for good: to look at them with everything else took as long as several pages.
            gc.freeze()
        return _opened[site]
