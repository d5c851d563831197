"""What a crowd of connected bots costs a server: to let in, to keep, and to play at as many tables as it has.

All bots are in one process and answer at once, so that on a small machine they take the processor from the server that
they measure: the figures are what a machine can do with both of them on it. Of N bots on a ladder as many play as
there are seats; the others wait, connected.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from farfalia.arena import Arena
from farfalia.v1 import bots_pb2, ladders_pb2, nodes_pb2
from farfalia_server.contract.errors import ProgramError
from farfalia_tools.bench.checkouts import HERE
from farfalia_tools.bench.processes import cpu_seconds, resident_bytes
from farfalia_tools.bench.server.figures import Figures, figures
from farfalia_tools.bench.server.systems import System, started_server
from farfalia_tools.bench.server.yardstick import SEATS

#: Bots, as `farfalia bench crowd` measures by itself, and tables of the ladder at most.
SIZES, TABLES = (100, 300, 1000, 3000), 200
#: Seconds of a slice; slices at full and at half load, at least.
_SLICE, _LEAST = 0.5, 3
#: Seconds that bots may take to connect, and between two looks at how many have.
_PATIENCE, _LOOK = 600.0, 0.05
#: Seconds from the last welcome until the bots count as idle: what a server does once for each of them is over by then.
_SETTLE = 10.0
#: Matches that a bot takes at a time, at most.
_MOST_MATCHES = 64
#: What has to be known to read the table.
_METHOD = (
    "Medians over slices of half a second, with their quartiles. All bots are in one process of the same machine. At",
    "half load they answer half as often as was reached, and what is timed holds what waits in gRPC's queues.",
)


@dataclass(frozen=True, slots=True)
class CrowdRow:
    """What was measured with one number of bots; memory in bytes, times in seconds."""

    bots: int
    tables: int
    #: From when the first bot dials until the last one is welcome, its process started meanwhile.
    connect_seconds: float
    #: The server's CPU time for each bot that connects.
    connect_cpu: float
    #: The server's process for each bot: when all are connected, and when they have played.
    memory_connected: float
    memory_played: float
    #: Cores that the server uses while all bots wait, and while they answer at once.
    idle_cores: float
    server_cores: float
    playing: Figures


async def run(
    sizes: Sequence[int] = SIZES,
    seconds: float = 8.0,
    tables: int = TABLES,
    done: Callable[[int, int], object] = lambda *_: None,
) -> list[CrowdRow]:
    """Measure each number of bots for this many seconds each: idle, at full and at half load.

    `done` is told how many sizes are over, of how many. Raises ProgramError if a server or its bots end early.
    """
    rows = []
    for number, bots in enumerate(sizes, 1):
        with tempfile.TemporaryDirectory(prefix="farfalia-bench-") as folder:
            rows.append(await _measure(bots, seconds, min(tables, bots * _MOST_MATCHES // SEATS), Path(folder)))
        done(number, len(sizes))
    return rows


async def _measure(bots: int, seconds: float, tables: int, folder: Path) -> CrowdRow:
    async with started_server(HERE, folder, max_tables=tables) as started:
        arena, pid = started.arena, started.process.pid
        tokens = []
        for number in range(bots):
            request = bots_pb2.RegisterBotRequest(name=f"bench-{number + 1}")
            tokens.append((await arena.ask("RegisterBot", request)).token)
        before, cpu, began = resident_bytes(pid), cpu_seconds(pid), perf_counter()
        async with started.with_bots(tokens, 2 * -(-tables * SEATS // bots)) as system:
            await _until_connected(arena, system, bots)
            connected = perf_counter() - began
            connect_cpu, memory = cpu_seconds(pid) - cpu, resident_bytes(pid)
            await asyncio.sleep(_SETTLE)
            idle = await system.slice(seconds, 0.0)
            await arena.ask("OpenLadder", ladders_pb2.OpenLadderRequest(ladder=ladders_pb2.Ladder(tables=tables)))
            await system.fill(tables)
            slices = max(_LEAST, round(seconds / _SLICE))
            full = [await system.slice(_SLICE) for _ in range(slices)]
            rate = median(entry.decisions / entry.seconds for entry in full)
            half = [await system.slice(_SLICE, rate / 2) for _ in range(slices)]
            played = resident_bytes(pid)
    return CrowdRow(
        bots,
        tables,
        connect_seconds=connected,
        connect_cpu=connect_cpu / bots,
        memory_connected=(memory - before) / bots,
        memory_played=(played - before) / bots,
        idle_cores=idle.server_cpu / idle.seconds,
        playing=figures(full, half),
        server_cores=median(entry.server_cpu / entry.seconds for entry in full),
    )


async def _until_connected(arena: Arena, system: System, bots: int) -> None:
    give_up = perf_counter() + _PATIENCE
    while sum(node.bots for node in (await arena.ask("ListNodes", nodes_pb2.ListNodesRequest())).nodes) < bots:
        system.check_bots()
        if perf_counter() > give_up:
            raise ProgramError(f"fewer than {bots} bots connected within {_PATIENCE:.0f} s")
        await asyncio.sleep(_LOOK)


def table(rows: Sequence[CrowdRow]) -> str:
    """Return the rows as plain text, one column for each number of bots."""
    shown: tuple[tuple[str, Callable[[CrowdRow], str]], ...] = (
        ("bots / tables", lambda row: f"{row.bots} / {row.tables}"),
        ("all connected after, s", lambda row: f"{row.connect_seconds:.1f}"),
        ("  server CPU, ms per bot", lambda row: f"{row.connect_cpu * 1000:.1f}"),
        ("memory, KiB per bot: connected", lambda row: f"{row.memory_connected / 1024:.0f}"),
        ("  after playing", lambda row: f"{row.memory_played / 1024:.0f}"),
        ("server, cores: idle", lambda row: f"{row.idle_cores:.3f}"),
        ("  at full load", lambda row: f"{row.server_cores:.2f}"),
        ("decisions per second", lambda row: row.playing.decisions_per_second.text(0)),
        ("questions in a message", lambda row: f"{row.playing.batches.mean:.2f}"),
        ("half load: decisions per second", lambda row: row.playing.half_rate.text(0)),
        ("  answer to next question, ms p50", lambda row: row.playing.overhead_p50_ms.text(1)),
        ("  answer to next question, ms p99", lambda row: row.playing.overhead_p99_ms.text(1)),
    )
    first = max(len(name) for name, _ in shown) + 2
    columns = [[cell(row) for _, cell in shown] for row in rows]
    widths = [max(map(len, column)) + 3 for column in columns]
    lines = [
        name.ljust(first) + "".join(column[at].rjust(width) for column, width in zip(columns, widths, strict=True))
        for at, (name, _) in enumerate(shown)
    ]
    return "\n".join([*lines, "", *_METHOD])
