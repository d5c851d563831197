"""The whole server, composed: what is opened in which order, and closed in the other."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection
from contextlib import AsyncExitStack
from functools import partial
from types import TracebackType
from typing import Any

import structlog
from redis.exceptions import RedisError

from farfalia import grpc_wakeups
from farfalia.v1 import play_pb2
from farfalia_engine import TimeControl
from farfalia_server import __version__
from farfalia_server.admin_token import check_admin_token
from farfalia_server.arena import News, Reader
from farfalia_server.arena.call_limits import CallLimits
from farfalia_server.arena.ladders import LadderOpening
from farfalia_server.arena.local_presence import LocalPresence
from farfalia_server.arena.messages import rating_message
from farfalia_server.arena.node_status import ThisNode
from farfalia_server.arena.rating_messages import present_ratings
from farfalia_server.arena.rating_news import RatingNews
from farfalia_server.arena.server_metrics import server_metrics
from farfalia_server.arena.service import ArenaService
from farfalia_server.arena.standings_cache import StandingsCache
from farfalia_server.cluster.copies import check_no_copy
from farfalia_server.cluster.lease import Holder, RedisLeasePlace, ServerLease, alone
from farfalia_server.contract.errors import RedisUnavailable, SettingsError
from farfalia_server.contract.registration import RegistrationRules
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.client_address import Proxies
from farfalia_server.net.descriptors import raise_limit, share
from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.net.health import Health
from farfalia_server.net.measures import Measures
from farfalia_server.net.ports import try_both
from farfalia_server.net.redis_connection import connect
from farfalia_server.net.service import Service
from farfalia_server.net.supervision import Supervisor
from farfalia_server.net.tls import certificate_of, check_exposure
from farfalia_server.net.trace_sending import sending
from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.net.workers_metrics import WorkersMetrics
from farfalia_server.nodes.membership import Cluster
from farfalia_server.nodes.shared_limits import SharedLimits
from farfalia_server.nodes.shared_play import SharedMatches, SharedPlay
from farfalia_server.organising.baseliner import Baseliner
from farfalia_server.organising.director import Director
from farfalia_server.organising.matchmaker import Matchmaker
from farfalia_server.organising.network_watch import NetworkWatch
from farfalia_server.organising.planning import Planner
from farfalia_server.organising.round_drawing import RoundDrawing
from farfalia_server.play.bot_logs import BotLogWriter
from farfalia_server.play.journal import Journal
from farfalia_server.play.limits import most_matches
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.match_runner import MatchRunner
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.play.outflow import Outflow
from farfalia_server.play.play_service import PlayService
from farfalia_server.queue import Dispatcher
from farfalia_server.rating.rater import Rater
from farfalia_server.rating.whole_history import LadderFitter
from farfalia_server.server_ports import ServerPorts
from farfalia_server.settings import Settings
from farfalia_server.store import Change, MatchState, Store, Topic
from farfalia_server.store.lease import StoreLeasePlace
from farfalia_server.store.migrate import newest_schema
from farfalia_server.store_opening import check_schema, open_store
from farfalia_server.web import create_front
from farfalia_server.web.reading_process import (
    RemoteLiveFeed,
    RemotePages,
    RemoteRecords,
    RemoteStandings,
    RemoteTournamentFeed,
    Site,
    answers,
)
from farfalia_tournaments import rating_system

log = structlog.get_logger(__name__)

#: The house bot that answers for bots that did not, and fills tables.
FALLBACK = "greedy"
#: How long those who watch a tournament that is over are shown it on, until house bots have played its last boards.
_SETTLING_SECONDS = 30.0


class Server:
    """A server with everything that it needs; `async with` starts and ends it.

    With `secret`, 32 bytes, the deals of its tournaments come again whenever it is given: all have this secret, and
    nobody may add to it. For one's own machine: who knows it knows all cards. So is `tells_failures`, with which its
    records say what bots report of their failures: their author is the only reader.

    With `workers` it is one of the nodes of these names, which are on this machine, share its ports and stop with it;
    `metrics` then has those of all.

    Raises FarfaliaServerError if a port, the database or Redis is unavailable.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        secret: bytes = b"",
        tells_failures: bool = False,
        absence_is_loss: bool = False,
        workers: Collection[str] = (),
        metrics: WorkersMetrics | None = None,
    ) -> None:
        self._settings = settings
        self._secret = secret
        self._tells_failures = tells_failures
        self._absence_is_loss = absence_is_loss
        self._workers = workers
        self._workers_metrics = metrics
        self._stack = AsyncExitStack()
        self._news = News()
        #: The tasks that must not end before the server does.
        self.supervisor: Supervisor
        self._runner: MatchRunner
        #: This node's part in a cluster, if it is one of several.
        self._shared: SharedPlay | None = None
        #: What hands waiting matches to the runner.
        self._hands_out: Dispatcher | SharedMatches | None = None
        self._ports: ServerPorts
        #: This server as a node.
        self.node: ThisNode
        #: Who is connected: for commands that run this server in their own process.
        self.lobby: Lobby

    async def __aenter__(self) -> Server:
        self.supervisor = Supervisor()
        try:
            with self.supervisor.adopting():
                await self._start()
        except BaseException as error:
            await self._close()
            if isinstance(error, RedisError):  # it answered when the start began
                raise RedisUnavailable(f"Redis does not answer: {error}") from None
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def _close(self) -> None:
        self.supervisor.close()
        await self._stack.aclose()

    async def _start(self) -> None:
        settings, enter = self._settings, self._stack.enter_async_context
        certificate = certificate_of(settings.tls_cert, settings.tls_key, settings.tls_client_ca)
        check_exposure(settings.host, certificate, insecure=settings.insecure)
        check_admin_token(settings.host, settings.admin_token)
        if not self._workers:
            try_both(settings.host, settings.grpc_port, settings.http_port)
        try:
            settings.data_dir.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(f"data_dir {settings.data_dir} cannot be created: {error.strerror}") from None
        self._ports = ports = ServerPorts(settings, certificate, self._stack, shared=bool(self._workers))
        limits = share(raise_limit(), settings.max_tables)
        node = settings.effective_node
        self._store = store = await enter(await open_store(settings))
        embedded = None if settings.redis_url else await enter(EmbeddedRedis(settings.redis_dir))
        redis_url = settings.redis_url if embedded is None else embedded.url
        redis = await enter(connect(redis_url))
        database = await store.meta.database()
        await enter(sending(node, __version__, database))
        measures = Measures()
        self.node = ThisNode(node, settings.max_tables, measures)
        cluster, holder = None, Holder.own(node)
        shares: Callable[[Holder], Awaitable[bool]] = alone
        if settings.is_node:
            versions = {"version": __version__, "schema": newest_schema()}
            cluster = await enter(Cluster(redis, database, node, store, **versions, figures=self.node.figures))
            holder, shares = cluster.registry.holder, cluster.registry.recognises
        place = StoreLeasePlace(store, database)
        if cluster is not None:
            await check_no_copy(place, cluster.registry.others)
        store_lease = self.node.lease = await enter(ServerLease(place, holder, shares))
        redis_lease = await enter(ServerLease(RedisLeasePlace(redis, redis_url), holder, shares))
        await check_schema(store)
        # Not before it is certain that this server may be here.
        if settings.admin_token:
            await store.meta.set_admin_token(settings.admin_token)
        store.measure(measures.database.append)
        journal = await enter(Journal(redis, database, measures=measures, owner=cluster.registry if cluster else None))
        await journal.sweep(store.matches.attempts)
        clock = await enter(LoopClock(measures))
        grpc_wakeups.read_all(asyncio.get_running_loop(), clock.woken)
        outflow = Outflow()
        lobby_settings: dict[str, Any] = {
            "linger": settings.linger_ms / 1000,
            "reconnect_grace": settings.reconnect_grace_ms / 1000,
            "absence": settings.absence_ms / 1000,
            "schedule_flush": lambda flush: journal.after_flush(partial(outflow.submit, flush)),
            "changed": self._wake,
            "measures": measures,
            "outage_end": lambda: store.outage_end,
            "clock": clock,
            "most_matches": most_matches(settings.max_tables),
            "tells_failures": self._tells_failures,
            "absence_is_loss": self._absence_is_loss,
        }
        if cluster is None:
            self.lobby = lobby = Lobby(**lobby_settings)
        else:
            self._shared = SharedPlay(
                redis, redis_url, database, cluster.registry, cluster.leadership, store, lobby_settings
            )
            self.lobby = lobby = self._shared.lobby
            node = self._shared.claims_as
        nonces = await enter(NonceCollector(store, lobby, open=not self._secret))
        runner = MatchRunner(store, journal, lobby, nonces, node=node, fallback=FALLBACK, measures=measures)
        matchmaker = Matchmaker(store, lobby.present, filler=FALLBACK, rng=random.SystemRandom())
        presence = LocalPresence(lobby, matchmaker, self.node.nodes)
        worker = await enter(WorkerProcess(answers(presence, ports.tell_public)))
        site = Site(settings.effective_database_url, settings.name, __version__, settings.rating_system, redis_url)
        system = rating_system(settings.rating_system)
        reader = Reader(store, presence, standings=RemoteStandings(worker, site, StandingsCache(store, system)))
        self._matchmaker = matchmaker
        self._play = self._play_service(store, lobby, await enter(BotLogWriter(store)), nonces, clock)
        await enter(self._play.tokens)
        self._runner = runner
        self._hands_out = hands_out = self._matches(store, lobby, runner, nonces, redis_url, database)
        for listener in (self._news.heard, nonces.on_change, self._forget_token, partial(_cancel_matches, runner)):
            self._stack.callback(store.changes.listen(listener))
        checks = {
            "database": lambda: store_lease.problem,
            "redis": lambda: redis_lease.problem or (cluster.registry.problem if cluster is not None else ""),
            "server": lambda: str(self.supervisor.error or ""),
        }
        health = Health(checks, ports.tell_health)
        if self._shared is None:
            lobby.expect(await store.matches.bots_of_running())
        else:
            await enter(self._shared)
        web = create_front(
            RemotePages(worker, site),
            reader,
            registry=server_metrics(measures, lobby.connections, settings.max_tables),
            health=health.report,
            workers=self._workers_metrics,
            is_counted=Proxies(settings.proxies).counts,
            live=RemoteLiveFeed(worker, site),
            tournaments=RemoteTournamentFeed(worker, site),
            records=RemoteRecords(worker, site),
        )
        self._stack.callback(store.changes.listen(web.heard))
        await ports.open_http(web, most=limits.http)
        call_limits = CallLimits(Proxies(settings.proxies))
        arena = self._arena_service(store, reader, presence, nonces, call_limits)
        if cluster is not None:
            kinds = {
                "wrong token": self._play.wrong_tokens,
                "stream": self._play.streams,
                "call": call_limits.calls,
                "view": web.views,
            }
            await enter(SharedLimits(redis, database, kinds))
        await ports.open_grpc(self._play.handler(), arena, most=limits.grpc)
        await enter(health)
        self._stack.callback(self._play.stop)
        self.node.opened(self.public, runner, lobby)
        await enter(hands_out)
        rounds = RoundDrawing(store, worker, settings.effective_database_url)
        # Programs that end are no network's fault.
        watch = None if self._absence_is_loss else NetworkWatch(store, lobby.reachable)
        roles: dict[str, Service] = {
            "rater": Rater(store, RatingNews(lobby, matchmaker, cluster), settings.rating_system),
            "matchmaker": matchmaker,
            "director": Director(store, rounds, filler=FALLBACK, watch=watch),
            "baseliner": Baseliner(store, worker, lambda: runner.playing > 0),
        }
        if settings.fit_hour >= 0:
            roles["refit"] = LadderFitter(store, settings.fit_hour)
        if cluster is None:
            for service in roles.values():
                await enter(service)
        else:
            self.node.cluster = cluster
            self._news.on_watched = cluster.bus.follow
            cluster.on_missed(self._look_everywhere)
            for role, service in roles.items():
                cluster.leadership.lead(role, service)
            cluster.leadership.can_work = lambda: not store_lease.problem
            await enter(cluster.leadership)

    @property
    def grpc_address(self) -> str:
        """host:port for bots on this machine, with the real port; after https:// if there is TLS."""
        return self._ports.grpc_address

    @property
    def pages(self) -> str:
        """Address of the first page on this machine, with the real port."""
        return self._ports.pages

    @property
    def public(self) -> Addresses:
        """Both addresses as others reach them; NotReady before the ports are open."""
        return self._ports.public

    async def introduce(self, show: Callable[[str | None], None]) -> bool:
        """Call `show` with the admin token if nobody has seen one yet, otherwise with None.

        The token is made only now that everything listens, and stored as a hash. Unless `show` returns, the next start
        makes another one. Returns False if another node has made one meanwhile, which is the admin token.
        """
        token = await self._store.meta.first_admin_token()
        show(token)
        return token is None or await self._store.meta.admin_token_seen(token)

    def drain(self) -> asyncio.Task[None]:
        """Start no new matches, wait until those under way are over, and send the bots to other nodes."""
        return self.supervisor.start(self._drain(), "drain", ends=True)

    async def _drain(self) -> None:
        self.node.draining = True
        if self.node.cluster is not None and self._has_heirs:
            await self.node.cluster.leadership.resign()
        if self._hands_out is not None:
            self._hands_out.pause()
            self._matchmaker.pause()
        await self._ports.drain()
        log.info("draining", matches=self._runner.playing)
        if not self._has_heirs:
            await self._runner.idle()
        if self._has_heirs:
            await self._play.drain(self._settings.drain_ms / 1000)

    @property
    def _has_heirs(self) -> bool:
        """Whether other nodes take over matches at the card at which they stand, and bots can go there."""
        return self._shared is not None and self._shared.has_heirs(self._workers)

    async def serve_until(self, stop: asyncio.Event) -> None:
        """Serve until the event is set; raises PartFailed as soon as a part of the server has ended by itself."""
        async with self.supervisor.guarding():
            await stop.wait()

    def _forget_token(self, change: Change) -> None:
        """Look a bot's token up again, since it may have been renewed."""
        if change.topic is Topic.BOT:
            self._play.forget_token(change.id)

    def _wake(self) -> None:
        """Look for matches again: somebody came, went or has a seat free, or there are other matches to play."""
        if self._hands_out is not None:
            self._hands_out.wake()
        self._news.touch_all()

    def _look_everywhere(self) -> None:
        """Look for whatever other nodes may have changed."""
        self._wake()
        self._play.forget_all_tokens()

    def _play_service(
        self, store: Store, lobby: Lobby, bot_logs: BotLogWriter, nonces: NonceCollector, clock: LoopClock
    ) -> PlayService:
        async def ratings(bot_id: int) -> list[play_pb2.Rating]:
            bot = (await store.bots.by_ids([bot_id]))[bot_id]
            return [rating_message(rating) for rating in present_ratings(bot, await store.bots.ratings(bot_id))]

        async def is_persons_token(token: str) -> bool:
            return await store.meta.is_admin_token(token) or await store.accounts.by_token(token) is not None

        return PlayService(
            lobby,
            server_name=self._settings.name,
            bot_by_token=store.bots.by_token,
            token_hashes=store.bots.token_hashes,
            is_persons_token=is_persons_token,
            ratings=ratings,
            log_line=bot_logs.write,
            nonces=nonces,
            ping_interval=self._settings.ping_interval_ms / 1000,
            reconnect_grace=self._settings.reconnect_grace_ms / 1000,
            clock=clock,
            pages=self._ports.public_pages,
            sessions=None if self._shared is None else self._shared.sessions,
        )

    def _matches(
        self, store: Store, lobby: Lobby, runner: MatchRunner, nonces: NonceCollector, redis_url: str, database: str
    ) -> Dispatcher | SharedMatches:
        """Return what hands waiting matches to the runner."""
        if self._shared is not None:
            return self._shared.matches(runner, nonces, self._settings.max_tables)
        settings = self._settings
        return Dispatcher(
            store,
            lobby,
            runner,
            redis_url=redis_url,
            database=database,
            node=settings.effective_node,
            most=settings.max_tables,
        )

    def _arena_service(
        self,
        store: Store,
        reader: Reader,
        presence: LocalPresence,
        nonces: NonceCollector,
        call_limits: CallLimits,
    ) -> ArenaService:
        settings = self._settings
        control = TimeControl(settings.limit_ms, settings.bank_ms, settings.grace)
        return ArenaService(
            store,
            reader,
            Planner(store, time_control=control, filler=FALLBACK, secret=self._secret),
            presence,
            self._news,
            registration=RegistrationRules(
                settings.registration, settings.bots_per_account, settings.registrations_per_hour
            ),
            rating_system=settings.rating_system,
            on_change=self._wake,
            before_start=nonces.settle,
            ladders=LadderOpening(store, time_control=control, changed=self._matchmaker.wake),
            settling=_SETTLING_SECONDS,
            call_limits=call_limits,
        )


def _cancel_matches(runner: MatchRunner, change: Change) -> None:
    """Stop the matches of a cancelled tournament, and those that an organiser has made void."""
    if change.topic is Topic.TOURNAMENT and change.state is MatchState.CANCELLED:
        runner.cancel_tournament(change.id)
    if change.topic is Topic.MATCH and change.state is MatchState.CANCELLED:
        runner.cancel_match(change.id)
