"""How much luck the value function takes out of scores, in matches that it was not fitted on.

Several fields play real matches of Chinkway, with each way to deal boards. The benchmark compares the variance of the
scores that standings show, with luck and without.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from random import Random
from statistics import fmean
from typing import Final

from farfalia_engine import Deals, board_key, match_luck, places, ruleset
from farfalia_tools.bench.fairness.schemes import DATUM, RANDOM, ROTATIONS, SCHEMES
from farfalia_tools.bench.luck.fields import FIELDS, play_match
from farfalia_tools.bench.worker_pool import WorkerPool
from farfalia_tournaments import MatchResult, units

#: What is measured: a field, and how its boards are dealt.
SCENES: Final = tuple((field, scheme) for field in FIELDS for scheme in (RANDOM, DATUM, ROTATIONS))
#: How many times fewer matches a field of search bots plays.
SLOWER: Final[Mapping[str, int]] = {"searching": 6}
#: Resampled sets of boards for an interval.
RESAMPLED: Final = 400

_RULES: Final = ruleset("chinkway")

_HEADER: Final = (
    f"{'field':<11}{'boards':<34}{'matches':>8}{'variance':>10}{'without luck':>19}{'of fresh':>10}{'mean luck':>15}"
)


@dataclass(frozen=True, slots=True)
class LuckRow:
    """One field, and one way to deal its boards; variances are of a bot's score about its mean, for one match."""

    field: str
    scheme: str
    matches: int
    #: With luck, in squared points.
    variance: float
    #: That without luck, relative to `variance`, and its 95 % interval.
    ratio: float
    low: float
    high: float
    #: Variance without luck relative to that with luck where every match has its own cards.
    of_fresh: float
    #: The mean luck of seat 0, and its standard error, in points: 0 is expected.
    mean_luck: float
    mean_luck_error: float


@dataclass(frozen=True, slots=True)
class LuckReport:
    """All rows, and by which value function."""

    value_function: str
    rows: tuple[LuckRow, ...]


#: By number of the board: what each bot's scores on it are, with luck and without, and how many matches they are of.
_Scores = list[tuple[int, dict[int, tuple[float, float]]]]


def run(
    matches: int = 600,
    seed: int = 1,
    scenes: Sequence[tuple[str, str]] = SCENES,
    done: Callable[[int, int], None] = lambda *_: None,
    processes: int | None = None,
) -> LuckReport:
    """Play everything; the seed decides what comes out, and the number of processes only how soon."""
    plans = [(field, scheme, matches // SLOWER.get(field, 1), seed) for field, scheme in scenes]
    played: list[list[MatchResult[int]]] = []
    with WorkerPool(processes) as pool:
        for number, results in enumerate(pool.results(play, plans), 1):
            played.append(results)
            done(number, len(plans))
    rows: list[LuckRow] = []
    for (field, scheme, _, _), results in zip(plans, played, strict=True):
        fresh = next((row.variance for row in rows if row.field == field), None)
        rows.append(_row(field, scheme, results, fresh))
    return LuckReport(_RULES.value_function.hex(), tuple(rows))


def play(scene: tuple[str, str, int, int]) -> list[MatchResult[int]]:
    """Return the results of a field, with the luck of each seat."""
    name, scheme, matches, seed = scene
    field = FIELDS[name]
    random = Random(f"{seed}/luck/{name}/{scheme}")
    secret = random.randbytes(32)
    results = []
    for number, (table, board) in enumerate(islice(SCHEMES[scheme](len(field), matches, random), matches)):
        key = board_key(secret, (), board)
        match = play_match(_RULES, field, table, key, f"{seed}/{name}/{scheme}/{number}")
        luck = match_luck(_RULES, Deals(key), match.deals)
        assert luck is not None
        results.append(MatchResult(table, match.points, places(match.points), board=board, luck=luck))
    return results


def table(report: LuckReport) -> str:
    """Return the report as plain text."""
    lines = [_HEADER]
    for row in report.rows:
        ratio = f"{row.ratio:.2f} ({row.low:.2f}–{row.high:.2f})"
        luck = f"{row.mean_luck:+.2f} ± {1.96 * row.mean_luck_error:.2f}"
        figures = f"{row.matches:>8,}{row.variance:>10.1f}{ratio:>19}{row.of_fresh:>10.2f}{luck:>15}"
        lines.append(f"{row.field:<11}{row.scheme:<34}{figures}")
    return "\n".join(
        [
            *lines,
            "",
            "Variance: of a bot's score about its mean, in squared points of one match, with luck; then without luck,",
            "relative to it (95 % by resampling boards), and relative to matches with luck and cards of their own:",
            "0.5 means that a match says as much as two. The mean luck is that of seat 0, in points; 0 is expected.",
            f"Value function {report.value_function}, fitted on other matches of other bots.",
        ]
    )


def _row(field: str, scheme: str, results: Sequence[MatchResult[int]], fresh: float | None) -> LuckRow:
    scores = _scores(results)
    variance, without = _variances(scores)
    random = Random(f"{field}/{scheme}")
    ratios = []
    for _ in range(RESAMPLED):
        with_luck, less = _variances(random.choices(scores, k=len(scores)))
        ratios.append(less / with_luck)
    ratios.sort()
    # One match of each board: the cards of the others are the same.
    lucks = list({result.board: float(result.luck[0]) for result in results}.values())
    mean = fmean(lucks)
    error = math.sqrt(fmean((value - mean) ** 2 for value in lucks) / len(lucks))
    return LuckRow(
        field=field,
        scheme=scheme,
        matches=len(results),
        variance=variance,
        ratio=without / variance,
        low=ratios[RESAMPLED // 40],
        high=ratios[-RESAMPLED // 40],
        of_fresh=without / (fresh or variance),
        mean_luck=mean,
        mean_luck_error=error,
    )


def _scores(results: Sequence[MatchResult[int]]) -> _Scores:
    """Return the scores by board: what is on one board hangs together."""
    boards: dict[str, tuple[int, dict[int, tuple[float, float]]]] = {}
    with_luck = units([replace(result, luck=(Fraction(0),) * len(result.points)) for result in results])
    for unit, less in zip(with_luck, units(results), strict=True):
        board = boards.setdefault(unit.results[0].board, (len(unit.results), {}))
        for entrant, score in unit.scores.items():
            board[1][entrant] = float(score), float(less.scores[entrant])
    return list(boards.values())


def _variances(scores: _Scores) -> tuple[float, float]:
    """Return the variance of a score about its bot's mean, for one match, with luck and without."""
    by_bot: dict[int, list[tuple[float, float]]] = {}
    matches = scores[0][0]
    for _, board in scores:
        for entrant, pair in board.items():
            by_bot.setdefault(entrant, []).append(pair)
    found = []
    for kind in (0, 1):
        squares = freedom = 0.0
        for pairs in by_bot.values():
            mean = fmean(pair[kind] for pair in pairs)
            squares += sum((pair[kind] - mean) ** 2 for pair in pairs)
            freedom += len(pairs) - 1
        found.append(matches * squares / freedom)
    return found[0], found[1]
