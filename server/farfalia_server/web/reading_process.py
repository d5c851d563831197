"""The process that reads: it answers at the HTTP port and has the database open for itself, so players do not wait for
readers.

It asks the process that plays only what the database does not say: who is connected and where bots connect, what waits
and why, which nodes there are, whether all is well, and what is counted. What changes something it leaves to that
process, too: it passes calls of the contract on.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from starlette.applications import Starlette

from farfalia.settings import Server, server
from farfalia.v1 import ladders_pb2
from farfalia_server import logs
from farfalia_server.arena import NodeStatus, Presence, Reader
from farfalia_server.arena.standings import StandingsSnapshot
from farfalia_server.arena.standings_cache import KEPT, StandingsCache, StandingsSource
from farfalia_server.contract.errors import RedisUnavailable
from farfalia_server.contract.registration import Registration
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.client_address import Proxies
from farfalia_server.net.cpu_time import CpuMeter, metered
from farfalia_server.net.http_server import HttpServer
from farfalia_server.net.redis_connection import connect
from farfalia_server.net.tls import certificate_of
from farfalia_server.net.worker_process import Answers, WorkerProcess, ask, inherited_listener
from farfalia_server.nodes.shared_limits import SharedLimits
from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBuckets
from farfalia_server.store import Change, MatchState, Store, Topic, Tournament
from farfalia_server.web.account_pages import AccountPages
from farfalia_server.web.analysis_pages import AnalysisPages
from farfalia_server.web.app import create_front, create_web
from farfalia_server.web.bot_desk import BotDesk
from farfalia_server.web.challenge_pages import ChallengePages
from farfalia_server.web.daily_pages import DailyPages
from farfalia_server.web.draft_desk import DraftDesk
from farfalia_server.web.entry_pages import EntryPages
from farfalia_server.web.event_desk import EventDesk
from farfalia_server.web.friends_pages import FriendsPages
from farfalia_server.web.live_feed import LiveFeed, LiveNews
from farfalia_server.web.match_streams import match_streams
from farfalia_server.web.monitoring import Monitoring
from farfalia_server.web.oidc_pages import OidcPages
from farfalia_server.web.page_cache import PageCache
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.password_pages import PasswordPages
from farfalia_server.web.people_pages import PeoplePages
from farfalia_server.web.person_seat import PersonSeats
from farfalia_server.web.play_pages import PlayPages
from farfalia_server.web.program_pages import ProgramPages
from farfalia_server.web.rendered_page import Page, PageRequest, fetch
from farfalia_server.web.seat_hints import SeatHints
from farfalia_server.web.static_files import StaticAddresses
from farfalia_server.web.token_pages import TokenPages
from farfalia_server.web.tournament_desk import TournamentDesk
from farfalia_server.web.webhook_pages import WebhookPages
from farfalia_tournaments import rating_system

#: Standings of as many finished matches as this are computed where they are asked for: that takes some ten
#: milliseconds, and a process has to be started first.
SMALL = 50
#: Seconds for which a worker process remembers who is connected.
_PRESENCE_SECONDS = 1.0
#: Seconds before another attempt to share limits while Redis does not answer.
_AGAIN = 1.0
#: What changes when somebody changes it, and not with each match. Matches, ratings and baselines change all the time;
#: pages show them when they are made again.
BY_PEOPLE = (Topic.ACCOUNT, Topic.BOT, Topic.EVENT, Topic.TOURNAMENT)


@dataclass(frozen=True, slots=True)
class Site:
    """The server that a worker process reads for, and how it answers at the HTTP port."""

    database_url: str
    server_name: str
    server_version: str
    rating_system: str
    redis_url: str = ""
    #: What Redis has of this database is named after it.
    database: str = ""
    #: Whether other nodes answer readers, too.
    is_node: bool = False
    most_connections: int = 512
    proxies: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    logs: logs.LogSettings | None = None
    registration: Registration = Registration.CLOSED
    #: What people call the provider of OpenID Connect; empty without one.
    provider: str = ""
    #: Whether links to a new password are sent by e-mail.
    sends_mail: bool = False
    #: Whether decisions are analysed.
    analyses: bool = False


# In the server's process -----------------------------------------------------------------------------------------


def answers(presence: Presence, known: Mapping[str, Callable[..., Any]]) -> Answers:
    """Return what answers a worker process that asks who is connected, or what else is `known`."""

    async def answer(what: str, *arguments: object) -> Any:
        return await (known.get(what) or getattr(presence, what))(*arguments)

    return answer


def outdates(worker: WorkerProcess) -> Callable[[Change], None]:
    """Return what tells the process that reads that people have changed something."""

    def heard(change: Change) -> None:
        del change
        worker.tell(outdate)

    return heard


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


# In the worker process -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _ReadingProcess:
    store: Store
    standings: StandingsCache
    web: Starlette
    reader: Reader
    #: Opened with the first viewer of a match.
    live: LiveFeed | None = None


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
#: They end with the process.
_connections = AsyncExitStack()
_pages: PageCache | None = None
_server: HttpServer | None = None


async def serve(site: Site) -> None:
    """Answer at the HTTP port until `stop` is called."""
    global _server, _pages
    if site.logs is not None:
        logs.configure(site.logs.level, site.logs.form, worker=site.logs.worker)
    views = TokenBuckets(limits.VIEWS_BURST, limits.VIEWS_RATE)
    persons = PersonSeats(_door)
    _pages = PageCache(partial(page_of, site))
    monitoring = Monitoring(partial(ask, "health"), partial(ask, "metrics"))
    renderer = PageRenderer(site.server_name, site.server_version, StaticAddresses())
    ways = partial(ask, "call"), _addresses, renderer
    reader = partial(reader_of, site)
    front = create_front(
        _pages,
        PageCache(partial(fetch, monitoring.application())),
        views=views,
        is_counted=Proxies(site.proxies).counts,
        live=partial(news_of, site),
        tournaments=partial(reader_of, site),
        records=partial(reader_of, site),
        call=partial(ask, "call"),
        forms=(
            AccountPages(*ways, site.registration, site.server_version, site.provider, sends_mail=site.sends_mail),
            OidcPages(*ways, site.registration, site.provider),
            PeoplePages(*ways),
            BotDesk(*ways),
            ProgramPages(*ways),
            PasswordPages(*ways, sends_mail=site.sends_mail),
            TokenPages(*ways),
            WebhookPages(*ways),
            ChallengePages(*ways),
            AnalysisPages(*ways),
            EventDesk(*ways),
            TournamentDesk(*ways),
            DraftDesk(*ways),
            FriendsPages(*ways, reader, persons),
            EntryPages(*ways, reader, persons),
            DailyPages(*ways, reader, persons),
            PlayPages(
                *ways,
                reader,
                persons,
                SeatHints(partial(ask, "search")),
                match_streams(partial(news_of, site, seated=True)),
                analyses=site.analyses,
            ),
        ),
    )
    certificate = certificate_of(site.tls_cert, site.tls_key)
    _server = HttpServer(front, most=site.most_connections, certificate=certificate, proxies=site.proxies)
    sharing = asyncio.create_task(_share(site, views)) if site.is_node else None
    try:
        await _server.serve([inherited_listener()])
    finally:
        if sharing is not None:
            sharing.cancel()


async def stop() -> None:
    """End `serve` once those who are being answered have their answers."""
    if _server is not None:
        _server.should_exit = True


async def outdate() -> None:
    """Show on all pages what has just been changed."""
    if _pages is not None:
        _pages.outdate()


async def _share(site: Site, views: TokenBuckets) -> None:
    """Count the views of each address together with the other nodes."""
    while True:
        try:
            async with connect(site.redis_url) as redis, SharedLimits(redis, site.database, {"view": views}):
                await asyncio.Event().wait()
        except RedisUnavailable:
            await asyncio.sleep(_AGAIN)


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


async def news_of(site: Site, match: int, before: LiveNews, *, seated: bool = False) -> LiveNews:
    """Return what is shown of a match, to who is `seated` there or to everyone; see `LiveFeed.news`."""
    here = await _open(site)
    async with _opening:
        if here.live is None:
            redis = await _connections.enter_async_context(connect(site.redis_url))
            here.live = LiveFeed(here.store, redis, site.database)
    return await here.live.news(match, before, seated=seated)


async def reader_of(site: Site) -> Reader:
    """Return what reads tournaments and records."""
    return (await _open(site)).reader


async def _addresses() -> Addresses:
    found: Addresses = await ask("addresses")
    return found


async def _door(token: str) -> Server:
    """Return how a stream is opened for the person with this token."""
    address: str = await ask("door")
    return server(address, token)


async def _open(site: Site) -> _ReadingProcess:
    async with _opening:
        if site not in _opened:
            store = await Store.attach(site.database_url)
            standings = StandingsCache(store, rating_system(site.rating_system))
            reader = Reader(store, _RemotePresence(), standings=standings)
            web = create_web(
                reader,
                _addresses,
                server_name=site.server_name,
                server_version=site.server_version,
                registration=site.registration,
                analyses=site.analyses,
                live=partial(news_of, site),
            )
            _opened[site] = _ReadingProcess(store, standings, web, reader)
            # Modules stay for good: to look at them with everything else took as long as several pages.
            gc.freeze()
        return _opened[site]
