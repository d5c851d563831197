"""What viewers of one table cost all tables, and how long after the journal they see what happens."""

from __future__ import annotations

import asyncio
import json
import time
from asyncio.subprocess import Process
from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

from redis.asyncio import Redis

from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import ProgramError
from farfalia_server.net.measures import percentile
from farfalia_server.net.redis_connection import connect
from farfalia_server.play.journal import log_name
from farfalia_server.play.record_pieces import events as events_of
from farfalia_server.records.spectator_events import SpectatorEvents
from farfalia_server.store import LiveTable, MatchState, Store
from farfalia_tools.bench.checkouts import HERE
from farfalia_tools.bench.processes import python_process
from farfalia_tools.bench.server.systems import ServerSystem, server_system

#: Tables of the watched server, seconds of a slice, and how often the viewers come at least, each time for some slices.
#: A match whose bots answer at once lasts a second or two.
TABLES, _SLICE, _LEAST = 16, 0.25, 3
#: Most slices with viewers: a match is over after a few, and it takes seconds until 500 are let in to the next.
_MOST = 24
#: Answers a second while it is timed when viewers see a card: bots that think, on a server that has time.
PACE = 200.0
#: Tables that are watched in turn until a card is seen at one, or until there are slices enough: a match may be over
#: first, a busy machine play no card.
_TRIES = 20
#: Seconds after the last card in which viewers on a busy machine may still see it, and in which viewers must have come.
_LATE, _PATIENCE = 2.0, 300.0
DATABASE = "farfalia.db"


@dataclass(frozen=True, slots=True)
class ViewerFigures:
    """What viewers of one table cost the tables, and when 95 % of them see what happens; times in seconds."""

    viewers: int
    alone: float
    watched: float
    events: int
    delay_p50: float
    delay_p95: float


async def measure_viewers(folder: Path, seconds: float, viewers: int) -> ViewerFigures:
    """Let bots play with and without viewers, in turn, for this many seconds each, and then as long at a pace.

    The data of the server are in the folder. Raises ProgramError if it, its bots or the viewers end early.
    """
    async with AsyncExitStack() as stack:
        system = await stack.enter_async_context(server_system(HERE, folder, TABLES, 5, seconds=3 * seconds))
        address = f"http://127.0.0.1:{system.http}"
        crowd = await stack.enter_async_context(
            python_process("farfalia_tools.bench.web.viewers", address, str(viewers))
        )
        store = await stack.enter_async_context(await Store.attach(str(folder / DATABASE)))
        scene = _Scene(folder, store, system, crowd)
        alone, watched = await scene.decisions(max(_LEAST, min(_MOST, round(seconds / _SLICE / 2))))
        delays = await scene.delays(seconds)
    return ViewerFigures(
        viewers, median(alone), median(watched), len(delays), percentile(delays, 0.5), percentile(delays, 0.95)
    )


class _Scene:
    """A server with bots, which play only during slices, and viewers, who come and leave in between."""

    def __init__(self, folder: Path, store: Store, system: ServerSystem, crowd: Process) -> None:
        self._redis_url = f"unix://{folder / 'redis/redis.sock'}"
        self._store = store
        self._system = system
        self._crowd = crowd

    async def decisions(self, slices: int) -> tuple[list[float], list[float]]:
        """Return the decisions a second in slices without and with viewers, as many of each."""
        alone: list[float] = []
        watched: list[float] = []
        for turn in range(1, _LEAST + 1):
            so_far = slices * turn // _LEAST
            while len(alone) < so_far:
                alone.append(await self._decisions())
            for _ in range(_TRIES):
                if len(watched) == so_far:
                    break
                match = await self._come()
                await self._system.slice(_SLICE, PACE)  # they see what was played before they came
                over = False
                while len(watched) < so_far and not over:
                    measured = await self._decisions()
                    over = (await self._store.matches.get(match)).state is not MatchState.RUNNING
                    if not over:
                        watched.append(measured)
                await self._leave()
            else:
                raise ProgramError("the watched matches of the benchmark were over too soon")
        return alone, watched

    async def delays(self, seconds: float) -> list[float]:
        """Return how long after its journal entry each event was seen by 95 % of the viewers."""
        for _ in range(_TRIES):
            if found := await self._delays_of_one_match(seconds):
                return found
        raise ProgramError("no viewer of the benchmark has seen a card")

    async def _delays_of_one_match(self, seconds: float) -> list[float]:
        """Return the delays at one table; none if its match was over first, or if no card was played meanwhile."""
        match = await self._come()
        table = await self._store.live_tables.get(match)
        name = log_name(await self._store.meta.database(), match, table.match.attempt)
        entries: list[tuple[float, bytes]] = []
        over = asyncio.Event()
        async with connect(self._redis_url) as redis:
            reading = asyncio.create_task(_read(redis, name, entries, over))
            try:
                await self._system.slice(seconds, PACE)
                await asyncio.sleep(_LATE)
            finally:
                over.set()
                await reading
        seen = await self._leave()
        written = _written(table, entries)
        return [max(0.0, seen[event][1] - at) if event in seen else inf for event, at in written.items()]

    async def _decisions(self) -> float:
        measured = await self._system.slice(_SLICE)
        return measured.decisions / measured.seconds

    async def _come(self) -> int:
        """Let the viewers come to the newest match at a table; return it when all watch."""
        give_up = time.monotonic() + _PATIENCE
        while not (running := await self._store.matches.running()):  # all may end at the same moment
            if time.monotonic() > give_up:
                raise ProgramError("no match of the benchmark is being played")
            await asyncio.sleep(_SLICE / 10)
        match: int = running[-1].id
        await self._told(match)
        return match

    async def _leave(self) -> dict[str, tuple[float, float]]:
        """Let the viewers leave; return when the middle and 95 % of them saw each event."""
        found: dict[str, tuple[float, float]] = await self._told(0)
        return found

    async def _told(self, what: int) -> Any:
        """Tell the viewers something and return their answer."""
        assert self._crowd.stdin is not None
        assert self._crowd.stdout is not None
        self._crowd.stdin.write(b"%d\n" % what)
        try:
            line = await asyncio.wait_for(self._crowd.stdout.readline(), _PATIENCE)
        except TimeoutError:
            raise ProgramError(f"not all viewers of the benchmark were let in in {_PATIENCE:.0f} s") from None
        if not line:
            raise ProgramError("the viewers of the benchmark have ended; their last lines say why")
        return json.loads(line)


async def _read(redis: Redis, name: str, entries: list[tuple[float, bytes]], over: asyncio.Event) -> None:
    """Note each entry of a journal with the time at which it was there; 0 for those that were there before.

    It is told when it is over rather than cancelled: a call that is cancelled while its reply comes goes on.
    """
    before: Any = await redis.xrange(name)
    entries += [(0.0, fields[b"e"]) for _, fields in before]
    while not over.is_set():
        found: Any = await redis.xread({name: f"{len(entries)}-0"}, block=1000)
        at = time.time()
        entries += [(at, fields[b"e"]) for _, rows in found for _, fields in rows]


def _written(table: LiveTable, entries: Iterable[tuple[float, bytes]]) -> dict[str, float]:
    """Return when the journal had each event of a table, by what viewers call it; not of what was there before."""
    written: dict[str, float] = {}
    story = SpectatorEvents(table.first_deal(table.match), [seat.name for seat in table.match.seats])
    for at, piece in entries:
        before = len(story.events)
        story.follow_all(action for action, _ in events_of(record_pb2.Record.FromString(piece), story.actions))
        if at:
            numbers = range(before + 1, len(story.events) + 1)
            written |= dict.fromkeys((f"{table.match.attempt}.{number}" for number in numbers), at)
    return written
