"""Other arenas and libraries of card-game bots beside ours, in one table: decisions a second, and CPU for a decision.

A decision is one answer that is asked of a bot. CPU is user and system time of everything that is not a bot; in one
process a bot is a random choice, and counts. Bots choose at random and do not think. First the loops of all libraries
take turns, each in a process of its own, then our server is measured as `farfalia bench server` does.

What a package index has is installed into an environment that is thrown away. What cannot be run here has the figures
that were measured last, and says why.
"""

from __future__ import annotations

import asyncio
import json
import platform
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from farfalia_server.net.cpu_cores import usable_cores
from farfalia_tools.bench.checkouts import HERE, Checkout
from farfalia_tools.bench.intervals import Spread, spread
from farfalia_tools.bench.peers.environment import Missing, environment, interpreter, output
from farfalia_tools.bench.peers.last_measured import LAST, MACHINE
from farfalia_tools.bench.processes import python_process
from farfalia_tools.bench.server import benchmark as server

#: Seconds that a loop may take beside those that it measures: to start, and for its first and its last match.
_SLACK: Final = 60.0
#: Cores that a loop in one process gets, if nothing else runs; what gets less was measured on a busy machine.
_ALONE: Final = 0.9
#: What our rows are called.
OURS: Final = "Farfalia"
#: The loop of our engine.
_ENGINE: Final = "farfalia"
#: The loop whose bots are reached over HTTP.
_OVER_HTTP: Final = "kaggle-http"
#: Why something is not run here.
BY_HAND: Final = "run by hand"


class Transport(StrEnum):
    """What carries questions and answers between the bots and what asks them."""

    GRPC = "gRPC"
    WEBSOCKET = "WebSocket, JSON"
    HTTP = "HTTP, JSON"
    TCP = "TCP, lines"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Peer:
    """One row: what is run, and by which loop and package; without a package by hand."""

    name: str
    run: str
    transport: Transport
    loop: str
    package: str | None = None


_HEARTS: Final = "hearts, 4 bots"
#: In the order of the table.
PEERS: Final = (
    Peer("Jass Challenge", "its tournament, 2 bots at 1 table", Transport.WEBSOCKET, "jass"),
    Peer("Jass Challenge", "8 bots at 4 tables", Transport.WEBSOCKET, "jass-4"),
    Peer("Battlesnake CLI", "5 snakes, 19×19, one game at a time", Transport.HTTP, "battlesnake"),
    Peer("MIT Pokerbots 2025", "1,000 rounds, 2 bots", Transport.TCP, "pokerbots"),
    Peer("ACPC dealer", "limit hold'em, 3 bots", Transport.TCP, "acpc"),
    Peer("ACPC dealer", "Kuhn poker, 3 bots at each of 4 dealers", Transport.TCP, "acpc-4"),
    Peer("kaggle-environments", _HEARTS, Transport.HTTP, _OVER_HTTP, "kaggle-environments"),
    Peer("kaggle-environments", _HEARTS, Transport.NONE, "kaggle", "kaggle-environments"),
    Peer("OpenSpiel", f"{_HEARTS}, a loop over its C++", Transport.NONE, "openspiel-hearts", "OpenSpiel"),
    Peer("OpenSpiel", "oh_hell, 5 bots, a loop over its C++", Transport.NONE, "openspiel-oh-hell", "OpenSpiel"),
    Peer("OpenSpiel", "oh_hell, 5 bots, rl_environment", Transport.NONE, "openspiel-rl", "OpenSpiel"),
    Peer("RLCard", "limit-holdem, 5 bots", Transport.NONE, "rlcard-holdem", "RLCard"),
    Peer("RLCard", "bridge, 4 bots", Transport.NONE, "rlcard-bridge", "RLCard"),
    Peer("PettingZoo", "texas_holdem_no_limit, 5 bots", Transport.NONE, "pettingzoo", "PettingZoo"),
)


@dataclass(frozen=True, slots=True)
class PeerRow:
    """What one row of the table says; CPU in milliseconds for a decision, of everything that is not a bot."""

    name: str
    version: str
    run: str
    transport: Transport
    decisions_per_second: Spread
    cpu_ms: float
    #: Why these figures were measured at another time; empty if they were measured now.
    not_now: str = ""

    @property
    def cores(self) -> float:
        """How many cores everything that is not a bot uses on the average."""
        return self.decisions_per_second.median * self.cpu_ms / 1000


@dataclass(frozen=True, slots=True)
class PeersReport:
    """The table, and what it was measured on."""

    day: str
    processor: str
    cores: int
    python: str
    rows: tuple[PeerRow, ...]


@dataclass(frozen=True, slots=True)
class LoopRun:
    """One run of a loop: times in seconds."""

    decisions: int
    seconds: float
    cpu: float
    version: str


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    #: Of each run of a loop; our server is measured for twice as many, at each size.
    seconds: float = 3.0
    #: Of each loop.
    runs: int = 5
    sizes: Sequence[server.Size] = (*server.SIZES, server.CROWD)


#: A trial of seconds.
QUICK: Final = Scale(0.2, 1, server.SIZES[:1])


async def run(
    scale: Scale = Scale(),
    *,
    python: Path | None = None,
    done: Callable[[int, int], object] = lambda *_: None,
) -> PeersReport:
    """Measure all loops, then our server.

    `python` is an interpreter that has the peers, or some of them; without it, they are installed for the time being.
    `done` is told how many steps are over, of how many.
    """
    loops = [_ENGINE, *(peer.loop for peer in PEERS if peer.package is not None)]
    before = scale.runs * len(loops)
    steps = before + len(scale.sizes)
    async with _peers(python) as (there, missing):
        found, reasons = await _in_turn(loops, there, missing, scale, lambda over: done(over, steps))
    if _ENGINE in reasons:
        raise Missing(f"our own engine could not be measured: {reasons[_ENGINE]}")
    ours = await server.run(scale.sizes, 2 * scale.seconds, done=lambda over, _: done(before + over, steps))
    engine = loop_row(OURS, "chinkway, 5 bots, the engine alone", Transport.NONE, found[_ENGINE])
    peers = [peer_row(peer, found, reasons) for peer in PEERS]
    inside = [row for row in peers if row.transport is Transport.NONE]
    rows = (*server_rows(ours), *(row for row in peers if row not in inside), engine, *inside)
    day = datetime.now(UTC).date().isoformat()
    return PeersReport(day, _processor(), usable_cores(), platform.python_version(), rows)


def _peers(python: Path | None) -> AbstractAsyncContextManager[tuple[Checkout, Mapping[str, str]]]:
    return environment() if python is None else nullcontext((interpreter(python), {}))


async def _in_turn(
    loops: Sequence[str],
    there: Checkout,
    missing: Mapping[str, str],
    scale: Scale,
    done: Callable[[int], object],
) -> tuple[dict[str, list[LoopRun]], dict[str, str]]:
    """Run all loops, once in each round, in an order that chance decides; one that fails is not tried again."""
    reasons = {peer.loop: missing[peer.package] for peer in PEERS if peer.package and peer.package in missing}
    found: dict[str, list[LoopRun]] = {loop: [] for loop in loops}
    random = Random(1)
    for number in range(scale.runs):
        for at, loop in enumerate(random.sample(loops, len(loops))):
            if loop not in reasons:
                try:
                    found[loop].append(await _one(loop, HERE if loop == _ENGINE else there, scale.seconds))
                except Missing as error:
                    reasons[loop] = str(error)
            done(number * len(loops) + at + 1)
    return found, reasons


async def _one(loop: str, where: Checkout, seconds: float) -> LoopRun:
    async with AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(_http_bots(where))] if loop == _OVER_HTTP else []
        module = "farfalia_tools.bench.peers.loops"
        line = await output(where, module, loop, str(seconds), *bots, seconds=seconds + _SLACK)
        return LoopRun(**json.loads(line))


@asynccontextmanager
async def _http_bots(where: Checkout) -> AsyncIterator[str]:
    async with python_process("farfalia_tools.bench.peers.http_bots", checkout=where) as bots:
        assert bots.stdout is not None
        line = await asyncio.wait_for(bots.stdout.readline(), _SLACK)
        if not line:
            raise Missing("the bots behind HTTP have ended")
        yield line.decode().strip()


def server_rows(rows: Sequence[server.SizeRow]) -> tuple[PeerRow, ...]:
    """Return the rows of our server with its Redis, and of the bare transport at the last size of five bots."""
    found = [
        PeerRow(
            OURS,
            version("farfalia"),
            _size(row),
            Transport.GRPC,
            row.server.decisions_per_second,
            row.server.server_cpu_ms.median + row.server.redis_cpu_ms.median,
        )
        for row in rows
    ]
    bare = next((row for row in reversed(rows) if row.bots == server.Size(1).bots), rows[-1])
    alone = PeerRow(
        "grpc.aio alone",
        version("grpcio"),
        f"{_size(bare)}, a question a message, no rules",
        Transport.GRPC,
        bare.yardstick.decisions_per_second,
        bare.yardstick.server_cpu_ms.median,
    )
    return (*found, alone)


def _size(row: server.SizeRow) -> str:
    return f"{row.bots} bots at {row.tables} {'table' if row.tables == 1 else 'tables'}"


def loop_row(name: str, run: str, transport: Transport, runs: Sequence[LoopRun]) -> PeerRow:
    """Return the row of a loop from its runs."""
    rates = spread([one.decisions / one.seconds for one in runs])
    cpu_ms = median(one.cpu / one.decisions * 1000 for one in runs)
    return PeerRow(name, runs[-1].version, run, transport, rates, cpu_ms)


def peer_row(peer: Peer, found: Mapping[str, Sequence[LoopRun]], reasons: Mapping[str, str]) -> PeerRow:
    """Return the row of a peer: what was found now, or what was measured last, and why."""
    if peer.package is not None and peer.loop not in reasons:
        return loop_row(peer.name, peer.run, peer.transport, found[peer.loop])
    last, why = LAST[peer.loop], reasons.get(peer.loop, BY_HAND)
    return PeerRow(peer.name, last.version, peer.run, peer.transport, last.decisions_per_second, last.cpu_ms, why)


def _processor() -> str:
    """Return the name of the processor (Linux), or its family."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def table(report: PeersReport) -> str:
    """Return the report as plain text."""
    heads = ("", "run", "transport", "decisions/s", "CPU, ms", "cores")
    lines = [heads, *((f"{row.name} {row.version}", row.run, *cells(row)) for row in report.rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(heads))]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([*shown, "", *notes(report)])


def cells(row: PeerRow) -> tuple[str, str, str, str]:
    """Return what carries the questions, decisions a second, CPU for a decision and cores; a † was not measured now."""
    mark = " †" if row.not_now else ""
    rates = row.decisions_per_second
    spread_shown = "" if rates.lower == rates.upper else f" ({rates.lower:,.0f}–{rates.upper:,.0f})"
    return (
        row.transport.value,
        f"{rates.median:,.0f}{spread_shown}{mark}",
        f"{row.cpu_ms:.4f}" if row.cpu_ms < 0.01 else f"{row.cpu_ms:.3f}" if row.cpu_ms < 1 else f"{row.cpu_ms:.2f}",
        f"{row.cores:.2f}",
    )


def notes(report: PeersReport) -> tuple[str, ...]:
    """Return sentences: on what the table was measured, and which rows were not measured with the others, and why."""
    by_reason: dict[str, list[str]] = {}
    for row in report.rows:
        if row.not_now and row.not_now != BY_HAND:
            by_reason.setdefault(row.not_now, []).append(row.name)
    alone = [row.cores for row in report.rows if row.transport is Transport.NONE and not row.not_now]
    got = median(alone) if alone else 1.0
    busy = f"Other programs ran meanwhile: a loop got {got:.1f} of a core. Measure again without them."
    return (
        f"Measured on {report.day} on {report.cores} cores of {report.processor}, Python {report.python}: medians with "
        f"quartiles.",
        *([busy] if got < _ALONE else []),
        f"† Measured earlier on {MACHINE}: medians of five runs with the least and the greatest.",
        *(f"{' and '.join(dict.fromkeys(names))} † because: {why}." for why, names in by_reason.items()),
    )
