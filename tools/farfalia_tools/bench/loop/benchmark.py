"""How long a server's event loop is blocked in three scenes that are hard on it, and by what.

Bots, readers and archive are other processes: what runs in the loop is the server. A loop that is blocked lets all bots
wait; more than 20 ms is too much.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from google.protobuf.message import Message

from farfalia.arena import Arena
from farfalia.v1 import bots_pb2, ladders_pb2, matches_pb2, nodes_pb2, ratings_pb2, tournaments_pb2
from farfalia_server.contract.errors import ProgramError
from farfalia_server.healthz import directly
from farfalia_tools.bench.loop import archive
from farfalia_tools.bench.loop.ticker import LONG, Gap, Gaps
from farfalia_tools.bench.processes import output_of, python_process

#: Bots that one process plays, and tables of the ladder for which all of them wait.
_BOTS_EACH, _LADDER = 250, 4
#: Seconds that something may take which is not measured.
_PATIENCE = 300.0
#: Seconds between two readers.
_READING = 0.05
#: Matches that are still to be played of the archive's tournament.
_LEFT = 200
_ADMIN = "bench"


@dataclass(frozen=True, slots=True)
class Scale:
    """How large the scenes are."""

    bots: int = 1000
    archive: int = 20_000
    tables: int = 256


@dataclass(frozen=True, slots=True)
class Row:
    """A part of a scene, and what was found in it."""

    scene: str
    gaps: Gaps


class MeasuredServer:
    """A server with a ticker in its loop."""

    def __init__(self, process: Process, where: dict[str, Any]) -> None:
        self._process = process
        self.bots: str = where["bots"]
        self.pages: str = where["pages"]

    async def gaps(self) -> Gaps:
        """Return what was found since this was called last."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"\n")
        return Gaps.of(json.loads(await self._process.stdout.readline()))

    async def get(self, path: str) -> bytes:
        """Return a page."""
        return await asyncio.to_thread(self._get, path)

    def _get(self, path: str) -> bytes:
        address = self.pages.rstrip("/") + path
        with directly(address, _PATIENCE) as answer:
            body: bytes = answer.read()
            return body


async def run(
    seconds: float = 20.0, scale: Scale | None = None, done: Callable[[int, int], object] = lambda *_: None
) -> list[Row]:
    """Measure each part of each scene for this many seconds; `done` is told how many scenes are over, of how many."""
    scale, rows = scale or Scale(), []
    scenes: list[Callable[[Scale, float, Path], Coroutine[Any, Any, list[Row]]]] = [_waiting, _archive, _house]
    for number, scene in enumerate(scenes, 1):
        with tempfile.TemporaryDirectory(prefix="farfalia-bench-") as folder:
            rows += await scene(scale, seconds, Path(folder))
        done(number, len(scenes))
    return rows


async def _waiting(scale: Scale, seconds: float, folder: Path) -> list[Row]:
    """Bots that connect, and then wait for a seat on a ladder with few tables."""
    async with _server(folder, limit_ms=600_000) as (server, arena), AsyncExitStack() as stack:
        await arena.ask("OpenLadder", ladders_pb2.OpenLadderRequest(ladder=ladders_pb2.Ladder(tables=_LADDER)))
        names = [f"bench-{number + 1}" for number in range(scale.bots)]
        tokens = [(await arena.ask("RegisterBot", bots_pb2.RegisterBotRequest(name=name))).token for name in names]
        await server.gaps()
        playing = []
        for first in range(0, len(tokens), _BOTS_EACH):
            process = await stack.enter_async_context(
                python_process("farfalia_tools.bench.server.bots", server.bots, "1", "5")
            )
            assert process.stdin is not None
            process.stdin.write(json.dumps(tokens[first : first + _BOTS_EACH]).encode() + b"\n")
            playing.append(process)
        await _until(partial(_are_connected, arena, scale.bots), "all bots are connected")
        rows = [Row(f"{scale.bots} bots connect", await server.gaps())]
        await asyncio.gather(*(_answer(process, seconds) for process in playing))
        return [*rows, Row(f"{scale.bots} bots wait for a seat", await server.gaps())]


async def _archive(scale: Scale, seconds: float, folder: Path) -> list[Row]:
    """Pages, lists and a watcher of an arena with many finished matches, whose last ones are being played."""
    matches = str(scale.archive - _LEFT), str(_LEFT)
    await output_of("farfalia_tools.bench.loop.archive", str(folder / "farfalia.db"), *matches)
    async with _server(folder, max_tables=4) as (server, arena):
        await server.gaps()
        watching = asyncio.create_task(_watch(arena))
        rows = []
        for what, reading in (
            ("its pages and JSON", _read_pages(server)),
            ("calls of a client", _ask(arena)),
        ):
            reader = asyncio.create_task(reading)
            await asyncio.sleep(seconds)
            reader.cancel()
            with suppress(asyncio.CancelledError):
                await reader
            rows.append(Row(f"{scale.archive} matches, {what}", await server.gaps()))
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        return rows


async def _house(scale: Scale, seconds: float, folder: Path) -> list[Row]:
    """Tables of house bots alone."""
    async with _server(folder, max_tables=scale.tables) as (server, arena):
        request = tournaments_pb2.CreateTournamentRequest(
            name="house", bots=archive.BOTS, rounds=min(10_000, 20 * scale.tables)
        )
        number = (await arena.ask("CreateTournament", request)).tournament.id
        await server.gaps()
        await arena.ask("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        await asyncio.sleep(seconds)
        return [Row(f"{scale.tables} tables of house bots", await server.gaps())]


@asynccontextmanager
async def _server(folder: Path, **settings: object) -> AsyncIterator[tuple[MeasuredServer, Arena]]:
    chosen = {"data_dir": folder, "grpc_port": 0, "http_port": 0, "admin_token": _ADMIN, "log_level": "error"}
    chosen |= {"analysis_minutes": 0}
    environment: dict[str, Any] = {
        f"FARFALIA_{name.upper()}": str(value) for name, value in (chosen | settings).items()
    }
    async with python_process("farfalia_tools.bench.loop.measured_server", data=folder, **environment) as process:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), _PATIENCE)
        if not line:
            raise ProgramError("the server of the benchmark does not start; its last lines say why")
        server = MeasuredServer(process, json.loads(line))
        async with Arena(server.bots, _ADMIN, timeout=_PATIENCE) as arena:
            yield server, arena


async def _answer(process: Process, seconds: float) -> None:
    """Let the bots of a process answer for some seconds."""
    assert process.stdin is not None
    assert process.stdout is not None
    arguments: dict[str, object] = {"seconds": seconds, "rate": None, "settle": 0.0, "servers": [], "redis": []}
    process.stdin.write(json.dumps(arguments).encode() + b"\n")
    if not await process.stdout.readline():
        raise ProgramError("the bots of the benchmark have ended; their last lines say why")


async def _until(condition: Callable[[], Coroutine[Any, Any, bool]], what: str) -> None:
    give_up = monotonic() + _PATIENCE
    while not await condition():
        if monotonic() > give_up:
            raise ProgramError(f"timed out after {_PATIENCE:.0f} s: {what}")
        await asyncio.sleep(0.5)


async def _are_connected(arena: Arena, bots: int) -> bool:
    nodes = (await arena.ask("ListNodes", nodes_pb2.ListNodesRequest())).nodes
    connected: int = sum(node.bots for node in nodes)
    return connected >= bots


async def _watch(arena: Arena) -> None:
    async for _ in arena.watch_tournament(id=1):
        pass


async def _read_pages(server: MeasuredServer) -> None:
    paths = ("/", "/tournaments/1", "/bots/house-greedy-1", "/api/matches?limit=1000", "/api/tournaments/1", "/metrics")
    while True:
        for path in paths:
            await server.get(path)
            await asyncio.sleep(_READING)


async def _ask(arena: Arena) -> None:
    requests: Sequence[tuple[str, Message]] = (
        ("GetTournament", tournaments_pb2.GetTournamentRequest(id=1)),
        ("ListTournaments", tournaments_pb2.ListTournamentsRequest()),
        ("ListMatches", matches_pb2.ListMatchesRequest(limit=1000)),
        ("ListRatings", ratings_pb2.ListRatingsRequest()),
        ("GetBot", bots_pb2.GetBotRequest(name="house-greedy-1")),
        ("ListBots", bots_pb2.ListBotsRequest()),
    )
    while True:
        for call, request in requests:
            await arena.ask(call, request)
            await asyncio.sleep(_READING)


def table(rows: Sequence[Row]) -> str:
    """Return the rows as plain text: the figures, and under each row what ran in its longest gaps."""
    width = max(len(row.scene) for row in rows)
    lines = [f"{'':{width}}    longest   p99.9      busy   p99.9   over {LONG * 1000:.0f}   collection"]
    for row in rows:
        gaps = row.gaps
        figures = (gaps.longest, gaps.p999, gaps.longest_busy, gaps.p999_busy)
        ms = "".join(
            f"{seconds * 1000:10.1f}" if at % 2 == 0 else f"{seconds * 1000:8.1f}" for at, seconds in enumerate(figures)
        )
        lines.append(f"{row.scene:{width}} {ms}{gaps.long:10d}{gaps.longest_collection * 1000:13.1f}")
        lines += [f"  {_told(gap)}" for gap in gaps.worst]
    return "\n".join([*lines, "", *_METHOD])


#: What has to be known to read the table.
_METHOD = (
    "Milliseconds in which nothing else could run in the loop, by a tick each millisecond; busy is the processor time",
    "that the loop's thread used of them: the rest went to other processes. Gaps over 20 are counted by that. Below",
    "each scene stands what ran in its longest gaps, from the loop inwards.",
)


def _told(gap: Gap) -> str:
    return f"{gap.busy * 1000:6.1f} of {gap.seconds * 1000:.1f} ms: {gap.ran}"
