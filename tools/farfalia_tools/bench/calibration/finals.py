"""Stages that end once the first is known, for `farfalia bench calibration --finals`: matches spent, and wrong firsts.

The rounds are drawn by the code that draws those of a server, and every round is a look. Beside it the same fields play
whole rounds of the schedule with the same rule, and with the rule that takes every look for the last.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from statistics import fmean, median
from typing import Final

from farfalia_tools.bench.calibration.fields import EVEN, FIELDS, SimulatedField, result_of
from farfalia_tools.bench.calibration.luck import SEATS, DrawnLuck
from farfalia_tools.bench.worker_pool import WorkerPool
from farfalia_tournaments import DrawnMatch, Entry, MatchResult, NextRound, Stage, StageKind, fit_strengths, next_round
from farfalia_tournaments.schedules import Boards
from farfalia_tournaments.stages import Until, contest_of

#: How many play in a stage, and its rounds at most.
SIZES: Final[Mapping[int, int]] = {8: 160, 20: 80, 30: 80}
#: By how many points the second is behind the first, and how many are: None leaves the field as it was drawn.
LEADERS: Final[Mapping[str, tuple[float, int] | None]] = {
    "as drawn": None,
    "two level": (0.0, 1),
    "second 0.5 behind": (0.5, 1),
    "four 0.5 behind": (0.5, 4),
}
UNTIL: Final = Until(1)


class Way(StrEnum):
    """How rounds are drawn, and when a stage ends."""

    #: As a server does: tables for those who can still be first, and a rule for all looks together.
    FINALS = "finals"
    #: Whole rounds with the same rule.
    WHOLE = "whole rounds"
    #: Whole rounds, ended once the probability at one look is high enough.
    ONE_LOOK = "whole rounds, one look"


@dataclass(frozen=True, slots=True)
class PlayedStage:
    """What a stage took: its matches, whether it ended before its last round, and whether it named the wrong first."""

    matches: int
    ended: bool
    wrong: bool


@dataclass(frozen=True, slots=True)
class FinalsRow:
    """Stages of one size and kind of field, drawn in one way: mean and median of matches, shares of 1."""

    entrants: int
    leaders: str
    way: Way
    stages: int
    matches: float
    median: float
    ended: float
    wrong: float


@dataclass(frozen=True, slots=True)
class _Task:
    entrants: int
    leaders: str
    way: Way
    number: int
    seed: int
    rounds: int


def run(
    repetitions: int,
    seed: int,
    *,
    sizes: Mapping[int, int] = SIZES,
    leaders: Sequence[str] = tuple(LEADERS),
    ways: Sequence[Way] = tuple(Way),
    processes: int | None = None,
    done: Callable[[int, int], None] = lambda done, total: None,
) -> list[FinalsRow]:
    """Play this many stages of each size and kind in each way; the fields and their luck are those of the seed."""
    kinds = [(entrants, kind, way) for entrants in sizes for kind in leaders for way in ways]
    tasks = [_Task(*kind, number, seed, sizes[kind[0]]) for kind in kinds for number in range(repetitions)]
    with WorkerPool(processes) as pool:
        futures = {pool.submit(play, task): task for task in tasks}
        for so_far, _ in enumerate(as_completed(futures), 1):
            done(so_far, len(tasks))
    found: dict[tuple[int, str, Way], list[PlayedStage]] = {kind: [] for kind in kinds}
    for future, task in futures.items():
        found[task.entrants, task.leaders, task.way].append(future.result())
    return [
        FinalsRow(
            *kind,
            len(played),
            fmean(one.matches for one in played),
            median(one.matches for one in played),
            fmean(one.ended for one in played),
            fmean(one.wrong for one in played),
        )
        for kind, played in found.items()
    ]


def table(rows: Sequence[FinalsRow]) -> str:
    """Return the rows as plain text."""
    lines = [f"{f'until {UNTIL}':<64}{'stages':>8}{'matches':>10}{'median':>9}{'ended':>8}{'wrong':>8}"]
    lines += [
        f"{f'{row.entrants} entrants, {row.leaders}, {row.way}':<64}{row.stages:>8,}{row.matches:>10,.0f}"
        f"{row.median:>9,.0f}{row.ended:>8.1%}{row.wrong:>8.1%}"
        for row in rows
    ]
    return "\n".join(lines)


def play(task: _Task) -> PlayedStage:
    """Play a stage to its end."""
    random = Random(f"{task.seed}/{task.entrants}/{task.leaders}/{task.number}")
    field = _field(task.entrants, LEADERS[task.leaders], random)
    luck = DrawnLuck(random)
    entries = [Entry(entrant) for entrant in range(task.entrants)]
    until = UNTIL if task.way is Way.FINALS else None
    stage = Stage(StageKind.ROUND_ROBIN, task.rounds, boards=Boards.DATUM, until=until)
    played: list[DrawnMatch] = []
    for rounds in range(task.rounds + 1):
        if task.way is not Way.FINALS and _known(task, _results(played), rounds):
            break
        following = next_round([stage], entries, played, seats=SEATS, seed=f"{task.seed}/{task.number}")
        if not isinstance(following, NextRound):
            break
        points = luck.of(following.matches)
        played += [
            DrawnMatch(match, result_of(field, match, own))
            for match, own in zip(following.matches, points, strict=True)
        ]
    ended = rounds < task.rounds
    # Of level ones either may be the first.
    named = field.truth[fit_strengths(_results(played)).order()[0]]
    return PlayedStage(len(played), ended, ended and named < max(field.truth) - 1e-9)


def _known(task: _Task, results: Sequence[MatchResult[int]], rounds: int) -> bool:
    """Return whether a stage of whole rounds has ended."""
    if not results:
        return False
    fit = fit_strengths(results)
    if task.way is Way.WHOLE:
        contest = contest_of(UNTIL, results, fit, range(task.entrants), rounds=rounds, planned=task.rounds)
        return contest is not None and contest.known
    first, *others = fit.order()
    doubt = sum(fit.probability(other, first) for other in others)
    return len(others) == task.entrants - 1 and doubt <= 1 - UNTIL.percent / 100


def _results(played: Sequence[DrawnMatch]) -> list[MatchResult[int]]:
    return [one.result for one in played if one.result is not None]


def _field(entrants: int, leaders: tuple[float, int] | None, random: Random) -> SimulatedField:
    """Return a field in which as many as that are behind the strongest by a gap, in random order."""
    field = FIELDS[EVEN](entrants, random)
    if leaders is None:
        return field
    gap, behind = leaders
    best, *others = sorted(field.strengths, reverse=True)
    strengths = [best, *[best - gap] * behind, *others[behind:]]
    random.shuffle(strengths)
    return replace(field, strengths=tuple(strengths))
