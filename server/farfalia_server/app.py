"""The whole server, composed: places, what plays, doors, roles; opened in this order, and closed in the other."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any

import structlog
from redis.exceptions import RedisError

from farfalia_engine import TimeControl
from farfalia_server import __version__, logs
from farfalia_server.admin_token import check_admin_token
from farfalia_server.analysis.analyst import Analyst
from farfalia_server.analysis.match_pricing import can_analyse
from farfalia_server.arena import News, Reader
from farfalia_server.arena.arena_metrics import ArenaMetrics
from farfalia_server.arena.call_limits import CallLimits
from farfalia_server.arena.courier import Courier
from farfalia_server.arena.guest_sweep import GuestSweep
from farfalia_server.arena.http_calls import HttpCalls
from farfalia_server.arena.ladders import LadderOpening
from farfalia_server.arena.local_presence import LocalPresence
from farfalia_server.arena.node_status import ThisNode
from farfalia_server.arena.rating_news import RatingNews
from farfalia_server.arena.repeated_calls import RepeatedCalls
from farfalia_server.arena.server_metrics import server_metrics
from farfalia_server.arena.service import ArenaService
from farfalia_server.arena.standings_cache import StandingsCache
from farfalia_server.contract.errors import RedisUnavailable, SettingsError
from farfalia_server.contract.registration import RegistrationRules
from farfalia_server.hosting.archive_sweep import ArchiveSweep
from farfalia_server.hosting.own_host import OwnHost
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.client_address import Proxies
from farfalia_server.net.descriptors import ConnectionLimits, raise_limit, share
from farfalia_server.net.health import Health
from farfalia_server.net.http_port import Application, HttpPort
from farfalia_server.net.measures import Measures
from farfalia_server.net.ports import try_both
from farfalia_server.net.supervision import Supervisor
from farfalia_server.net.tls import certificate_of, check_exposure
from farfalia_server.net.webhook_urls import WebhookTargets
from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.net.workers_metrics import WorkersMetrics
from farfalia_server.nodes.shared_limits import SharedLimits
from farfalia_server.nodes.shared_reservations import SEATER
from farfalia_server.organising.baseliner import Baseliner
from farfalia_server.organising.director import Director
from farfalia_server.organising.matchmaker import Matchmaker
from farfalia_server.organising.network_watch import NetworkWatch
from farfalia_server.organising.planning import Planner
from farfalia_server.organising.round_drawing import RoundDrawing
from farfalia_server.organising.starting import Starting
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.queue import Matches
from farfalia_server.rating.ladder_knowledge import LadderKnowing
from farfalia_server.rating.rater import Rater
from farfalia_server.rating.whole_history import LadderFitter
from farfalia_server.records.house_bot import FALLBACK
from farfalia_server.records.house_names import quick_house_bots
from farfalia_server.server_people import identities, password_mail
from farfalia_server.server_places import Places, open_places
from farfalia_server.server_play import PrivatePlay, ServerPlay, open_play
from farfalia_server.server_ports import ServerPorts
from farfalia_server.settings import Settings
from farfalia_server.store import Store
from farfalia_server.web.reading_process import BY_PEOPLE, RemoteStandings, Site, answers, outdates, serve, stop
from farfalia_tournaments import rating_system

if TYPE_CHECKING:
    from farfalia_server.arena.password_mail import PasswordMail

log = structlog.get_logger(__name__)

#: How long those who watch a tournament that is over are shown it on, until house bots have played its last boards.
_SETTLING_SECONDS = 30.0


class Server:
    """A server with everything that it needs; `async with` starts and ends it. One that is `private` is for programs on
    its own machine.

    With `workers` it is one of the nodes of these names, which are on this machine, share its ports and stop with it;
    `metrics` then has those of all.

    Raises FarfaliaServerError if a port, the database or Redis is unavailable.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        private: PrivatePlay | None = None,
        workers: Collection[str] = (),
        metrics: WorkersMetrics | None = None,
    ) -> None:
        self._settings = settings
        self._private = private
        self._workers = workers
        self._workers_metrics = metrics
        self._stack = AsyncExitStack()
        self._news = News()
        self._measures = Measures()
        #: The tasks that must not end before the server does.
        self.supervisor: Supervisor
        #: This server as a node.
        self.node = ThisNode(settings.effective_node, settings.max_tables, self._measures)
        self._ports: ServerPorts
        self._places: Places
        self._analyses = private is None and settings.analysis_minutes > 0 and can_analyse()
        self._play: ServerPlay
        self._matchmaker: Matchmaker
        #: What hands out waiting matches, once it is there.
        self._matches: Matches | None = None

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
        settings = self._settings
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
        self._places = places = await open_places(settings, self.node, self._stack)
        places.store.measure(self._measures.database.append)
        self._stack.callback(places.store.changes.on(self._news.topics, self._news.heard))
        self._play = play = await open_play(
            settings,
            self._private,
            places,
            self._measures,
            self._stack,
            changed=self._wake,
            pages=ports.public_pages,
        )
        self._matches = play.matches
        chance = random.SystemRandom()
        self._matchmaker = Matchmaker(places.store, play.lobby.present, rungs=quick_house_bots(), rng=chance)
        worker = await self._open_doors(places, play, limits)
        await self._stack.enter_async_context(play.matches.taker)
        self.node.opened(self.public, play.runner, play.lobby)
        await self._take_roles(places, play, worker)
        for sweep in (ArchiveSweep, GuestSweep):
            await self._stack.enter_async_context(sweep(places.store))
        if settings.host_programs:
            await self._stack.enter_async_context(self._own_host(places.store))

    async def _open_doors(self, places: Places, play: ServerPlay, limits: ConnectionLimits) -> WorkerProcess:
        """Let readers, callers and bots in; return the process that reads."""
        settings, ports, store, enter = self._settings, self._ports, places.store, self._stack.enter_async_context
        presence = LocalPresence(play.lobby, self._matchmaker, self.node.nodes)
        told: dict[str, Callable[..., Awaitable[Any]]] = {
            "addresses": ports.tell_public,
            "door": ports.tell_door,
            "search": play.search.decide,
        }
        http = ports.bind_http()
        worker = await enter(WorkerProcess(answers(presence, told), http))
        site = Site(
            settings.effective_database_url,
            settings.name,
            __version__,
            settings.rating_system,
            places.redis_url,
            places.database,
            is_node=settings.is_node,
            most_connections=limits.http,
            proxies=settings.proxies,
            tls_cert=settings.tls_cert,
            tls_key=settings.tls_key,
            logs=logs.configured(),
            registration=settings.registration,
            provider=settings.oidc_name if settings.oidc_issuer else "",
            sends_mail=bool(settings.smtp_host),
            analyses=self._analyses,
        )
        system = rating_system(settings.rating_system)
        reader = Reader(store, presence, standings=RemoteStandings(worker, site, StandingsCache(store, system)))
        checks = {**places.problems, "server": lambda: str(self.supervisor.error or "")}
        health = Health(checks, ports.tell_health)
        registry = server_metrics(self._measures, play.lobby.connections, settings.max_tables)
        metrics = ArenaMetrics(reader, registry, health.report, self._workers_metrics)
        told |= {"health": health.tell, "metrics": metrics.text}
        self._stack.callback(store.changes.on(BY_PEOPLE, outdates(worker)))
        await enter(HttpPort(http, worker, Application(serve, stop, site)))
        call_limits = CallLimits(Proxies(settings.proxies))
        mail = password_mail(self._settings, store, lambda: self._ports.public)
        if mail is not None:
            await enter(mail)
        arena = self._arena_service(store, reader, presence, play.nonces, call_limits, mail)
        told["call"] = HttpCalls(arena, RepeatedCalls(places.store)).call
        if places.cluster is not None:
            kinds = {
                "wrong token": play.service.wrong_tokens,
                "stream": play.service.streams,
                "call": call_limits.calls,
                "wrong password": arena.signing_in.wrong_passwords,
            }
            if mail is not None:
                kinds["password link"] = mail.requested
            await enter(SharedLimits(places.redis, places.database, kinds))
        unix_socket = None if self._private is None else self._private.unix_socket
        await ports.open_grpc(play.service.handler(), arena, most=limits.grpc, unix_socket=unix_socket)
        await enter(health)
        self._stack.callback(play.service.stop)
        return worker

    async def _take_roles(self, places: Places, play: ServerPlay, worker: WorkerProcess) -> None:
        """Start what one node does for all: here, or wherever the cluster wants it."""
        settings, store, cluster = self._settings, places.store, places.cluster
        rounds = RoundDrawing(store, worker, settings.effective_database_url)
        # Programs that end are no network's fault.
        watch = None if self._private is not None else NetworkWatch(store, play.lobby.reachable)
        roles: dict[str, AbstractAsyncContextManager[object]] = {
            SEATER: play.matches.seater,
            "rater": Rater(store, RatingNews(play.lobby, self._matchmaker, cluster), settings.rating_system),
            "matchmaker": self._matchmaker,
            "director": Director(
                store,
                rounds,
                filler=FALLBACK,
                watch=watch,
                starting=Starting(store, play.nonces.settle, self._wake, LadderKnowing(store).at_start),
            ),
            "baseliner": Baseliner(store, worker, lambda: play.runner.playing > 0, play.search),
        }
        if settings.fit_hour >= 0:
            roles["refit"] = LadderFitter(store, settings.fit_hour)
        if self._analyses:
            roles["analyst"] = Analyst(store, settings.analysis_minutes)
        if settings.webhooks is not WebhookTargets.OFF:
            chance = random.SystemRandom()
            roles["courier"] = Courier(store, settings.webhooks, lambda: self._ports.public, chance)
        if cluster is None:
            for service in roles.values():
                await self._stack.enter_async_context(service)
            return
        self.node.cluster = cluster
        self._news.on_watched = cluster.bus.follow
        cluster.on_missed(self._look_everywhere)
        for role, service in roles.items():
            cluster.leadership.lead(role, service)
        cluster.leadership.can_work = lambda: not places.store_lease.problem
        await self._stack.enter_async_context(cluster.leadership)

    def _own_host(self, store: Store) -> OwnHost:
        settings = self._settings
        name = re.sub(r"[^A-Za-z0-9._-]", "-", settings.effective_node)[:40]
        return OwnHost(
            name,
            settings.data_dir / "host",
            settings.host_sandbox,
            token=lambda: store.meta.new_host_token(name),
            address=lambda: self.grpc_address,
            environment={} if settings.tls_cert is None else {"FARFALIA_CA": str(settings.tls_cert)},
        )

    @property
    def lobby(self) -> Lobby:
        """Who is connected: for commands that run this server in their own process."""
        return self._play.lobby

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
        token = await self._places.store.meta.first_admin_token()
        show(token)
        return token is None or await self._places.store.meta.admin_token_seen(token)

    def drain(self) -> asyncio.Task[None]:
        """Start no new matches, wait until those under way are over, and send the bots to other nodes."""
        return self.supervisor.start(self._drain(), "drain", ends=True)

    async def _drain(self) -> None:
        self.node.draining = True
        if self.node.cluster is not None and self._has_heirs:
            await self.node.cluster.leadership.resign()
        self._play.matches.taker.pause()
        self._matchmaker.pause()
        await self._ports.drain()
        log.info("draining", matches=self._play.runner.playing)
        if not self._has_heirs:
            await self._play.runner.idle()
        if self._has_heirs:
            await self._play.service.drain(self._settings.drain_ms / 1000)

    @property
    def _has_heirs(self) -> bool:
        """Whether other nodes take over matches at the card at which they stand, and bots can go there."""
        shared = self._play.shared
        return shared is not None and shared.has_heirs(self._workers)

    async def serve_until(self, stop: asyncio.Event) -> None:
        """Serve until the event is set; raises PartFailed as soon as a part of the server has ended by itself."""
        async with self.supervisor.guarding():
            await stop.wait()

    def _wake(self) -> None:
        """Look for matches again: somebody came, went or has a seat free, or there are other matches to play."""
        if self._matches is not None:
            self._matches.wake()
        self._news.touch_all()

    def _look_everywhere(self) -> None:
        """Look for whatever other nodes may have changed."""
        self._wake()
        self._play.service.forget_all_tokens()

    def _arena_service(
        self,
        store: Store,
        reader: Reader,
        presence: LocalPresence,
        nonces: NonceCollector,
        call_limits: CallLimits,
        mail: PasswordMail | None,
    ) -> ArenaService:
        settings = self._settings
        control = TimeControl(settings.limit_ms, settings.bank_ms, settings.grace)
        secret = b"" if self._private is None else self._private.secret
        return ArenaService(
            store,
            reader,
            Planner(store, time_control=control, filler=FALLBACK, secret=secret),
            presence,
            self._news,
            registration=RegistrationRules(
                settings.registration, settings.bots_per_account, settings.registrations_per_hour
            ),
            rating_system=settings.rating_system,
            on_change=self._wake,
            starting=Starting(store, nonces.settle, self._wake, LadderKnowing(store).at_start),
            ladders=LadderOpening(store, time_control=control, changed=self._matchmaker.wake),
            settling=_SETTLING_SECONDS,
            call_limits=call_limits,
            identities=identities(settings, store, lambda: self._ports.public),
            mail=mail,
            analyses=self._analyses,
            webhooks=settings.webhooks,
        )
