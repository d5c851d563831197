"""What several workers of one server do for its speed: the same bots at the same tables, with one worker and more.

Servers with 1, 2 and 4 workers are all there, each with its embedded Redis and SQLite file and with bots in processes
of their own, and take turns in slices of half a second, in an order that chance decides: bots that are not measured
hold their answers back, so that the other servers are idle. All of it runs on one machine: bots that answer at once
take cores from the workers, so the figures say what this machine does with both on it.

A seat whose bot is connected to another worker than the one that plays the match costs both of them. With one worker
there is none.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

from farfalia_tools.bench.checkouts import HERE
from farfalia_tools.bench.intervals import Spread, spread
from farfalia_tools.bench.server.figures import ServerComparison, compare
from farfalia_tools.bench.server.load import Slice
from farfalia_tools.bench.server.systems import server_system

#: Workers, as `farfalia bench cluster` measures by itself; tables, bots, and processes that these are in.
WORKERS, TABLES, BOTS, PROCESSES = (1, 2, 4), 64, 20, 2
#: Seconds of a slice; slices of each server, at least.
_SLICE, _LEAST = 0.5, 3
#: What has to be known to read the table.
_METHOD = (
    "Medians over slices of half a second, with their quartiles. CPU of a match is that of all slices, shared among",
    "the matches that ended in them. Ratios are over all slices, with an interval that holds the true value in 95 % of",
    "such runs. With several workers most bots of a match are connected to another worker than the one that plays it.",
)


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """What was measured with one number of workers; CPU time in seconds."""

    workers: int
    tables: int
    bots: int
    slices: int
    decisions_per_second: Spread
    matches_per_second: float
    #: CPU time for each match, its decisions included: of the workers, of Redis, of the bots; None if no match ended.
    server_cpu: float | None
    redis_cpu: float | None
    bot_cpu: float | None
    #: Cores that all workers use together.
    cores: float
    #: In units of the first row.
    of_first: ServerComparison


async def run(
    workers: Sequence[int] = WORKERS,
    seconds: float = 8.0,
    *,
    tables: int = TABLES,
    bots: int = BOTS,
    processes: int = PROCESSES,
    done: Callable[[int, int], object] = lambda *_: None,
) -> list[ClusterRow]:
    """Measure each number of workers for this many seconds; `done` is told how many slices are over, of how many."""
    random, slices = Random(1), max(_LEAST, round(seconds / _SLICE))
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="farfalia-bench-")))
        systems = []
        for number, count in enumerate(workers):
            place = folder / str(number)
            playing = slices * _SLICE
            started = server_system(HERE, place, tables, bots, seconds=playing, workers=count, processes=processes)
            systems.append(await stack.enter_async_context(started))
        for system in systems:
            await system.slice(_SLICE)  # they are warm then
        measured: list[list[Slice]] = [[] for _ in systems]
        for turn in range(slices):
            for number in random.sample(range(len(systems)), len(systems)):
                measured[number].append(await systems[number].slice(_SLICE))
            done(turn + 1, slices)
    return [_row(count, tables, bots, ours, measured[0]) for count, ours in zip(workers, measured, strict=True)]


def _row(workers: int, tables: int, bots: int, slices: Sequence[Slice], first: Sequence[Slice]) -> ClusterRow:
    matches = sum(entry.matches for entry in slices)

    def of_a_match(cpu: Callable[[Slice], float]) -> float | None:
        return sum(map(cpu, slices)) / matches if matches else None

    return ClusterRow(
        workers,
        tables,
        bots,
        len(slices),
        spread([entry.decisions / entry.seconds for entry in slices]),
        matches / sum(entry.seconds for entry in slices),
        of_a_match(lambda entry: entry.server_cpu),
        of_a_match(lambda entry: entry.redis_cpu),
        of_a_match(lambda entry: entry.bot_cpu),
        sum(entry.server_cpu for entry in slices) / sum(entry.seconds for entry in slices),
        compare([slices], [first]),
    )


def table(rows: Sequence[ClusterRow]) -> str:
    """Return the rows as plain text, one column for each number of workers."""
    shown: tuple[tuple[str, Callable[[ClusterRow], str]], ...] = (
        ("workers", lambda row: f"{row.workers}"),
        ("tables / bots", lambda row: f"{row.tables} / {row.bots}"),
        ("decisions per second", lambda row: row.decisions_per_second.text(0)),
        ("  in units of the first column", lambda row: row.of_first.decisions_per_second.text(2)),
        ("matches per second", lambda row: f"{row.matches_per_second:.1f}"),
        ("workers' CPU, ms per match", lambda row: _ms(row.server_cpu)),
        ("  per decision, in units of the first", lambda row: row.of_first.server_cpu.text(2)),
        ("Redis CPU, ms per match", lambda row: _ms(row.redis_cpu)),
        ("bots' CPU, ms per match", lambda row: _ms(row.bot_cpu)),
        ("workers, cores", lambda row: f"{row.cores:.2f}"),
    )
    first = max(len(name) for name, _ in shown) + 2
    columns = [[cell(row) for _, cell in shown] for row in rows]
    widths = [max(map(len, column)) + 3 for column in columns]
    lines = [
        name.ljust(first) + "".join(column[at].rjust(width) for column, width in zip(columns, widths, strict=True))
        for at, (name, _) in enumerate(shown)
    ]
    return "\n".join([*lines, "", *_METHOD])


def _ms(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1000:.0f}"
