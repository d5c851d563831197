"""The engines of two checkouts side by side: what a change costs.

Two processes, one for each checkout, run the same loops in turn, in slices of a millisecond or two of CPU time; chance
decides which goes first. A slice and its neighbour meet the same noise, so the ratio of the two counts; the ratio of a
pair of processes is the median over its slices. On a busy machine many short slices tell several times as much as
few long ones.

Two processes with the same code differ by some per cent for as long as they live: their memory lies elsewhere. Further
slices do not help against that. So it starts many pairs one after the other, and the interval treats each pair, and
not each slice, as one observation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE, Popen
from types import TracebackType
from typing import Final, Self

from farfalia_server.contract.errors import ComparisonError
from farfalia_tools.bench.checkouts import HERE, Checkout, checkout
from farfalia_tools.bench.intervals import Estimate, estimate

#: Pairs of processes.
PAIRS: Final = 20
#: CPU seconds of a slice, and how many of them a loop gets in a pair of processes, at least.
_SLICE: Final = 0.0015
_LEAST: Final = 3
_UNITS: Final = "Units a second of CPU time. A ratio above 1 means that this checkout is faster than {}."
_METHOD: Final = (
    "Each ratio is the median of {} pairs of processes; the interval holds the true median in {:.0%} of such runs."
)


@dataclass(frozen=True, slots=True)
class AgainstRow:
    """One loop: units a second in both checkouts, and the first in units of the second."""

    loop: str
    per_second: float
    against_per_second: float
    ratio: Estimate


@dataclass(frozen=True, slots=True)
class AgainstReport:
    """All loops, and with which checkout they were compared."""

    against: str
    pairs: int
    rows: tuple[AgainstRow, ...]


#: The slices of one loop in one pair of processes: units a second here and there.
Slices = Sequence[tuple[float, float]]


def compare(pairs: Sequence[Mapping[str, Slices]], against: str) -> AgainstReport:
    """Return the report on these pairs of processes, each of which has measured each loop in some slices."""
    rows = []
    for loop in pairs[0]:
        ratios = [median(here / there for here, there in pair[loop]) for pair in pairs]
        here, there = (median(rates[side] for pair in pairs for rates in pair[loop]) for side in (0, 1))
        rows.append(AgainstRow(loop, here, there, estimate(ratios)))
    return AgainstReport(against, len(pairs), tuple(rows))


def run(
    path: Path, seconds: float, seed: int, *, pairs: int = PAIRS, done: Callable[[int, int], object] = lambda *_: None
) -> AgainstReport:
    """Measure for about this many seconds of CPU time; `done` is told how many pairs of processes are measured, of how
    many.

    Raises ComparisonError if the directory is no checkout, or if the loops do not run with its engine.
    """
    other, random = checkout(path), Random(seed)
    measured = []
    for number in range(pairs):
        measured.append(_pair(other, seconds / pairs, random))
        done(number + 1, pairs)
    return compare(measured, other.name)


def table(report: AgainstReport) -> str:
    """Return the report as plain text."""
    width = max(len(row.loop) for row in report.rows) + 2
    lines = [f"{'loop':<{width}}{'per second':>12}{'the other':>12}{'ratio':>9}   interval"]
    for row in report.rows:
        rates = f"{row.per_second:>12,.0f}{row.against_per_second:>12,.0f}"
        lines.append(f"{row.loop:<{width}}{rates}{row.ratio.value:>9.3f}   {row.ratio.low:.3f} … {row.ratio.high:.3f}")
    method = _METHOD.format(report.pairs, report.rows[0].ratio.level)
    return "\n".join([*lines, "", _UNITS.format(report.against), method])


def _pair(other: Checkout, seconds: float, random: Random) -> dict[str, list[tuple[float, float]]]:
    """Start a process for each checkout, with the same deals and the same hashes, and measure all loops in turn."""
    seed = str(random.getrandbits(31))
    with ExitStack() as stack:
        here, there = (stack.enter_context(_Process(side, seed)) for side in random.sample((HERE, other), 2))
        if here.checkout is not HERE:
            here, there = there, here
        known = set(there.loops)
        slices: dict[str, list[tuple[float, float]]] = {loop: [] for loop in here.loops if loop in known}
        left = dict.fromkeys(slices, seconds / len(slices))
        while unfinished := [loop for loop, rates in slices.items() if left[loop] > 0 or len(rates) < _LEAST]:
            for loop in random.sample(unfinished, len(unfinished)):
                first, second = random.sample((here, there), 2)
                took = {process: process.work(loop, _SLICE) for process in (first, second)}
                slices[loop].append((_rate(took[here]), _rate(took[there])))
                left[loop] -= sum(elapsed for _, elapsed in took.values())
        return slices


def _rate(work: tuple[float, float]) -> float:
    units, elapsed = work
    return units / elapsed


class _Process:
    """A process that measures; it waits while it is not asked to."""

    def __init__(self, side: Checkout, seed: str) -> None:
        self.checkout = side
        self._process = Popen(  # noqa: S603  # the interpreter of a checkout that the user names
            side.command("farfalia_tools.bench.engine.process", seed),
            env=side.environment(bench=True, PYTHONHASHSEED=str(int(seed) % 2**32)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._process.kill()
        self._process.communicate()

    @property
    def loops(self) -> list[str]:
        """The loops that it knows; it is ready then."""
        loops: list[str] = json.loads(self._line())
        return loops

    def work(self, loop: str, seconds: float) -> tuple[float, float]:
        """Return the units of a slice of this length, and the seconds that they took."""
        assert self._process.stdin is not None
        print(json.dumps([loop, seconds]), file=self._process.stdin, flush=True)
        units, elapsed = json.loads(self._line())
        return units, elapsed

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            _, trouble = self._process.communicate()
            why = (trouble.strip().splitlines() or ["it ended"])[-1]
            raise ComparisonError(f"the loops do not run with the engine of {self.checkout.name}: {why}")
        return line
