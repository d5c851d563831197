"""Watching and stopping early, for `farfalia bench calibration --looks`: what is said after each round, not at the end.

Whoever watches a tournament may stop at the worst moment. So an interval counts as wrong if it was so at any look. And
tournaments are stopped by the rule that ends them once the first are known, to count how often these are not the first.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Final

from farfalia_server.bench.calibration_fields import FIELDS, Field
from farfalia_server.bench.calibration_tournaments import Format, Held, play
from farfalia_tournaments import MatchResult, fit_strengths, lasting
from farfalia_tournaments.schedules import Boards
from farfalia_tournaments.stages import Until, known

#: Formats that are watched. A look follows when a fifth more has been played, and at the end.
FORMATS: Final = (Format(5, 5, 60, Boards.FRESH), Format(10, 5, 30, Boards.DATUM))
_MORE: Final = 1.2
#: Who is to be known.
UNTIL: Final = Until(1)
_AT_ONCE: Final = 5


@dataclass(frozen=True, slots=True)
class Watched:
    """What was seen of one tournament.

    Of its entrants: how many there are, of how many the interval for a fixed end was wrong at some look, and the
    lasting one. Of whoever stood first at a look: the same. `stopped` is after which share of the matches the rule was
    met, None if never, and `right` whether the first were the first.
    """

    entrants: int
    fixed: int
    lasting: int
    first_fixed: bool
    first_lasting: bool
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
    #: Tournaments in which the interval of whoever stood first was right at every look.
    first_fixed: float
    first_lasting: float
    #: Tournaments that the rule stopped, how many of these rightly, None if none, and after which share of the rounds.
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
    """Watch as many tournaments of each field and format."""
    tasks = [
        Held(field, format_, range(start, min(repetitions, start + _AT_ONCE)), seed, ())
        for format_ in formats
        for field in FIELDS
        for start in range(0, repetitions, _AT_ONCE)
    ]
    with ProcessPoolExecutor(processes or os.cpu_count(), mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(watch_all, held): held for held in tasks}
        so_far = 0
        for future in as_completed(futures):
            so_far += len(futures[future].numbers)
            done(so_far, repetitions * len(FIELDS) * len(formats))
    return [
        _row(field, [one for future, held in futures.items() if held.field == field for one in future.result()])
        for field in FIELDS
    ]


def table(rows: Sequence[LooksRow]) -> str:
    """Return the rows as plain text."""
    lines = [
        f"{'right at every look':<20}{'watched':>8}{'interval':>10}{'lasting':>9}{'of the first':>14}{'lasting':>9}"
        f"{f'stopped by “{UNTIL}”':>30}{'rightly':>9}{'after':>7}"
    ]
    for row in rows:
        right = "" if row.right is None else f"{row.right:.1%}"
        after = "" if row.after is None else f"{row.after:.0%}"
        lines.append(
            f"{row.field:<20}{row.tournaments:>8,}{row.fixed:>10.1%}{row.lasting:>9.1%}{row.first_fixed:>14.1%}"
            f"{row.first_lasting:>9.1%}{row.stopped:>30.1%}{right:>9}{after:>7}"
        )
    return "\n".join(lines)


def watch_all(held: Held) -> list[Watched]:
    """Play tournaments and look at each again and again."""
    found = []
    for number in held.numbers:
        field, results = play(held, number)
        found.append(_watched(field, held.format, results))
    return found


def _watched(field: Field, format_: Format, results: Sequence[MatchResult[int]]) -> Watched:
    truth = field.truth
    entrants = range(len(truth))
    wrong: dict[bool, set[int]] = {False: set(), True: set()}
    first_wrong = {False: False, True: False}
    stopped, right = None, False
    for seen in _looks(results, format_):
        fit = fit_strengths(seen)
        first = fit.order()[0]
        for one in entrants:
            interval = fit.interval(one)
            played = sum(one in result.entrants for result in seen)
            planned = sum(one in result.entrants for result in results)
            for wider, (low, high) in ((False, interval), (True, lasting(interval, played, planned))):
                if not low <= truth[one] <= high:
                    wrong[wider].add(one)
                    first_wrong[wider] |= one == first
        if stopped is None and known(UNTIL, seen, entrants):
            stopped = len(seen) / len(results)
            # Of level ones either may be among the first.
            last = sorted(truth, reverse=True)[UNTIL.first - 1]
            right = all(truth[one] >= last - 1e-9 for one in fit.order()[: UNTIL.first])
    return Watched(
        len(truth), len(wrong[False]), len(wrong[True]), first_wrong[False], first_wrong[True], stopped, right
    )


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


def _row(field: str, watched: Sequence[Watched]) -> LooksRow:
    entrants = sum(one.entrants for one in watched)
    ended = [one for one in watched if one.stopped is not None]
    return LooksRow(
        field,
        len(watched),
        1 - sum(one.fixed for one in watched) / entrants,
        1 - sum(one.lasting for one in watched) / entrants,
        1 - sum(one.first_fixed for one in watched) / len(watched),
        1 - sum(one.first_lasting for one in watched) / len(watched),
        len(ended) / len(watched),
        sum(one.right for one in ended) / len(ended) if ended else None,
        sum(one.stopped or 0.0 for one in ended) / len(ended) if ended else None,
    )
