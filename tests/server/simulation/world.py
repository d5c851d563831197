"""A world in virtual time: a server that crashes, bots that come back, a store and a Redis that fail."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from tests.server.simulation.bots import KINDS, SimulatedBot
from tests.server.simulation.process import PROCESS, ServerProcess
from tests.server.simulation.queue import Broker, SimulatedQueue
from tests.server.simulation.scenario import Faults, Scenario
from tests.server.simulation.witness import Witness

from farfalia_engine import commitment
from farfalia_server.queue import match_taker
from farfalia_server.queue.match_queue import Job
from farfalia_server.store import Bot, Match, MatchState, Seat, Source
from farfalia_tools.testing import MemoryRedis, MemoryStore, VirtualTimeLoop, virtual_monotonic

_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
#: How often what a dead process still waits for is cancelled.
_CANCELLATIONS = 20


class Broken(AssertionError):
    """Raised when something does not hold that should."""


@dataclass(frozen=True)
class Outcome:
    """What a world was like when all was over."""

    matches: int
    hours: float
    crashes: int
    trace: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Digest of the trace: the same for the same seed."""
        return hashlib.sha256("\n".join(self.trace).encode()).hexdigest()


class World:
    """All that a seed leads to. `note` keeps the trace, `complain` the first thing that does not hold."""

    @staticmethod
    def surroundings(seed: int, loop: VirtualTimeLoop) -> AbstractContextManager[None]:
        """Give the server what it takes from its machine."""
        return nullcontext()

    #: What bots and the server are.
    kinds: Mapping[str, type[SimulatedBot]] = KINDS
    process: type[ServerProcess] = ServerProcess
    #: Seconds from when nothing goes wrong any more until all matches are over.
    patience = 7200.0
    #: Seconds from one ping to the next.
    ping_interval = 10.0

    def __init__(self, scenario: Scenario, loop: VirtualTimeLoop) -> None:
        self.scenario = scenario
        self.faults = scenario.faults
        self.rng = random.Random(scenario.seed)
        self._loop = loop
        self.trace: list[str] = []
        self.complaints: list[str] = []
        self.witness = Witness(self)
        self.redis = MemoryRedis(self._written)
        self.broker = Broker()
        self.store = self._new_store()
        self.store_down = self.redis_down = False
        self.server: ServerProcess | None = None
        self.processes: list[ServerProcess] = []
        self._started = loop.time()
        self._bots = [self.kinds[kind](self, 1 + at, scenario.names[at]) for at, kind in enumerate(scenario.bots)]
        #: By match, who sits where; None for house bots.
        self.seated: dict[int, list[SimulatedBot | None]] = {}
        self._plan()

    def _new_store(self) -> Any:
        return MemoryStore(self._loop.time)

    def reachable(self, rng: random.Random) -> ServerProcess | None:
        """Return the process to which a bot that connects now comes."""
        return self.server

    def tables(self) -> dict[int, ServerProcess]:
        """Return the process of each open table, by match: it has every entry."""
        return {} if self.server is None else dict.fromkeys(self.server.at_table(), self.server)

    # -- what others tell it ---------------------------------------------------------------

    def note(self, what: str) -> None:
        """Add a line to the trace."""
        self.trace.append(f"{self._loop.time():.6f} {what}")

    def complain(self, what: str) -> None:
        """Note that something does not hold."""
        self.note(f"BROKEN: {what}")
        self.complaints.append(what)

    def last_lines(self) -> list[str]:
        """Return the end of the trace, up to the first thing that does not hold."""
        broken = (at for at, line in enumerate(self.trace, 1) if "BROKEN" in line)
        end = next(broken, len(self.trace))
        return self.trace[max(0, end - 40) : end]

    def account(self, token: str) -> Any:
        """Return the bot with this token."""
        (bot,) = (bot for bot in self._bots if bot.token == token)
        return SimpleNamespace(id=bot.id, name=bot.name, house="", barred=False, hosted=False, by_host=False)

    def bury(self, process: ServerProcess) -> None:
        """Take away all that a dead process has left in the loop, and start another one after a while."""
        process.buried = True
        for task in process.tasks:
            task.cancel()
        self._loop.call_later(0.001, self._forget, process)
        self._loop.call_later(0.002 + self.rng.uniform(0, self.faults.down), self._start_server)

    def _forget(self, process: ServerProcess, again: int = _CANCELLATIONS) -> None:
        left = [task for task in process.tasks if not task.done()]
        if left and again:  # each ends what it waited for by waiting for something else
            for task in left:
                task.cancel()
            self._loop.call_later(0.001, self._forget, process, again - 1)
            return
        assert not left, f"tasks that do not end: {left}"
        self._loop.forget(lambda context: context.get(PROCESS) is process)

    def _written(self, key: str, number: int, payload: bytes) -> None:
        _, _, _, match, attempt, _ = key.split(":")
        self.witness.written(int(match), int(attempt), number, payload)

    # -- life ------------------------------------------------------------------------------

    async def live(self) -> Outcome:
        """Play all matches; Broken with the first thing that does not hold."""
        self._start_server()
        outside = [asyncio.create_task(bot.run()) for bot in self._bots]
        for task in outside:
            task.add_done_callback(self._bot_ended)
        troubles = [asyncio.create_task(trouble) for trouble in self._troubles()]
        try:
            await self._until(self._over, self.scenario.calm_after)
            for task in troubles:
                task.cancel()
            self.faults, self.store_down, self.redis_down = Faults(), False, False
            self.note("nothing goes wrong any more")
            await self._until(self._over, self.patience)
            await self._until(self._all_rated, self.patience)
            if not self.complaints:
                self._check_matches()
                await self._check_memory()
                await self._check_end()
        finally:
            for task in [*outside, *troubles]:
                task.cancel()
            for process in self.processes:
                process.dead = process.buried = True
                for task in process.tasks:
                    task.cancel()
            await asyncio.sleep(0.01)
        if self.complaints:
            raise Broken(self.complaints[0])
        hours = (self._loop.time() - self._started) / 3600
        return Outcome(len(self.scenario.matches), hours, len(self.processes) - 1, tuple(self.trace))

    def _bot_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self.complain(f"a bot of the simulation failed: {task.exception()!r}")

    async def _until(self, condition: Callable[[], bool], seconds: float) -> None:
        end = self._loop.time() + seconds
        while self._loop.time() < end and not condition() and not self.complaints:
            await asyncio.sleep(0.5)

    def _over(self) -> bool:
        return all(match.state.over for match in self.store.all()) and self.server is not None and self.server.idle

    def _all_rated(self) -> bool:
        return not self.store.ratings.unrated(1).matches

    def _check_matches(self) -> None:
        """Look at how the matches ended."""
        self.witness.check()

    async def _check_memory(self) -> None:
        await asyncio.sleep(5)
        server = self.server
        assert server is not None
        for connection in server.lobby.connections():
            if connection.seatings or connection.expected or connection.thinking:
                self.complain(f"bot {connection.bot} still has a seat or a question")
        for what in ("_matches", "_taken"):
            if seats := vars(vars(server.matches.taker)["_reservations"])[what]:
                self.complain(f"seats are still reserved, {what}: {seats}")
        for what in ("_absent", "_expected"):
            if left := vars(server.lobby)[what]:
                self.complain(f"the lobby still has {what}: {left}")
        if len(self.processes) > 1 or self.scenario.faults.fail_over:  # what a crash leaves, the next start sweeps
            await server.journal.sweep(server.store.matches.attempts)
        if left := self.redis.journals:
            self.complain(f"the journal still has {sorted(left)}")

    async def _check_end(self) -> None:
        """Look at what is left when all has ended."""

    def _start_server(self) -> None:
        process = self.process(self, f"server {1 + len(self.processes)}")
        self.processes.append(process)
        process.start()

    def _plan(self) -> None:
        for number, (game, options, seats) in enumerate(self.scenario.matches, 1):
            secret = self.rng.randbytes(32)
            who = [None if at < 0 else self._bots[at] for at in seats]
            self.seated[number] = who
            bots = [
                Bot(100 + seat, f"house-greedy-{1 + seat}", "1", "", "greedy", _BEGINNING)
                if bot is None
                else Bot(bot.id, bot.name, "1", "", "", _BEGINNING)
                for seat, bot in enumerate(who)
            ]
            match = Match(
                id=number,
                tournament_id=1,
                round=1,
                number=number,
                ruleset=game,
                options=options,
                board=f"board-{number}",
                seats=tuple(Seat(bot.id, bot.name, bool(bot.house)) for bot in bots),
                time_control=self.scenario.control,
                state=MatchState.QUEUED,
                epoch=0,
                attempt=1,
                node="",
                note="",
                result=None,
                created=_BEGINNING,
                started=None,
                finished=None,
                ladder=game,
                rating_seq=None,
                stage=0,
                table=0,
                replay=0,
            )
            settled = self.rng.random() < 0.7
            source = Source(secret, commitment(secret), (), {}, settled=settled)
            self._add(number, match, bots, source)

    def _add(self, number: int, match: Match, bots: list[Bot], source: Source) -> None:
        self.store.add(match, bots, source)

    # -- trouble ---------------------------------------------------------------------------

    def _troubles(self) -> list[Any]:
        faults = self.faults
        every = {
            self._crash: faults.crash,
            self._stall: faults.stall,
            self._drop: faults.drop,
            self._fail_over: faults.fail_over,
            self._flush_all: faults.flush_all,
        }
        troubles: list[Any] = [self._often(what, seconds) for what, seconds in every.items() if seconds]
        for name, seconds in (("store_down", faults.store_outage), ("redis_down", faults.redis_outage)):
            if seconds:
                troubles.append(self._outages(name, seconds))
        if faults.store_fail_over:
            troubles.append(self._store_failovers(faults.store_fail_over))
        return troubles

    async def _often(self, trouble: Callable[[], None], seconds: float) -> None:
        while True:
            await asyncio.sleep(self.rng.expovariate(1 / seconds))
            trouble()

    async def _outages(self, name: str, seconds: float) -> None:
        while True:
            await asyncio.sleep(self.rng.expovariate(1 / seconds))
            self.note(f"{name} begins")
            setattr(self, name, True)
            await asyncio.sleep(self.rng.uniform(0, self.faults.longest_outage))
            setattr(self, name, False)
            self.note(f"{name} ends")

    async def _store_failovers(self, seconds: float) -> None:
        while True:
            await asyncio.sleep(self.rng.expovariate(1 / seconds))
            self.note("the store fails")
            self.store_down = True
            await asyncio.sleep(self.rng.uniform(0, self.faults.longest_outage))
            self._fail_store_over()
            self.store_down = False

    def _fail_store_over(self) -> None:
        lag = min(self.rng.uniform(0, self.faults.longest_lag), self._loop.time() - self._started)
        lost = self.store.fail_over(lag)
        self.note(f"the store is as it was {lag:.1f} s ago, which sets {sorted(lost)} back")
        self.witness.set_back(lost)

    def _crash(self) -> None:
        if self.processes:
            self.processes[-1].die()

    def _stall(self) -> None:
        seconds = self.rng.uniform(0, self.faults.longest_stall)
        self.note(f"the loop stalls for {seconds:.1f} s")
        self._loop.stall(seconds)

    def _drop(self) -> None:
        bot = self.rng.choice(self._bots)
        if bot.call is not None:
            self.note(f"{bot.name} loses its connection")
            bot.call.lose(self.rng.uniform(0, 5))

    def _fail_over(self) -> None:
        writes = self.rng.randint(1, 8)
        self.note(f"redis loses {writes} writes")
        self.witness.lost(matches_of(self.redis.fail_over(writes)), everything=False)

    def _flush_all(self) -> None:
        self.note("redis loses everything")
        self.broker.flush_all()
        self.witness.lost(matches_of(self.redis.flush_all()), everything=True)


def matches_of(keys: set[str]) -> set[int]:
    return {int(key.split(":")[3]) for key in keys}


@contextmanager
def _queue() -> Iterator[None]:
    """Nodes have the queue of their process's world instead of a stream in Redis."""

    def queue(take: Callable[[Job], object], *, node: str, **_: object) -> SimulatedQueue:
        process = PROCESS.get()
        assert process is not None
        return SimulatedQueue(process, take, node)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_taker, "MatchQueue", queue)
        yield


def live(scenario: Scenario, kind: type[World] = World) -> Outcome:
    """Let a world live from its first moment to its end, in an event loop of its own."""
    before = random.getstate()
    random.seed(scenario.seed)  # the pauses before further attempts
    loop = VirtualTimeLoop()
    loop.set_task_factory(_of_its_process)
    loop.set_exception_handler(lambda _, context: failed(context))
    worlds: list[World] = []

    def failed(context: dict[str, Any]) -> None:
        worlds[0].complain(f"{context['message']}: {context.get('exception')!r}")

    async def run() -> Outcome:
        worlds.append(kind(scenario, loop))
        return await worlds[0].live()

    try:
        with (
            virtual_monotonic(),
            _queue(),
            kind.surroundings(scenario.seed, loop),
            structlog.testing.capture_logs(),
            asyncio.Runner(loop_factory=lambda: loop) as runner,
        ):
            return runner.run(run())
    except Exception as error:
        raise Broken("\n".join([str(error) or repr(error), *(worlds[0].last_lines() if worlds else ())])) from error
    finally:
        random.setstate(before)


def _of_its_process(loop: asyncio.AbstractEventLoop, coroutine: Any, **given: Any) -> asyncio.Task[Any]:
    task: asyncio.Task[Any] = asyncio.Task(coroutine, loop=loop, **given)
    context = given.get("context")
    process = PROCESS.get() if context is None else context.get(PROCESS)
    if process is not None:
        process.tasks.append(task)
    return task
