"""The process of a node of a cluster: the real shells, and the ways from them to Redis and the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError
from tests.server.simulation.process import ServerProcess, SimulationError, WitnessedJournal, no_ratings, nothing

from farfalia_server.cluster.lease import RedisLeasePlace, ServerLease
from farfalia_server.cluster.node import NodeFigures, NodeNews
from farfalia_server.contract.errors import (
    AnotherServer,
    FarfaliaServerError,
    RedisUnavailable,
    RoleLost,
    StoreUnavailable,
)
from farfalia_server.net.measures import Measures
from farfalia_server.net.service import PeriodicService
from farfalia_server.net.supervision import Supervisor
from farfalia_server.nodes.membership import Cluster
from farfalia_server.nodes.shared_play import SharedPlay
from farfalia_server.nodes.shared_reservations import SEATER
from farfalia_server.play.house_scheduler import HouseScheduler
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.match_runner import MatchRunner
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.play.outflow import Outflow
from farfalia_server.play.play_service import PlayService
from farfalia_server.queue import Matches
from farfalia_server.rating.rater import Rater
from farfalia_server.store import Topic
from farfalia_server.store.lease import StoreLeasePlace

if TYPE_CHECKING:
    from tests.server.simulation.cluster import ClusterWorld

T = TypeVar("T")

#: The name of the database, a role whose service only writes down that it has it, and the rater's.
DATABASE, ROLE, RATER = "simulation", "scribe", "rater"
#: Seconds that a command to a Redis that is cut off takes at most.
_COMMAND_SECONDS = 3.0


class _InOrder(dict[Any, None]):
    """What a set is elsewhere, whose order follows from addresses in memory and not from the seed."""

    def add(self, item: Any) -> None:
        """Add an item."""
        self[item] = None

    def discard(self, item: Any) -> None:
        """Remove an item, if it is there."""
        self.pop(item, None)


class _FencedWriter(PeriodicService):
    """A service for one node at a time: what it writes is fenced."""

    unavailable = (StoreUnavailable,)

    def __init__(self, node: NodeProcess) -> None:
        super().__init__(ROLE, every=1.0)
        self._node = node

    async def _tick(self) -> None:
        with suppress(RoleLost):
            await self._node.store.roles.act()


class NodeProcess(ServerProcess):
    """A node from its start to its end."""

    world: ClusterWorld

    def __init__(self, world: ClusterWorld, node: str, name: str) -> None:
        super().__init__(world, name)
        self.node = node
        self.accepts = False
        self.matches: Matches
        self.redis_cut_until = self.store_cut_until = self.frozen_until = float("-inf")
        self.thaw: Callable[[], None] = lambda: None
        self._stop = asyncio.Event()
        self._draining = False

    async def _run(self) -> None:
        self.supervisor = Supervisor()
        self.stack = AsyncExitStack()
        try:
            with self.supervisor.adopting():
                await self._start()
            async with self.supervisor.guarding():
                await self._stop.wait()
                await self._drain()
        except (FarfaliaServerError, SimulationError, RedisError) as error:
            self.world.ended(self, error)
        self.accepts = False
        self.world.witness.crashed(self)  # its tables end now, and its process a while later
        self.supervisor.close()
        try:
            await self.stack.aclose()
        except (FarfaliaServerError, SimulationError, RedisError) as error:
            self.world.note(f"{self.name} ends badly: {error!r:.80}")
        else:
            await self._check_nothing_is_left()
        self.die()

    async def _check_nothing_is_left(self) -> None:
        """Complain of tasks and timers of a process that was stopped by a signal."""
        await asyncio.sleep(5)  # calls that are ending; bots notice some of them after a while
        tasks = [task for task in self.tasks if not task.done() and task is not asyncio.current_task()]
        # Timers of deadlines run out by themselves, instead of being set anew at each answer.
        waiting = self.world.waiting(self) if self.world.ending else []  # before, bots had seats
        calls = [call for call in waiting if "_on_deadline" not in call]
        if self._stop.is_set() and not self.dead:
            for left in (*tasks, *calls):
                self.world.complain(f"{self.name} has ended and left {left}")

    async def _start(self) -> None:
        world, scenario, loop, enter = (
            self.world,
            self.world.scenario,
            asyncio.get_running_loop(),
            self.stack.enter_async_context,
        )
        measures = Measures()
        self.store = store = world.store.client(self._to_store)
        redis = self.redis()
        self.cluster = cluster = await enter(
            Cluster(redis, DATABASE, self.node, store, version="1", schema="1", figures=self._figures)
        )
        registry = cluster.registry
        registry.listen(self._heard_of_node)
        lease = await enter(ServerLease(StoreLeasePlace(store), registry.holder, registry.is_known))
        await enter(ServerLease(RedisLeasePlace(redis, "redis://simulated"), registry.holder, registry.is_known))
        self.journal = journal = await enter(WitnessedJournal(world, world.redis.client(self.to_redis), registry))
        await journal.sweep(store.matches.attempts)
        clock = await enter(LoopClock(measures, loop.time, lambda: 0.0))
        outflow = Outflow(now=loop.time)
        self.shared = shared = SharedPlay(
            redis,
            "redis://simulated",
            DATABASE,
            registry,
            cluster.leadership,
            store,
            {
                "linger": 0.002,
                "reconnect_grace": scenario.grace,
                "schedule_flush": lambda flush: journal.after_flush(partial(outflow.submit, flush)),
                "changed": lambda: self.matches.wake(),
                "measures": measures,
                "outage_end": lambda: loop.time() if self._unavailable else self._outage_end,
                "clock": clock,
            },
            absence=scenario.absence,
        )
        self.lobby = lobby = shared.lobby
        nonces = await enter(NonceCollector(store, lobby))
        self.runner = MatchRunner(
            store,
            journal,
            lobby,
            nonces,
            node=shared.claims_as,
            fallback="greedy",
            measures=measures,
            house_scheduler=HouseScheduler(now=loop.time),
            now=lambda: datetime.fromtimestamp(loop.time(), UTC),
        )
        self._service = PlayService(
            lobby,
            server_name="simulation",
            bot_by_token=self._bot_by_token,
            token_hashes=nothing,
            is_persons_token=nothing,
            ratings=no_ratings,
            log_line=lambda bot, line: None,
            nonces=nonces,
            ping_interval=world.ping_interval,
            reconnect_grace=scenario.grace,
            clock=clock,
            pages=lambda: "",
            gateways=shared.gateways,
        )
        vars(self._service)["_open_streams"] = _InOrder()
        self.matches = shared.matches(self.runner, nonces, scenario.tables)
        self.stack.callback(store.changes.on((Topic.TOURNAMENT,), nonces.on_tournament))
        await enter(shared)
        self.stack.callback(self._service.stop)
        await enter(self.matches.taker)
        self.accepts = True
        cluster.on_missed(self.matches.wake)
        cluster.leadership.can_work = lambda: not lease.problem
        for role, service in {SEATER: self.matches.seater, **self._roles(store)}.items():
            cluster.leadership.lead(role, service)
        await enter(cluster.leadership)
        world.note(f"{self.name} is up")

    def _roles(self, store: Any) -> Mapping[str, Any]:
        """Return what this node does in each role that it has."""
        return {ROLE: _FencedWriter(self)} | ({RATER: Rater(store)} if self.world.rates else {})

    def _heard_of_node(self, news: NodeNews, _: object) -> None:
        if news is NodeNews.LOST:  # its tables are gone, with what only they knew
            self.world.witness.crashed(self)

    def redis(self) -> Any:
        """Return a client of the nodes' Redis."""
        return self.world.keys.client(self.to_redis)

    def _figures(self) -> NodeFigures:
        if not self.accepts:
            return NodeFigures()
        tables = self.runner.playing
        return NodeFigures(address=self.node, tables=tables, room=0 if self._draining else self.world.scenario.tables)

    def stop(self) -> None:
        """Stop as at SIGTERM."""
        self._stop.set()

    async def _drain(self) -> None:
        self._draining = True
        self.world.note(f"{self.name} is stopped")
        await self.cluster.leadership.resign()
        self.matches.taker.pause()
        if not self.shared.has_heirs():
            await self.runner.idle()
        self.accepts = False
        await self._service.drain(1.0)

    def freeze(self, seconds: float) -> None:
        """Do nothing for these seconds, and go on as if nothing had happened."""
        self.frozen_until = asyncio.get_running_loop().time() + seconds
        self.world.freeze(self, seconds)

    @property
    def frozen(self) -> bool:
        """Whether it is frozen now."""
        return asyncio.get_running_loop().time() < self.frozen_until

    # -- what goes on ----------------------------------------------------------------------

    @property
    def is_up(self) -> bool:
        """Whether it has started, and goes on."""
        return self.accepts and not self.dead

    @property
    def idle(self) -> bool:
        """Whether no match is played here."""
        return not self.runner.playing

    def at_table(self) -> set[int]:
        """Return the matches whose tables are open here, and nowhere else."""
        if not self.is_up or self.frozen or self._is_cut(self.redis_cut_until):
            return set()
        own = {match.id for match in self.world.store.all() if match.node == self.runner.node and match.state.active}
        seated = {match for shared in vars(self.lobby)["_shared"].values() for match in vars(shared)["_seatings"]}
        return own & seated

    def left(self) -> list[str]:
        """Return what is still there that should be gone when no match is played."""
        lobby, left = self.lobby, list[str]()
        for connection in lobby.connections():
            if connection.seatings or connection.expected or connection.thinking:
                left.append(f"bot {connection.bot} still has a seat or a question")
        for thing, names in (
            (lobby, ("_shared", "_absent", "_expected")),
            (self.runner, ("_tables", "_tournaments", "_cancelled")),
            (self.matches.taker, ("_playing",)),
            (self.cluster.bus, ("_waiting",)),
        ):
            left += [f"{name} still has {found!r:.200}" for name in names if (found := vars(thing)[name])]
        return left

    # -- what goes wrong on the way --------------------------------------------------------

    def _scribbled(self, call: Callable[[], T]) -> T:
        fence: Any = call()
        self.world.scribbled(self, fence.token)
        return cast(T, fence)

    async def _to_store(self, what: str, call: Callable[[], T]) -> T:
        self.world.store_calls[what] += 1
        if what == "act":  # noted when it is written: the answer may find a node that was frozen meanwhile
            call = partial(self._scribbled, call)
        if self._is_cut(self.store_cut_until):
            await asyncio.sleep(self.world.rng.uniform(0, _COMMAND_SECONDS))
            self._heard(False)
            raise StoreUnavailable("no answer")
        result = await super()._to_store(what, call)
        if self._is_cut(self.store_cut_until):
            self._heard(False)
            raise StoreUnavailable("no answer, but it is done")
        return result

    async def to_redis(self, what: str, call: Callable[[], T]) -> T:
        if self._is_cut(self.redis_cut_until):
            await asyncio.sleep(self.world.rng.uniform(0, _COMMAND_SECONDS))
            raise RedisTimeoutError("no reply")
        result = await super().to_redis(what, call)
        if self._is_cut(self.redis_cut_until):
            raise RedisTimeoutError("no reply, but it is done")
        return result

    def _is_cut(self, until: float) -> bool:
        return asyncio.get_running_loop().time() < until


def is_expected(error: Exception, *, started: bool, name_may_be_taken: bool) -> bool:
    """Return whether a node may end with this error: it cannot start, or was replaced."""
    if isinstance(error, AnotherServer):
        return name_may_be_taken
    return not started and isinstance(error, (StoreUnavailable, RedisUnavailable, SimulationError, RedisError))
