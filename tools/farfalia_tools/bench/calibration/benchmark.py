"""Whether the numbers shown keep their word: probabilities of pairs, intervals, ranks, level bots told apart.

Bots of known strength play tournaments by the real schedules. At the end, the benchmark compares what the standings and
the crosstable say with the truth. Luck is either drawn with the variances of real matches, or taken from real matches
of the sample bots, which are played first and resampled.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from typing import Final

from farfalia_tools.bench.calibration.fields import FIELDS, KNOWN_FIELDS
from farfalia_tools.bench.calibration.finals import FinalsRow
from farfalia_tools.bench.calibration.finals import table as finals_table
from farfalia_tools.bench.calibration.looks import LooksRow
from farfalia_tools.bench.calibration.looks import table as looks_table
from farfalia_tools.bench.calibration.luck import BANKS, BOARDS, PlayedBank, play_board
from farfalia_tools.bench.calibration.shares import Share, share_of
from farfalia_tools.bench.calibration.tournaments import (
    BINS,
    FORMATS,
    KNOWN_FORMATS,
    PLAYED_FORMATS,
    REAL_BOTS,
    REAL_LUCK,
    Format,
    Judgement,
    TournamentBatch,
    judge_all,
)
from farfalia_tools.bench.worker_pool import WorkerPool

#: Tournaments of each field and format, less for long ones.
REPETITIONS: Final = 20
#: Name of the rows that count everything but fields of which something is known before.
ALL: Final = "all"
#: The fields in the order of the report.
ALL_FIELDS: Final = (*FIELDS, REAL_LUCK, *REAL_BOTS, *KNOWN_FIELDS)
#: Width of the first column.
_WIDE: Final = 56
#: Tournaments that a process is given at once.
_AT_ONCE: Final = 20


@dataclass(frozen=True, slots=True)
class BinRow:
    """Pairs with about the same probability: its mean, and how often the favourite was the stronger one."""

    field: str
    least: float
    said: float
    was: Share


@dataclass(frozen=True, slots=True)
class PromiseRow:
    """How often 95 % intervals and brackets were right in a field or a format; None where there were none.

    `first` is for the leader's interval, `ranks` for tournaments with all ranks right, and `told_apart` for pairs of
    equal strength that were told apart, `shown` for pairs whose probability is shown.
    """

    kind: str
    tournaments: int
    intervals: Share | None
    first: Share | None
    ranks: Share | None
    told_apart: Share | None
    shown: Share | None = None


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """Everything that was measured."""

    bins: tuple[BinRow, ...]
    fields: tuple[PromiseRow, ...]
    formats: tuple[PromiseRow, ...]
    notes: tuple[str, ...]
    #: Bins of each field of which something is known before, in each format.
    known: tuple[BinRow, ...] = ()
    #: What repeated looks found, if they were asked for.
    looks: tuple[LooksRow, ...] = ()
    #: What stages took that end once the first is known, if that was asked for.
    finals: tuple[FinalsRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is done: tournaments of each kind, and boards that each bank of real matches has."""

    repetitions: int = REPETITIONS
    boards: int = BOARDS
    formats: tuple[Format, ...] = FORMATS
    played_formats: tuple[Format, ...] = PLAYED_FORMATS
    known_formats: tuple[Format, ...] = KNOWN_FORMATS
    #: The fields to play; all if there are none.
    fields: tuple[str, ...] = ()


def run(
    scale: Scale | None = None,
    seed: int = 1,
    *,
    processes: int | None = None,
    done: Callable[[int, int], None] = lambda done, total: None,
) -> CalibrationReport:
    """Hold all tournaments; the seed decides what comes out, and the number of processes only how soon."""
    scale = scale or Scale()
    with WorkerPool(processes) as pool:
        keys = [(names, f"{seed}/{bank}/{board}") for bank, names in enumerate(BANKS) for board in range(scale.boards)]
        played = list(pool.results(play_board, *zip(*keys, strict=True)))
        banks = tuple(
            PlayedBank(names, tuple(played[bank * scale.boards : (bank + 1) * scale.boards]))
            for bank, names in enumerate(BANKS)
        )
        tasks = list(_tasks(scale, seed, banks))
        total, so_far = sum(len(batch.numbers) for batch in tasks), 0
        futures = {pool.submit(judge_all, batch): batch for batch in tasks}
        for future in as_completed(futures):
            so_far += len(futures[future].numbers)
            future.result()
            done(so_far, total)
    judged = [(batch.field, str(batch.format), one) for future, batch in futures.items() for one in future.result()]
    fields = [field for field in ALL_FIELDS if any(field == one for one, _, _ in judged)]
    unknown = [one for one in judged if one[0] not in KNOWN_FIELDS]
    of = {ALL: [one for _, _, one in unknown]} if unknown else {}
    of |= {field: [one for name, _, one in judged if name == field] for field in fields}
    formats = list(dict.fromkeys(format_ for _, format_, _ in unknown))
    known = list(dict.fromkeys((field, format_) for field, format_, _ in judged if field in KNOWN_FIELDS))
    return CalibrationReport(
        bins=tuple(row for field, own in of.items() for row in _bins(field, own)),
        fields=tuple(_promises(field, own) for field, own in of.items()),
        formats=tuple(_promises(format_, [one for _, name, one in unknown if name == format_]) for format_ in formats),
        known=tuple(
            row
            for field, format_ in known
            for row in _bins(f"{field}, {format_}", [one for *kind, one in judged if kind == [field, format_]])
        ),
        notes=(
            f"{len(judged):,} tournaments; real luck and real bots from {len(keys) * 5:,} matches.",
            "After ± is one standard error. Where tournaments do not differ (as when all or none of their statements "
            "are right), or there are fewer than five,",
            "it is at least the distance to the farther end of Wilson's interval (z = 1), with each tournament counted "
            "as one statement.",
            "Told apart: two that are level and share no bracket.",
        ),
    )


def table(report: CalibrationReport) -> str:
    """Return the report as plain text."""
    # All fields together, or the only one that was asked for.
    together = report.bins[0].field
    every = {row.least: row for row in report.bins if row.field == together}
    lines = [f"{'pairs, said':<{_WIDE}}" + "".join(f"{_bin(least):>13}" for least in every)]
    lines.append(f"{'said, on average':<{_WIDE}}" + "".join(f"{row.said:>13.1%}" for row in every.values()))
    lines.append(f"{'observed':<{_WIDE}}" + "".join(f"{row.was.share:>13.1%}" for row in every.values()))
    lines.append(f"{'pairs':<{_WIDE}}" + "".join(f"{row.was.of:>13,}" for row in every.values()))
    lines += ["", "observed less said, in percentage points"]
    shown = [*report.bins, *report.known]
    for field in dict.fromkeys(row.field for row in shown):
        rows = {row.least: row for row in shown if row.field == field}
        lines.append(f"{field:<{_WIDE}}" + "".join(f"{_gap(rows.get(least)):>13}" for least in every))
    for what, promises in (("field", report.fields), ("format", report.formats)):
        lines += [
            "",
            f"{what:<{_WIDE}}{'played':>8}{'intervals':>12}{'of the first':>14}{'all ranks':>12}{'told apart':>12}"
            f"{'pairs shown':>13}",
        ]
        lines += [
            f"{row.kind:<{_WIDE}}{row.tournaments:>8,}{_share(row.intervals):>12}{_share(row.first):>14}"
            f"{_share(row.ranks):>12}{_share(row.told_apart):>12}{_share(row.shown):>13}"
            for row in promises
        ]
    if report.looks:
        lines += ["", looks_table(report.looks)]
    if report.finals:
        lines += ["", finals_table(report.finals)]
    return "\n".join([*lines, "", *report.notes])


def _tasks(scale: Scale, seed: int, banks: tuple[PlayedBank, ...]) -> Iterator[TournamentBatch]:
    kinds: list[tuple[str, Format, tuple[PlayedBank, ...]]] = [
        (field, format_, ()) for format_ in scale.formats for field in FIELDS
    ]
    kinds += [(REAL_LUCK, format_, banks) for format_ in scale.played_formats]
    alone = [format_ for format_ in scale.formats if format_.entrants == format_.seats == 5]
    kinds += [(field, format_, banks) for format_ in alone for field in REAL_BOTS]
    kinds += [(field, format_, ()) for format_ in scale.known_formats for field in KNOWN_FIELDS]
    kinds = [kind for kind in kinds if not scale.fields or kind[0] in scale.fields]
    # The longest first, so that no process is left alone with them; neighbours share a schedule.
    for field, format_, known in sorted(kinds, key=lambda kind: -kind[1].rounds * kind[1].entrants):
        most = -(-scale.repetitions // format_.share)
        for start in range(0, most, _AT_ONCE):
            yield TournamentBatch(field, format_, range(start, min(most, start + _AT_ONCE)), seed, known)


def _bins(field: str, judged: Sequence[Judgement]) -> Iterator[BinRow]:
    for number, least in enumerate(BINS):
        pairs = [one.pairs[number] for one in judged if number in one.pairs]
        if pairs:
            all_, said = sum(count for count, _, _ in pairs), math.fsum(sum_ for _, sum_, _ in pairs)
            yield BinRow(field, least, said / all_, share_of((right, count) for count, _, right in pairs))


def _promises(kind: str, judged: Sequence[Judgement]) -> PromiseRow:
    def share(of: Callable[[Judgement], tuple[int, int]]) -> Share | None:
        counted = [(held, count) for count, held in map(of, judged) if count]
        return share_of(counted) if counted else None

    return PromiseRow(
        kind,
        len(judged),
        share(lambda one: one.intervals),
        share(lambda one: one.first),
        share(lambda one: one.ranks),
        share(lambda one: one.level),
        share(lambda one: one.pairs_shown),
    )


def _bin(least: float) -> str:
    return f"{least:.0%} to {next((edge for edge in BINS if edge > least), 1):.0%}"


def _gap(row: BinRow | None) -> str:
    if row is None:
        return ""
    # Adding 0 makes -0.0 positive.
    gap = round(100 * (row.was.share - row.said), 1) + 0.0
    return f"{gap:+.1f} ±{100 * row.was.error:.1f}"


def _share(share: Share | None) -> str:
    return "" if share is None else f"{100 * share.share:.1f} ±{100 * share.error:.1f}"
