"""Repeated looks and early stopping, for `farfalia bench calibration --looks`: statements after each round.

Somebody who watches a tournament may stop at the worst moment. So a statement counts as wrong if it was wrong at any
look. Tournaments also stop by the rule that ends them once the leaders are known, to count how often it names the wrong
ones.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from farfalia_tools.bench.calibration.fields import FIELDS, SimulatedField
from farfalia_tools.bench.calibration.tournaments import Format, TournamentBatch, play
from farfalia_tools.bench.worker_pool import WorkerPool
from farfalia_tournaments import TOLD_APART, MatchResult, StrengthFit, fit_strengths, widening
from farfalia_tournaments.schedules import Boards
from farfalia_tournaments.stages import Until, contest_of

#: Formats that are watched. A look follows when a fifth more has been played, and at the end.
FORMATS: Final = (Format(5, 5, 60, Boards.FRESH), Format(10, 5, 30, Boards.DATUM))
_MORE: Final = 1.2
#: Who is to be known.
UNTIL: Final = Until(1)
_AT_ONCE: Final = 5


@dataclass(frozen=True, slots=True)
class Mistakes:
    """What the statements about one tournament got wrong at any look.

    `intervals` counts the entrants whose interval was wrong; `first` says whether the leader's was, `ranks` whether
    anybody's rank was. `apart` counts the pairs that were told apart at some look, `apart_wrong` those in the wrong
    order.
    """

    intervals: int
    first: bool
    ranks: bool
    apart: int
    apart_wrong: int


@dataclass(frozen=True, slots=True)
class WatchedTournament:
    """One tournament: what statements for a fixed end got wrong, and what the wider ones shown during play did.

    `stopped` is the share of the matches after which the rule stopped it, None if it never did. `right` says whether
    the leaders it named were the true ones.
    """

    entrants: int
    fixed: Mistakes
    lasting: Mistakes
    stopped: float | None
    right: bool


@dataclass(frozen=True, slots=True)
class LooksRow:
    """All tournaments of a field: shares of 1."""

    field: str
    tournaments: int
    #: Intervals that were right at every look: those for a fixed end, and the lasting ones.
    fixed: float
    lasting: float
    #: Tournaments whose leader had a right interval at every look.
    first_fixed: float
    first_lasting: float
    #: Tournaments with all ranks right at every look.
    ranks_fixed: float
    ranks_lasting: float
    #: Of the pairs that were told apart at some look, those that were always in the right order; None without such
    #: pairs.
    apart_fixed: float | None
    apart_lasting: float | None
    #: Tournaments that the rule stopped; the share of these that it stopped rightly, and the share of rounds played by
    #: then, both None without such tournaments.
    stopped: float
    right: float | None
    after: float | None


def run(
    repetitions: int,
    seed: int,
    *,
    formats: Sequence[Format] = FORMATS,
    processes: int | None = None,
    done: Callable[[int, int], None] = lambda done, total: None,
) -> list[LooksRow]:
    """Watch this many tournaments of each field and format."""
    tasks = [
        TournamentBatch(field, format_, range(start, min(repetitions, start + _AT_ONCE)), seed, ())
        for format_ in formats
        for field in FIELDS
        for start in range(0, repetitions, _AT_ONCE)
    ]
    with WorkerPool(processes) as pool:
        futures = {pool.submit(watch_all, batch): batch for batch in tasks}
        so_far = 0
        for future in as_completed(futures):
            so_far += len(futures[future].numbers)
            done(so_far, repetitions * len(FIELDS) * len(formats))
    return [
        _row(field, [one for future, batch in futures.items() if batch.field == field for one in future.result()])
        for field in FIELDS
    ]


def table(rows: Sequence[LooksRow]) -> str:
    """Return the rows as plain text."""
    lines = [
        f"{'right at every look':<20}{'watched':>8}{'interval':>10}{'lasting':>9}{'of the first':>14}{'lasting':>9}"
        f"{'all ranks':>11}{'lasting':>9}{'told apart':>12}{'lasting':>9}"
        f"{f'stopped by “{UNTIL}”':>30}{'rightly':>9}{'after':>7}"
    ]
    for row in rows:
        after = "" if row.after is None else f"{row.after:.0%}"
        lines.append(
            f"{row.field:<20}{row.tournaments:>8,}{row.fixed:>10.1%}{row.lasting:>9.1%}{row.first_fixed:>14.1%}"
            f"{row.first_lasting:>9.1%}{row.ranks_fixed:>11.1%}{row.ranks_lasting:>9.1%}"
            f"{_percent(row.apart_fixed):>12}{_percent(row.apart_lasting):>9}"
            f"{row.stopped:>30.1%}{_percent(row.right):>9}{after:>7}"
        )
    return "\n".join(lines)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def watch_all(batch: TournamentBatch) -> list[WatchedTournament]:
    """Play tournaments and look at each again and again."""
    found = []
    for number in batch.numbers:
        field, results = play(batch, number)
        found.append(_watched(field, batch.format, results))
    return found


def _watched(field: SimulatedField, format_: Format, results: Sequence[MatchResult[int]]) -> WatchedTournament:
    truth = field.truth
    entrants = range(len(truth))
    fixed, lasting = _Watcher(field), _Watcher(field)
    stopped, right = None, False
    for seen in _looks(results, format_):
        fit = fit_strengths(seen)
        fixed.look(fit)
        lasting.look(fit.widened(widening(len(seen), len(results))))
        rounds = len(seen) * format_.rounds // len(results)
        contest = contest_of(UNTIL, seen, fit, entrants, rounds=rounds, planned=format_.rounds)
        if stopped is None and contest is not None and contest.known:
            stopped = len(seen) / len(results)
            # Of level ones either may be among the first.
            last = sorted(truth, reverse=True)[UNTIL.first - 1]
            right = all(truth[one] >= last - 1e-9 for one in fit.order()[: UNTIL.first])
    return WatchedTournament(len(truth), fixed.mistakes(), lasting.mistakes(), stopped, right)


class _Watcher:
    """A spectator who looks again and again, and remembers what was ever wrong."""

    def __init__(self, field: SimulatedField) -> None:
        self._truth = field.truth
        self._ranks = [1 + sum(other > own + 1e-9 for other in self._truth) for own in self._truth]
        self._level = set(field.level())
        self._intervals: set[int] = set()
        self._first = self._wrong_ranks = False
        self._apart: set[tuple[int, int]] = set()
        self._apart_wrong: set[tuple[int, int]] = set()

    def look(self, fit: StrengthFit[int]) -> None:
        """Hold against the truth what is said now."""
        first = fit.order()[0]
        for one, truth in enumerate(self._truth):
            low, high = fit.interval(one)
            if not low <= truth <= high:
                self._intervals.add(one)
                self._first |= one == first
            best, worst = fit.rank_interval(one)
            self._wrong_ranks |= not best <= self._ranks[one] <= worst
        for pair in combinations(range(len(self._truth)), 2):
            said = fit.probability(*pair)
            if max(said, 1 - said) >= TOLD_APART:
                self._apart.add(pair)
                if pair in self._level or (said > 0.5) != (self._truth[pair[0]] > self._truth[pair[1]]):
                    self._apart_wrong.add(pair)

    def mistakes(self) -> Mistakes:
        """Return what was wrong at any look so far."""
        return Mistakes(len(self._intervals), self._first, self._wrong_ranks, len(self._apart), len(self._apart_wrong))


def _looks(results: Sequence[MatchResult[int]], format_: Format) -> Iterator[Sequence[MatchResult[int]]]:
    """Yield what had been played at each look: whole rounds."""
    tables = len(results) // format_.rounds
    rounds, last = 2.0, 0
    while round(rounds) < format_.rounds:
        if round(rounds) > last:
            last = round(rounds)
            yield results[: last * tables]
        rounds *= _MORE
    yield results


def _row(field: str, watched: Sequence[WatchedTournament]) -> LooksRow:
    entrants = sum(one.entrants for one in watched)
    ended = [one for one in watched if one.stopped is not None]
    return LooksRow(
        field,
        len(watched),
        1 - sum(one.fixed.intervals for one in watched) / entrants,
        1 - sum(one.lasting.intervals for one in watched) / entrants,
        1 - sum(one.fixed.first for one in watched) / len(watched),
        1 - sum(one.lasting.first for one in watched) / len(watched),
        1 - sum(one.fixed.ranks for one in watched) / len(watched),
        1 - sum(one.lasting.ranks for one in watched) / len(watched),
        _apart([one.fixed for one in watched]),
        _apart([one.lasting for one in watched]),
        len(ended) / len(watched),
        sum(one.right for one in ended) / len(ended) if ended else None,
        sum(one.stopped or 0.0 for one in ended) / len(ended) if ended else None,
    )


def _apart(seen: Sequence[Mistakes]) -> float | None:
    apart = sum(one.apart for one in seen)
    return 1 - sum(one.apart_wrong for one in seen) / apart if apart else None
