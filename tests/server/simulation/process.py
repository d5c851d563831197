"""The process of a server: everything of it that a crash takes away."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from tests.server.simulation.call import Call

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.net.measures import Measures
from farfalia_server.play.house_scheduler import HouseScheduler
from farfalia_server.play.journal import Author, Journal, Owner
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.match_runner import MatchRunner
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.play.outflow import Outflow
from farfalia_server.play.play_service import PlayService
from farfalia_server.play.redis_scripts import WRITTEN
from farfalia_server.queue import matches_of_one
from farfalia_server.rating.rater import Rater

if TYPE_CHECKING:
    from tests.server.simulation.world import World

T = TypeVar("T")

#: The process that a task or a callback belongs to.
PROCESS: contextvars.ContextVar[ServerProcess | None] = contextvars.ContextVar("process", default=None)


class SimulationError(Exception):
    """Raised by a store that fails in a way that nobody has thought of."""


class WitnessedJournal(Journal):
    """The journal; the world learns what tables are told."""

    def __init__(self, world: World, redis: Any, owner: Owner | None = None) -> None:
        super().__init__(redis, "simulation", redis, owner=owner)
        self._world = world

    def _tell(self, batch: Sequence[tuple[Author, int, bytes]], replies: Sequence[int]) -> None:
        for (author, number, payload), reply in zip(batch, replies, strict=True):
            if reply == WRITTEN:
                self._world.witness.confirmed(author.match, author.attempt, number, payload)
        super()._tell(batch, replies)


class ServerProcess:
    """A server from its start to its crash."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.dead = self.buried = False
        self.tasks: list[asyncio.Task[Any]] = []
        #: All calls ever: even of one that has ended, the end may be on its way.
        self._calls: list[Call] = []
        self._context = contextvars.copy_context()
        self._context.run(PROCESS.set, self)
        self._unavailable = False
        self._outage_end = float("-inf")

    def spawn(self, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something as a part of this process."""
        return asyncio.create_task(coroutine, context=self._context)

    # -- start and end ---------------------------------------------------------------------

    def start(self) -> None:
        """Start the server, which resumes what the last one has left."""
        self.spawn(self._run())

    async def _run(self) -> None:
        world, scenario, loop = self.world, self.world.scenario, asyncio.get_running_loop()
        measures = Measures()
        self.store = store = world.store.client(self._to_store)
        self.journal = journal = WitnessedJournal(world, world.redis.client(self.to_redis))
        await journal.__aenter__()
        await self._insist(partial(journal.sweep, store.matches.attempts))
        clock = LoopClock(measures, loop.time, lambda: 0.0)
        await clock.__aenter__()
        outflow = Outflow(now=loop.time)
        self.lobby = Lobby(
            linger=0.002,
            reconnect_grace=scenario.grace,
            schedule_flush=lambda flush: journal.after_flush(partial(outflow.submit, flush)),
            changed=lambda: self.matches.wake(),
            measures=measures,
            outage_end=lambda: loop.time() if self._unavailable else self._outage_end,
            clock=clock,
        )
        nonces = NonceCollector(cast(Any, store), self.lobby)
        self.runner = MatchRunner(
            store,
            journal,
            self.lobby,
            nonces,
            node=f"here@{self.name}",
            fallback="greedy",
            measures=measures,
            house_scheduler=HouseScheduler(now=loop.time),
            now=lambda: datetime.fromtimestamp(loop.time(), UTC),
        )
        self.matches = matches_of_one(
            store,
            self.lobby,
            self.runner,
            redis_url="redis://simulated",
            database="db",
            most=scenario.tables,
            absence=scenario.absence,
        )
        service = PlayService(
            self.lobby,
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
        )
        self.lobby.expect(await self._insist(store.matches.bots_of_running))
        self._service = service
        world.server = self
        world.note(f"{self.name} is up")
        await self.matches.taker.__aenter__()
        await self.matches.seater.__aenter__()
        await self._enter_services(store)

    async def _enter_services(self, store: Any) -> None:
        """Start what works on what is committed."""
        await Rater(store).__aenter__()

    async def _insist(self, call: Callable[[], Any]) -> Any:
        """Call until it works, as an operator starts a server again."""
        while True:
            try:
                return await call()
            except (StoreUnavailable, SimulationError):
                await asyncio.sleep(1)

    def die(self) -> None:
        """Stop at once: nothing that this process still does has an effect."""
        if self.dead:
            return
        self.dead = True
        if self.world.server is self:
            self.world.server = None
        self.world.note(f"{self.name} is killed")
        self.world.witness.crashed(self)
        for call in self._calls:
            call.lose(0.0)
        asyncio.get_running_loop().call_soon(self.world.bury, self, context=contextvars.Context())

    # -- calls -----------------------------------------------------------------------------

    def accept(self, call: Call) -> None:
        """Serve a call of a bot."""
        self._calls.append(call)
        self.spawn(self._serve(call))

    async def _serve(self, call: Call) -> None:
        play: Any = self._service._play
        try:
            await play(None, call)
        except Exception as error:
            self.world.note(f"a call ends: {error!r:.80}")
        finally:
            if not self.dead:
                call.end()

    async def _bot_by_token(self, token: str) -> Any:
        return await self._to_store("token", lambda: self.world.account(token))

    # -- matches ---------------------------------------------------------------------------

    def at_table(self) -> set[int]:
        """Return the matches whose tables are open here: they have every entry."""
        connections = self.lobby.connections()
        seated = {match for connection in connections for match in connection.seatings}
        return seated & self.matches.taker._playing.keys()

    @property
    def idle(self) -> bool:
        """Whether no match is played here."""
        return not self.matches.taker.playing

    # -- what goes wrong on the way --------------------------------------------------------

    async def _to_store(self, what: str, call: Callable[[], T]) -> T:
        world, faults = self.world, self.world.faults
        await self._travel(faults.store_delay)
        if world.store_down or world.rng.random() < faults.store_unavailable / 2:
            self._heard(False)
            raise StoreUnavailable("no answer")
        if what in ("finish", "void") and world.rng.random() < faults.store_fails / 2:
            raise SimulationError("before")
        result = call()
        world.note(f"store: {what} is done")
        self._maybe_die()
        await self._travel(faults.store_delay)
        if world.rng.random() < faults.store_unavailable / 2:
            self._heard(False)
            raise StoreUnavailable("no answer, but it is done")
        if what in ("finish", "void") and world.rng.random() < faults.store_fails / 2:
            raise SimulationError("after")
        self._heard(True)
        return result

    async def to_redis(self, what: str, call: Callable[[], T]) -> T:
        world, faults = self.world, self.world.faults
        await self._travel(faults.redis_delay)
        if world.redis_down:
            raise RedisConnectionError("connection refused")
        if world.rng.random() < faults.redis_unreachable / 2:
            raise RedisError("OOM command not allowed") if world.rng.random() < 0.5 else RedisConnectionError("reset")
        result = call()
        self._maybe_die()
        await self._travel(faults.redis_delay)
        if world.rng.random() < faults.redis_unreachable / 2:
            raise RedisConnectionError("reset, but it is done")
        return result

    async def _travel(self, delay: float) -> None:
        if delay:
            await asyncio.sleep(self.world.rng.uniform(0, delay))
        if self.dead:
            if self.buried:  # it tidies up, as nobody does who was killed
                raise asyncio.CancelledError
            await asyncio.get_running_loop().create_future()

    def _maybe_die(self) -> None:
        if self.world.rng.random() < self.world.faults.crash_in_call:
            self.die()

    def _heard(self, answer: bool) -> None:
        if not answer:
            self._unavailable = True
        elif self._unavailable:
            self._unavailable, self._outage_end = False, asyncio.get_running_loop().time()


async def nothing(*_: object) -> Any:
    return frozenset()


async def no_ratings(_: int) -> list[Any]:
    return []
