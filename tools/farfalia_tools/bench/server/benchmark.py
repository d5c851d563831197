"""A whole server with bots in a process of their own, beside the bare transport as the yardstick.

Everything is included: engine, views, journal, clocks, records, ratings. The server and its yardstick are both there,
with tables filled and connections warm, and take turns in slices of half a second, in an order that chance decides:
bots that are not measured hold their answers back, so that the other system is idle. A slice and its neighbour meet
the same noise of the machine; quote ratios rather than single figures.

First all bots answer at once: that gives decisions per second, CPU time and the sizes of messages. Then they answer at
random moments, half as often as was reached. What a server adds to an answer is timed there, outside of it: from
handing an answer to gRPC until the next question of its match has been read. What waits in gRPC's queues on either
side counts, and so does the batching delay. The yardstick's time is the part of it that is not the server's.

A match costs more than its decisions: it is seated, recorded, rated. A fit over the slices tells the two apart (`costs`
in `figures`).

Against another checkout, its server takes turns as a third one, with the same bots.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import median

from farfalia_tools.bench.checkouts import HERE, Checkout, checkout
from farfalia_tools.bench.server.figures import Figures, ServerComparison, compare, figures
from farfalia_tools.bench.server.load import Slice
from farfalia_tools.bench.server.systems import ServerSystem, System, check_contract, server_system, yardstick
from farfalia_tools.bench.server.yardstick import SEATS

#: Seconds of a slice.
_SLICE = 0.5
#: Slices of each system, at full and at half load, in each start, at least.
_LEAST = 3
#: Starts that an interval over starts needs.
_STARTS = 6
_GAP = 'farfalia_loop_lateness_seconds{quantile="1.0"}'
#: What has to be known to read the table.
_METHOD = (
    "Medians over slices of half a second, with their quartiles. Ratios and fitted costs are over all slices, with an",
    "interval that holds the true value in 95 % of such runs. At half load bots answer half as often as was reached.",
)


@dataclass(frozen=True, slots=True)
class Size:
    """How much a server has to do: tables at a time, and the bots that play at them."""

    tables: int
    bots: int = SEATS


#: As `farfalia bench server` measures by itself, and with --crowd.
SIZES = (Size(1), Size(16), Size(64))
CROWD = Size(200, 300)


@dataclass(frozen=True, slots=True)
class SizeRow:
    """What was measured at one size; ratios are the server in units of its yardstick or of the other server."""

    tables: int
    bots: int
    slices: int
    server: Figures
    yardstick: Figures
    of_yardstick: ServerComparison
    against: Figures | None = None
    of_against: ServerComparison | None = None


@dataclass(frozen=True, slots=True)
class _Slices:
    """The slices of one system in one start."""

    full: list[Slice]
    half: list[Slice]
    gap: float | None


async def run(
    sizes: Sequence[Size] = SIZES,
    seconds: float = 8.0,
    *,
    against: Path | None = None,
    starts: int | None = None,
    done: Callable[[int, int], object] = lambda *_: None,
) -> list[SizeRow]:
    """Measure each size for this many seconds at full load and as long at half load, divided among the starts.

    Everything is started once, or six times to compare two checkouts; `starts` says otherwise. `done` is told how many
    starts are measured, of how many. Raises ComparisonError if the other directory is no checkout, or if its server
    does not speak to these bots.
    """
    other = None if against is None else checkout(against)
    if starts is None:
        starts = 1 if other is None else _STARTS
    return await _run(sizes, seconds, other, starts, done)


async def _run(
    sizes: Sequence[Size], seconds: float, other: Checkout | None, starts: int, done: Callable[[int, int], object]
) -> list[SizeRow]:
    if other is not None:
        await check_contract(other)
    rows, random = [], Random(1)
    for number, size in enumerate(sizes):
        measured = []
        for start in range(starts):
            measured.append(await _measure(size, max(_LEAST, round(seconds / starts / _SLICE)), other, random))
            done(number * starts + start + 1, len(sizes) * starts)
        rows.append(_row(size, measured))
    return rows


async def _measure(size: Size, slices: int, other: Checkout | None, random: Random) -> list[_Slices]:
    """Start the yardstick, this server and the other one, if there is one, and measure them in turn."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="farfalia-bench-")))
        systems: list[System] = [await stack.enter_async_context(yardstick(size.tables, size.bots))]
        for number, side in enumerate(side for side in (HERE, other) if side is not None):
            place, playing = folder / str(number), 2 * slices * _SLICE
            server = server_system(side, place, size.tables, size.bots, seconds=playing)
            systems.append(await stack.enter_async_context(server))
        for system in systems:
            await system.slice(_SLICE)  # they are warm then
        full = await _in_turn(systems, [None] * len(systems), slices, random)
        gaps = [(await system.metrics()).get(_GAP) if isinstance(system, ServerSystem) else None for system in systems]
        rates = [median(entry.decisions / entry.seconds for entry in measured) / 2 for measured in full]
        half = await _in_turn(systems, rates, slices, random)
        return [_Slices(*entry) for entry in zip(full, half, gaps, strict=True)]


async def _in_turn(
    systems: Sequence[System], rates: Sequence[float | None], slices: int, random: Random
) -> list[list[Slice]]:
    measured: list[list[Slice]] = [[] for _ in systems]
    for _ in range(slices):
        for number in random.sample(range(len(systems)), len(systems)):
            measured[number].append(await systems[number].slice(_SLICE, rates[number]))
    return measured


def _row(size: Size, starts: Sequence[Sequence[_Slices]]) -> SizeRow:
    found = []
    for system in zip(*starts, strict=True):
        gaps = [start.gap for start in system if start.gap is not None]
        full, half = [entry for start in system for entry in start.full], [e for start in system for e in start.half]
        found.append(figures(full, half, max(gaps, default=None)))
    full_slices = [[start.full for start in system] for system in zip(*starts, strict=True)]
    bare, ours, *others = full_slices
    row = SizeRow(size.tables, size.bots, sum(map(len, ours)), found[1], found[0], compare(ours, bare))
    return replace(row, against=found[2], of_against=compare(ours, others[0])) if others else row


def table(rows: Sequence[SizeRow], against: str = "") -> str:
    """Return the rows as plain text, one column for each size; `against` names the other checkout."""
    lines: dict[str, list[str]] = {"tables / bots": [f"{row.tables} / {row.bots}" for row in rows]}

    def add(name: str, text: Callable[[SizeRow], str]) -> None:
        lines[name] = [text(row) for row in rows]

    add("decisions per second", lambda row: row.server.decisions_per_second.text(0))
    add("  yardstick", lambda row: row.yardstick.decisions_per_second.text(0))
    add("  ratio", lambda row: row.of_yardstick.decisions_per_second.text(2))
    add("matches per second", lambda row: f"{row.server.matches_per_second:.1f}")
    add("server CPU, ms per decision", lambda row: row.server.server_cpu_ms.text(3))
    add("  yardstick's server", lambda row: row.yardstick.server_cpu_ms.text(3))
    add("  ratio ", lambda row: row.of_yardstick.server_cpu.text(2))
    add("  fitted: a decision alone, ms", lambda row: row.server.costs.decision_ms.text(3) if row.server.costs else "-")
    add("  fitted: a match besides, ms", lambda row: row.server.costs.match_ms.text(1) if row.server.costs else "-")
    add("Redis CPU, ms per decision", lambda row: row.server.redis_cpu_ms.text(3))
    add("bots' CPU, ms per decision", lambda row: row.server.bot_cpu_ms.text(3))
    add("  yardstick's bots", lambda row: row.yardstick.bot_cpu_ms.text(3))
    add("questions in a message, mean / p50 / p90", lambda row: _sizes(row.server))
    add("longest gap of the loop, ms", lambda row: f"{row.server.longest_gap_ms or 0:.0f}")
    add("half load: decisions per second", lambda row: row.server.half_rate.text(0))
    add("  answer to next question, ms p50", lambda row: row.server.overhead_p50_ms.text(1))
    add("  answer to next question, ms p99", lambda row: row.server.overhead_p99_ms.text(1))
    add("  yardstick, ms p50", lambda row: row.yardstick.overhead_p50_ms.text(1))
    add("  yardstick, ms p99", lambda row: row.yardstick.overhead_p99_ms.text(1))
    if against:
        add(
            f"in units of {against}: decisions per second",
            lambda row: row.of_against.decisions_per_second.text() if row.of_against else "",
        )
        add(
            f"in units of {against}: server CPU per decision",
            lambda row: row.of_against.server_cpu.text() if row.of_against else "",
        )
    first = max(map(len, lines)) + 2
    widths = [max(len(cells[column]) for cells in lines.values()) + 3 for column in range(len(rows))]
    body = [
        name.ljust(first) + "".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        for name, cells in lines.items()
    ]
    return "\n".join([*body, "", *_METHOD])


def _sizes(measured: Figures) -> str:
    return f"{measured.batches.mean:.1f} / {measured.batches.p50} / {measured.batches.p90}"
