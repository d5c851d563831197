"""A whole server with five bots in processes of their own, beside the bare transport as the yardstick.

Everything is included: engine, views, journal, clocks, records, ratings. The figures of one
number of tables and of its yardstick are measured one after the other, so that they can be
compared; quote ratios rather than single figures.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import tempfile
import time
import urllib.request
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from farfalia.v1 import bots_pb2, nodes_pb2, tournaments_pb2
from farfalia_server.bench.processes import cpu_seconds, free_port, python_process
from farfalia_server.bench.yardstick import SEATS
from farfalia_server.local.client import Arena

#: Rounds of the tournament that keeps the tables busy; it is cancelled when the measuring is over.
_ROUNDS = 1000
#: Share of the measuring time that is played before it.
_WARM_UP = 0.5
_METRIC = re.compile(r"^(farfalia_\w+)(?:\{([^}]*)\})? (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """What was measured with one number of tables a bot; CPU times in milliseconds a decision."""

    tables: int
    decisions_per_second: float
    matches_per_second: float
    questions_per_batch: float
    server_cpu_ms: float
    redis_cpu_ms: float
    bot_cpu_ms: float
    ready_p50_ms: float
    ready_p99_ms: float
    handed_p50_ms: float
    handed_p99_ms: float
    yardstick_per_second: float
    yardstick_server_cpu_ms: float
    yardstick_bot_cpu_ms: float

    @property
    def ratio(self) -> float:
        """Decisions a second, in units of the yardstick's."""
        return self.decisions_per_second / self.yardstick_per_second


@dataclass(frozen=True)
class _Reading:
    """Counters at one moment."""

    time: float
    questions: float
    batches: float
    matches: float
    server_cpu: float
    redis_cpu: float
    bot_cpu: float


class _System:
    """A running server with its five bots."""

    def __init__(self, server: Process, bots: Sequence[Process], http: int) -> None:
        self._server, self._bots, self._http = server, bots, http

    def metrics(self) -> dict[str, float]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self._http}/metrics") as answer:
            text = answer.read().decode()
        return {name + (labels and "{" + labels + "}"): float(value) for name, labels, value in _METRIC.findall(text)}

    async def read(self) -> _Reading:
        metrics = await asyncio.to_thread(self.metrics)
        return _Reading(
            time.perf_counter(),
            metrics["farfalia_questions_total"],
            metrics["farfalia_question_batches_total"],
            metrics["farfalia_matches_finished_total"],
            cpu_seconds(self._server.pid),
            sum(cpu_seconds(pid) for pid in children(self._server.pid) if not _is_python(pid)),
            sum(cpu_seconds(bot.pid) for bot in self._bots),
        )


def children(pid: int) -> list[int]:
    """Processes that a process has started and that are alive (Linux)."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def _is_python(pid: int) -> bool:
    """It is the server's worker process, and not its Redis (Linux)."""
    return "python" in Path(f"/proc/{pid}/comm").read_text()


@asynccontextmanager
async def _system(folder: Path, tables: int) -> AsyncIterator[tuple[_System, Arena]]:
    grpc_port, http_port = free_port(), free_port()
    settings = {
        "FARFALIA_DATA_DIR": str(folder),
        "FARFALIA_GRPC_PORT": str(grpc_port),
        "FARFALIA_HTTP_PORT": str(http_port),
        "FARFALIA_ADMIN_TOKEN": "bench",
        "FARFALIA_LOG_LEVEL": "warning",
    }
    address = f"127.0.0.1:{grpc_port}"
    async with AsyncExitStack() as stack:
        server = await python_process("farfalia_server", "serve", env=os.environ | settings, piped=True)
        stack.push_async_callback(_end, server)
        arena = await stack.enter_async_context(Arena(address, "bench"))
        await _until_it_answers(arena, server)
        names = [f"bench-{seat + 1}" for seat in range(SEATS)]
        bots = []
        for seat, name in enumerate(names):
            token = (await arena.ask("RegisterBot", bots_pb2.RegisterBotRequest(name=name))).token
            env = os.environ | {"FARFALIA_SERVER": address, "FARFALIA_TOKEN": token}
            bots.append(await python_process("farfalia_server.bench.bot", str(tables), str(seat), env=env))
            stack.push_async_callback(_end, bots[-1])
        request = tournaments_pb2.CreateTournamentRequest(name="bench", bots=names, rounds=_ROUNDS)
        number = (await arena.ask("CreateTournament", request)).tournament.id
        await arena.ask("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        yield _System(server, bots, http_port), arena
        over = tournaments_pb2.CancelTournamentRequest(id=number, reason="the measuring is over")
        await arena.ask("CancelTournament", over)


async def _until_it_answers(arena: Arena, server: Process) -> None:
    for _ in range(200):
        try:
            await arena.ask("ListNodes", nodes_pb2.ListNodesRequest())
        except Exception:
            if server.returncode is not None:
                raise
            await asyncio.sleep(0.1)
        else:
            return
    raise TimeoutError("the server of the benchmark does not answer")


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), 2)
        except TimeoutError:
            process.send_signal(signal.SIGTERM)
            await process.wait()


async def _measure(tables: int, seconds: float) -> Row:
    with tempfile.TemporaryDirectory(prefix="farfalia-bench-") as folder:
        async with _system(Path(folder), tables) as (system, _):
            await asyncio.sleep(seconds * _WARM_UP)
            before = await system.read()
            await asyncio.sleep(seconds)
            after = await system.read()
            metrics = system.metrics()
    yardstick = await python_process("farfalia_server.bench.yardstick", "serve", str(tables), str(seconds), piped=True)
    output, _ = await yardstick.communicate()
    bare = [float(word) for word in output.split()]
    asked, took = after.questions - before.questions, after.time - before.time

    def overhead(stage: str, quantile: float) -> float:
        return metrics[f'farfalia_overhead_seconds{{quantile="{quantile}",stage="{stage}"}}'] * 1000

    return Row(
        tables=tables,
        decisions_per_second=asked / took,
        matches_per_second=(after.matches - before.matches) / took,
        questions_per_batch=asked / max(1, after.batches - before.batches),
        server_cpu_ms=(after.server_cpu - before.server_cpu) / asked * 1000,
        redis_cpu_ms=(after.redis_cpu - before.redis_cpu) / asked * 1000,
        bot_cpu_ms=(after.bot_cpu - before.bot_cpu) / asked * 1000,
        ready_p50_ms=overhead("ready", 0.5),
        ready_p99_ms=overhead("ready", 0.99),
        handed_p50_ms=overhead("handed", 0.5),
        handed_p99_ms=overhead("handed", 0.99),
        yardstick_per_second=bare[0],
        yardstick_server_cpu_ms=bare[1],
        yardstick_bot_cpu_ms=bare[2],
    )


def run(tables: Sequence[int] = (1, 16, 64), seconds: float = 8.0) -> list[Row]:
    """Measure each number of tables per bot for this many seconds, and the yardstick after it."""
    return [asyncio.run(_measure(count, seconds)) for count in tables]


def table(rows: Sequence[Row]) -> str:
    """The rows as plain text, one column for each number of tables."""
    lines = {
        "decisions a second": [f"{row.decisions_per_second:,.0f}" for row in rows],
        "  yardstick": [f"{row.yardstick_per_second:,.0f}" for row in rows],
        "  ratio": [f"{row.ratio:.2f}" for row in rows],
        "matches a second": [f"{row.matches_per_second:.1f}" for row in rows],
        "questions per batch": [f"{row.questions_per_batch:.1f}" for row in rows],
        "server CPU, ms a decision": [f"{row.server_cpu_ms:.4f}" for row in rows],
        "  yardstick's server": [f"{row.yardstick_server_cpu_ms:.4f}" for row in rows],
        "Redis CPU, ms a decision": [f"{row.redis_cpu_ms:.4f}" for row in rows],
        "bots' CPU, ms a decision": [f"{row.bot_cpu_ms:.4f}" for row in rows],
        "  yardstick's bots": [f"{row.yardstick_bot_cpu_ms:.4f}" for row in rows],
        "answer to next question ready, ms p50 / p99": [f"{r.ready_p50_ms:.2f} / {r.ready_p99_ms:.2f}" for r in rows],
        "answer to next question sent, ms p50 / p99": [f"{r.handed_p50_ms:.2f} / {r.handed_p99_ms:.2f}" for r in rows],
    }
    width = max(map(len, lines))
    columns = {"tables a bot": [str(row.tables) for row in rows]} | lines
    return "\n".join(name.ljust(width) + "".join(f"{value:>16}" for value in row) for name, row in columns.items())
