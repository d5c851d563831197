"""From the slices of a benchmark of servers to figures: medians, spreads, costs and how two servers compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from farfalia_server.net.measures import percentile
from farfalia_tools.bench.intervals import LEVEL, Estimate, Spread, estimate, spread
from farfalia_tools.bench.server.load import Slice

#: Samples of a bootstrap.
_SAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Batches:
    """Questions in a message."""

    mean: float
    p50: int
    p90: int


@dataclass(frozen=True, slots=True)
class Costs:
    """Milliseconds of CPU for a decision and for a match, apart."""

    decision_ms: Estimate
    match_ms: Estimate


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of one server; CPU in milliseconds per decision, all that matches cost included."""

    decisions_per_second: Spread
    matches_per_second: float
    server_cpu_ms: Spread
    redis_cpu_ms: Spread
    bot_cpu_ms: Spread
    batches: Batches
    #: What a match costs apart from its decisions; None for the yardstick, and where too few matches ended.
    costs: Costs | None
    #: At half load: answers a second, and milliseconds from an answer until the next question of its match.
    half_rate: Spread
    overhead_p50_ms: Spread
    overhead_p99_ms: Spread
    #: Milliseconds by which the event loop was late at most, in the last minute at full load; None for the yardstick.
    longest_gap_ms: float | None


def figures(full: Sequence[Slice], half: Sequence[Slice], longest_gap: float | None = None) -> Figures:
    """Return the figures of a server from its slices at full and at half load."""
    return Figures(
        spread([_rate(entry) for entry in full]),
        sum(entry.matches for entry in full) / sum(entry.seconds for entry in full),
        spread([_ms(entry.server_cpu, entry) for entry in full]),
        spread([_ms(entry.redis_cpu, entry) for entry in full]),
        spread([_ms(entry.bot_cpu, entry) for entry in full]),
        _batches(full),
        costs(full),
        spread([_rate(entry) for entry in half]),
        spread([entry.overhead_p50 * 1000 for entry in half]),
        spread([entry.overhead_p99 * 1000 for entry in half]),
        None if longest_gap is None else longest_gap * 1000,
    )


@dataclass(frozen=True, slots=True)
class ServerComparison:
    """One server in units of another: decisions per second, and CPU per decision."""

    decisions_per_second: Estimate
    server_cpu: Estimate


#: The slices of one start of two servers that took turns: each with its neighbour of the other server.
Pairs = Sequence[tuple[Slice, Slice]]


def compare(ours: Sequence[Sequence[Slice]], others: Sequence[Sequence[Slice]]) -> ServerComparison:
    """Return how two servers compare that took turns; a sequence of slices for each start of the servers.

    Slices are added up: the ends of matches belong to what a server costs, and a median over slices would leave out
    those in which many end. Slices of one start share what depends on where the memory of a process lies. So with six
    starts or more each start counts as one value, and the median of these counts; with fewer, which cannot make an
    interval at 95 %, the interval is a bootstrap's over pairs of neighbouring slices.
    """
    starts = [list(zip(our, other, strict=True)) for our, other in zip(ours, others, strict=True)]
    return ServerComparison(_compared(starts, _rates), _compared(starts, _cpus))


def _rates(pairs: Pairs) -> float:
    """Return the decisions per second of the one in units of the other."""
    one, two = (_added(slices) for slices in zip(*pairs, strict=True))
    return _rate(one) / _rate(two)


def _cpus(pairs: Pairs) -> float:
    """Return the CPU time per decision of the one in units of the other."""
    one, two = (_added(slices) for slices in zip(*pairs, strict=True))
    return _ms(one.server_cpu, one) / _ms(two.server_cpu, two)


def _added(slices: Iterable[Slice]) -> Slice:
    each = list(slices)
    return Slice(
        sum(entry.seconds for entry in each),
        sum(entry.decisions for entry in each),
        server_cpu=sum(entry.server_cpu for entry in each),
    )


def _compared(starts: Sequence[Pairs], ratio: Callable[[Pairs], float]) -> Estimate:
    by_start = estimate([ratio(pairs) for pairs in starts])
    if by_start.level >= LEVEL:
        return by_start
    pairs = [pair for start in starts for pair in start]
    random = Random(1)
    samples = [ratio(random.choices(pairs, k=len(pairs))) for _ in range(_SAMPLES)]
    return _bootstrap(ratio(pairs), samples)


def _bootstrap(value: float, samples: Sequence[float]) -> Estimate:
    """Return a value with the interval that holds the middle of what was found in its samples."""
    return Estimate(value, percentile(samples, (1 - LEVEL) / 2), percentile(samples, (1 + LEVEL) / 2), LEVEL)


def costs(slices: Sequence[Slice]) -> Costs | None:
    """Fit CPU = decisions x cost of a decision + matches x cost of a match, by least squares over the slices.

    Matches end in some slices and not in others, which tells their cost from that of their decisions, without another
    game whose decisions cost something else. None if no two slices differ in their share of matches. The intervals are
    a bootstrap's, which draws slices; where few matches end they are wide.
    """
    fitted = _fit(slices)
    if fitted is None:
        return None
    random = Random(1)
    drawn = [_fit(random.choices(slices, k=len(slices))) for _ in range(_SAMPLES)]
    samples = [entry for entry in drawn if entry is not None]

    return Costs(*(_bootstrap(fitted[which], [entry[which] for entry in samples]) for which in (0, 1)))


def _fit(slices: Sequence[Slice]) -> tuple[float, float] | None:
    """Return the milliseconds per decision and per match; None if they cannot be separated."""
    dd = sum(entry.decisions**2 for entry in slices)
    dm = sum(entry.decisions * entry.matches for entry in slices)
    mm = sum(entry.matches**2 for entry in slices)
    dc = sum(entry.decisions * entry.server_cpu for entry in slices)
    mc = sum(entry.matches * entry.server_cpu for entry in slices)
    determinant = dd * mm - dm * dm
    if determinant <= 1e-9 * dd * mm:
        return None
    return (dc * mm - mc * dm) / determinant * 1000, (mc * dd - dc * dm) / determinant * 1000


def _batches(slices: Sequence[Slice]) -> Batches:
    sizes = Counter[int]()
    for entry in slices:
        sizes.update(entry.batches)
    each = sorted(sizes.elements())
    return Batches(sum(each) / max(1, len(each)), int(percentile(each, 0.5)), int(percentile(each, 0.9)))


def _rate(entry: Slice) -> float:
    return entry.decisions / entry.seconds


def _ms(seconds: float, entry: Slice) -> float:
    return seconds / entry.decisions * 1000
