"""Contestants that take turns in one process, and the table of how fast each was.

The order of the turns is shuffled every round, and CPU time is what counts: on a busy
machine the ratios stay while the rates move.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from time import process_time
from typing import Final

ROUNDS: Final = 15
_CALLS: Final = 200


@dataclass(frozen=True, slots=True)
class Contestant:
    """One loop: `work` does some of it and says how many units that was."""

    loop: str
    name: str
    work: Callable[[], float]
    #: What the table has to say of it once all is measured; it may try things out to know.
    note: Callable[[], str] | None = None


@dataclass(frozen=True, slots=True)
class ContestRow:
    """Units of a loop in a second of CPU time, and how that compares with the reference if there is one."""

    loop: str
    name: str
    per_second: float
    ratio: float | None


@dataclass(frozen=True, slots=True)
class ContestReport:
    """All rows, and what has to be known to read them."""

    rows: tuple[ContestRow, ...]
    notes: tuple[str, ...]


def measure(contestants: Sequence[Contestant], seconds: float, random: Random) -> dict[Contestant, float]:
    """Return units per CPU second of each, the median of its turns, in about this many seconds for all."""
    slice_seconds = seconds / (ROUNDS * len(contestants))
    rates: dict[Contestant, list[float]] = {entry: [] for entry in contestants}
    for entry in contestants:
        entry.work()  # fills tables that are built on first use
    for _ in range(ROUNDS):
        for entry in random.sample(contestants, len(contestants)):
            units, elapsed = work(entry, slice_seconds)
            rates[entry].append(units / elapsed)
    return {entry: median(values) for entry, values in rates.items()}


def work(entry: Contestant, seconds: float) -> tuple[float, float]:
    """Work for this much CPU time, or once if that takes longer; return units and the seconds that they took."""
    units, begin = 0.0, process_time()
    while (elapsed := process_time() - begin) < seconds or not units:
        units += entry.work()
    return units, elapsed


def compare(rates: Mapping[Contestant, float], reference: str) -> tuple[ContestRow, ...]:
    """Yield a row for each, loop by loop; in each loop the contestant of this name, if there is one, is 1."""
    references = {entry.loop: rate for entry, rate in rates.items() if entry.name == reference}
    loops = list(dict.fromkeys(entry.loop for entry in rates))
    return tuple(
        ContestRow(entry.loop, entry.name, rate, rate / references[entry.loop] if entry.loop in references else None)
        for entry, rate in sorted(rates.items(), key=lambda item: loops.index(item[0].loop))
    )


def table(report: ContestReport) -> str:
    """Return the report as plain text."""
    loop, name = max(len(row.loop) for row in report.rows) + 2, max(len(row.name) for row in report.rows) + 2
    lines = [f"{'loop':<{loop}}{'engine':<{name}}{'per second':>12}{'µs each':>10}{'ratio':>8}"]
    for row in report.rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        rate = f"{row.per_second:>12,.0f}{1e6 / row.per_second:>10.2f}{ratio:>8}"
        lines.append(f"{row.loop:<{loop}}{row.name:<{name}}{rate}")
    return "\n".join([*lines, "", *report.notes])


def repeat(call: Callable[[], object]) -> int:
    """Work that calls this a number of times."""
    for _ in range(_CALLS):
        call()
    return _CALLS


def each(calls: Sequence[Callable[[], object]]) -> int:
    """Work that calls every one of these once."""
    for call in calls:
        call()
    return len(calls)
