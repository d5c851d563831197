"""Worlds with a tournament in a room that loses its power: its bots are gone together, and come back."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Self
from zlib import crc32

import pytest
from tests.server.simulation.bots import SimulatedBot
from tests.server.simulation.cluster import ClusterWorld
from tests.server.simulation.node import RATER, NodeProcess
from tests.server.simulation.process import ServerProcess
from tests.server.simulation.scenario import Faults, Scenario
from tests.server.simulation.sql_store import SqlStore, at_once
from tests.server.simulation.world import Outcome, World

from farfalia.v1 import play_pb2, tournaments_pb2
from farfalia_engine import Cause, TimeControl
from farfalia_server.net import wall_clock
from farfalia_server.organising.director import Director
from farfalia_server.organising.entries import families_of
from farfalia_server.organising.network_watch import NetworkWatch
from farfalia_server.organising.planning import Planner
from farfalia_server.organising.stage_messages import stage_message
from farfalia_server.organising.stage_progress import StageProgress
from farfalia_server.rating import rebuilding
from farfalia_server.records import codec
from farfalia_server.records.verifying import verify
from farfalia_server.store import Act, MatchState, Store, TournamentState
from farfalia_tools.testing import VirtualTimeLoop
from farfalia_tournaments import parse_stages
from farfalia_tournaments.schedules import Boards

DIRECTOR = "director"
#: Seconds after which an outage has been noticed, and what it has spoiled is void.
_NOTICED = 40.0
#: What a round of stages is played as.
STAGES = (
    "swiss:rounds=3",
    "swiss:rounds=2,qualifiers=4 knockout:advance=1",
    "round-robin:rounds=2 swiss:rounds=2",
    "knockout:advance=1,matches=2,boards=rotations",
)
#: Why an entrant's action was played without a fault of anybody.
_CLEAN = (Cause.BOT, Cause.FORCED)


@dataclass(frozen=True)
class Outage:
    """The power goes, for some seconds, once this number of matches is finished."""

    finished: int
    seconds: float
    #: "all", "half" of those that have matches to play, or one "switch" of two.
    who: str
    #: Seconds after which the server learns that a stream has ended; until then it can only hear nothing.
    noticed: float


@dataclass(frozen=True)
class PoweredScenario(Scenario):
    """A world with one tournament."""

    stages: str = ""
    outages: tuple[Outage, ...] = ()


@dataclass(frozen=True)
class PoweredOutcome(Outcome):
    """How a tournament ended: its entrants, best first, the points of its matches by place and seats, and its log."""

    standings: tuple[str, ...] = ()
    points: Mapping[Any, tuple[int, ...]] = field(default_factory=dict)
    #: Whether every match was played at its first attempt.
    at_first: bool = True
    pauses: int = 0


def powered_scenario(seed: int, nodes: int = 0, *, brief: bool = False) -> PoweredScenario:
    """Draw a world; nothing else goes wrong in it. Brief outages are over before most bots would answer a ping late."""
    rng = random.Random(f"{seed}/power/{nodes}")
    lengths = (9.0, 10.0, 11.0, 12.0) if brief else (15.0, 40.0, 300.0)
    outages = tuple(
        Outage(
            finished,
            rng.choice(lengths),
            rng.choice(("all", "half", "switch")),
            rng.choice((0.0, 20.0, 3600.0)),
        )
        for finished in sorted(rng.sample(range(6), rng.choice((1, 2))))
    )
    return PoweredScenario(
        seed=seed,
        faults=Faults(),
        matches=(),
        bots=("honest",) * rng.randint(6, 9),
        control=TimeControl(
            limit_ms=rng.choice((2000, 60_000)), bank_ms=rng.choice((0, 5000)), grace=rng.choice((0, 2))
        ),
        think=0.2,
        latency=rng.choice((0.0, 0.05)),
        away=2.0,
        grace=30.0,
        absence=60.0,
        tables=rng.choice((1, 3, 16)),
        calm_after=36_000.0,
        silence=3600.0 if not nodes else 10.0,
        nodes=nodes,
        stages=rng.choice(STAGES),
        outages=outages,
    )


class PoweredBot(SimulatedBot):
    """A bot that plays while it has power; what it answers follows from its name and the question alone."""

    honest = False  # it may be late
    powered = True

    def server(self) -> ServerProcess | None:
        return super().server() if self.powered else None

    def answer(self, call: Any, question: play_pb2.Question) -> None:
        action = question.legal[crc32(f"{self.name}/{question.number}".encode()) % len(question.legal)]
        self.world.witness.answered(self.name, question, action)
        actions = [play_pb2.Action(match=question.match, number=question.number, action=action)]
        call.send(play_pb2.PlayRequest(actions=actions))

    def lose_power(self, noticed: float) -> None:
        self.powered = False
        if self.call is not None:
            self.call.lose(noticed)


def _director(process: ServerProcess, store: Store) -> Director:
    watch = NetworkWatch(store, process.lobby.reachable, asyncio.get_running_loop().time)
    return Director(store, filler="greedy", watch=watch)


class PoweredProcess(ServerProcess):
    """A server with a director."""

    async def _enter_services(self, store: Any) -> None:
        await super()._enter_services(store)
        await _director(self, store).__aenter__()


class PoweredNode(NodeProcess):
    """A node that may be the director."""

    def _roles(self, store: Any) -> Mapping[str, Any]:
        return {DIRECTOR: _director(self, store), RATER: super()._roles(store)[RATER]}


class PoweredWorld(World):
    """A tournament, its bots and one server."""

    scenario: PoweredScenario
    store: SqlStore
    process = PoweredProcess
    ping_interval = 5.0
    kinds = MappingProxyType({"honest": PoweredBot})

    @staticmethod
    def surroundings(seed: int, loop: VirtualTimeLoop) -> Any:
        return _clocks(loop)

    def _new_store(self) -> Any:
        return SqlStore()

    def _plan(self) -> None:
        pass  # the tournament needs the loop to run

    async def live(self) -> PoweredOutcome:
        try:
            await self._begin()
            outcome = await super().live()
            return await self._outcome(outcome)
        finally:
            self.store.close()

    async def _begin(self) -> None:
        """Register the bots, and start their tournament."""
        store = self.store.own
        for bot in self._bots:
            bot.id = (await store.bots.register(bot.name))[0].id
        request = tournaments_pb2.CreateTournamentRequest(
            name="final",
            bots=self.scenario.names,
            ruleset="two",
            stages=map(stage_message, parse_stages(self.scenario.stages, Boards.DATUM)),
        )
        secret = random.Random(f"{self.scenario.seed}/secret").randbytes(32)
        await Planner(store, time_control=self.scenario.control, filler="greedy", secret=secret).plan(request)
        await store.tournaments.start(1)

    # -- trouble ---------------------------------------------------------------------------

    def _troubles(self) -> list[Any]:
        return [self._lose_power()]

    async def _lose_power(self) -> None:
        for outage in self.scenario.outages:
            while self._finished() < outage.finished:
                await asyncio.sleep(0.5)
            await asyncio.sleep(self.rng.uniform(0, 3))
            gone = self._gone(outage.who)
            self.note(f"the power of {[bot.name for bot in gone]} is gone")
            for bot in gone:
                bot.lose_power(outage.noticed)
            await asyncio.sleep(outage.seconds)
            if len(gone) == len(self._bots) and outage.seconds >= _NOTICED:
                self._check_rated()
            self.note("the power is back")
            for bot in gone:
                bot.powered = True
            await asyncio.sleep(self.rng.uniform(0, 20))

    def _gone(self, who: str) -> list[Any]:
        """Return the bots that an outage takes: at least half of those that have matches to play, and two of them."""
        awaited = at_once(self.store.own.pauses.awaited(1))
        there = [bot for bot in self._bots if bot.id in awaited] or self._bots
        if who == "half":
            return self.rng.sample(there, max(2, (len(there) + 1) // 2))
        on_switch = [bot for bot in there if bot.id % 2]
        if who == "switch" and len(on_switch) >= 2 and 2 * len(on_switch) >= len(there):
            return [bot for bot in self._bots if bot.id % 2]
        return list(self._bots)

    def _finished(self) -> int:
        return sum(match.state is MatchState.FINISHED for match in self.store.all())

    # -- the end ---------------------------------------------------------------------------

    def _over(self) -> bool:
        tournament = at_once(self.store.own.tournaments.get(1))
        return tournament.state is TournamentState.FINISHED and self._is_idle()

    def _is_idle(self) -> bool:
        return self.server is not None and self.server.idle

    def _all_rated(self) -> bool:
        return {match.rating_seq is not None for match in self.store.all() if match.state is MatchState.FINISHED} == {
            True
        }

    def _check_rated(self) -> None:
        """Nobody was there for a while: what is rated was played to its end by its entrants."""
        for match in self.store.all():
            if match.state is MatchState.FINISHED and match.rating_seq is not None:
                self._check_played(match.id)

    def _check_matches(self) -> None:
        for match in self.store.all():
            if match.replaced_by is not None:
                continue
            if match.state is not MatchState.FINISHED:
                self.complain(f"match {match.id} is {match.state}: {match.note}")
            else:
                self._check_played(match.id)

    def _check_played(self, number: int) -> None:
        record = at_once(self.store.own.records.get(number))
        read = codec.from_message(record)
        if not (verdict := verify(read)).holds:
            self.complain(f"the record of match {number} does not hold: {verdict.violations}")
        if read.incidents:
            self.complain(f"match {number} counts with {read.incidents}")
        for action in read.actions:
            if action.cause not in _CLEAN and not read.seats[action.seat].house:
                self.complain(f"match {number} counts with {action}")

    async def _outcome(self, outcome: Outcome) -> PoweredOutcome:
        store = self.store.own
        tournament, entrants = await store.tournaments.get(1), await store.tournaments.entrants(1)
        matches = self.store.all()
        bots = await store.bots.by_ids(entrant.bot_id for entrant in entrants)
        final = StageProgress.of(tournament, entrants, matches, families_of(entrants, bots)).final()
        acts = [act.act for act in await store.acts.of(1)]
        assert acts.count(Act.PAUSE) == acts.count(Act.RESUME)
        return PoweredOutcome(
            len(matches),
            outcome.hours,
            outcome.crashes,
            outcome.trace,
            tuple(entrants[row.entrant].name for row in final if row.entrant >= 0),
            {
                (match.stage, match.round, match.table, match.board, match.replay, match.bot_ids): match.result.points
                for match in matches
                if match.result is not None
            },
            all(match.attempt == 1 and match.replaced_by is None for match in matches),
            acts.count(Act.PAUSE),
        )


class PoweredCluster(PoweredWorld, ClusterWorld):
    """A tournament, its bots and several nodes."""

    node_process = PoweredNode
    roles = (DIRECTOR, RATER)

    @staticmethod
    def surroundings(seed: int, loop: VirtualTimeLoop) -> Any:
        stack = ExitStack()
        stack.enter_context(ClusterWorld.surroundings(seed, loop))
        stack.enter_context(_clocks(loop))
        return stack

    def _is_idle(self) -> bool:
        return all(process.is_up and process.idle for process in self.nodes.values())


class _NoProcess:
    """What a worker process does, done here."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        return work(*arguments)


@contextmanager
def _clocks(loop: VirtualTimeLoop) -> Iterator[None]:
    """Give the virtual time to the store, and to what has a thread elsewhere its own turn of the loop."""

    async def here(work: Callable[..., Any], *arguments: Any) -> Any:
        return work(*arguments)

    clock: Any = vars(wall_clock)["now"].__self__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "to_thread", here)
        patch.setattr(rebuilding, "WorkerProcess", _NoProcess)
        patch.setattr(clock, "_machine_time", lambda: datetime.fromtimestamp(loop.time(), UTC))
        patch.setattr(clock, "_monotonic", loop.time)
        patch.setattr(clock, "_last", (datetime.fromtimestamp(loop.time(), UTC), loop.time()))
        yield
