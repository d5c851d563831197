"""How a stage will go, round by round, as far as that is known before it is played."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from farfalia_tournaments.schedules.balance_summary import BalanceKind, BalanceSummary
from farfalia_tournaments.schedules.history import History
from farfalia_tournaments.schedules.knockout import knockout_plan
from farfalia_tournaments.schedules.knockout_size import KnockoutSize
from farfalia_tournaments.schedules.model import Schedule
from farfalia_tournaments.schedules.span import Span
from farfalia_tournaments.schedules.swiss import swiss_round
from farfalia_tournaments.stages.drawing import Teams, stage_schedule
from farfalia_tournaments.stages.model import Stage, StageKind


@dataclass(frozen=True, slots=True)
class StageForecast:
    """The number of tables of each round, how many an entrant sits at, and the schedule unless it is a knock-out."""

    tables: tuple[int, ...]
    each: Span
    schedule: Schedule | None
    balance: BalanceSummary


def stage_forecast(stage: Stage, entrants: int, seats: int, *, seed: str, number: int, teams: Teams) -> StageForecast:
    """Return the course of a stage: of a round robin the real one, of a Swiss a trial with results by chance alone."""
    if stage.kind is StageKind.KNOCKOUT:
        return _knockout(knockout_plan(entrants, seats, stage.advance))
    if stage.kind is StageKind.SWISS:
        schedule = _trial(entrants, seats, stage.rounds or 0, random.Random(f"{seed}/{number}/trial"))
        balance = BalanceSummary(BalanceKind.TRIAL, schedule.balance.meetings)
    else:
        draw = partial(stage_schedule, entrants, seats, stage.rounds, seed=seed, stage=number, teams=teams)
        schedule = draw(short=stage.short)
        balance = schedule.summary
        # Where some meet once, hardly fewer tables could do.
        if stage.rounds is None and not stage.short and schedule.balance.meetings.least > 1:
            tables_of_short = draw(short=True).matches
            balance = replace(balance, shorter=tables_of_short if tables_of_short < schedule.matches else None)
    balance = replace(balance, finals=stage.until is not None)
    tables = tuple(len(round_.tables) for round_ in schedule.rounds)
    byes = schedule.balance.byes
    return StageForecast(tables, Span(len(tables) - byes.most, len(tables) - byes.least), schedule, balance)


def _trial(entrants: int, seats: int, rounds: int, rng: random.Random) -> Schedule:
    scores = dict.fromkeys(range(entrants), 0.0)
    drawn: list[Sequence[tuple[int, ...]]] = []
    for _ in range(rounds):
        drawn.append(swiss_round(scores, seats, History.of(drawn), rng=rng).tables)
        for entrant in chain.from_iterable(drawn[-1]):
            scores[entrant] += rng.random()
    return Schedule.of(entrants, seats, drawn)


def _knockout(sizes: Sequence[KnockoutSize]) -> StageForecast:
    tables = tuple(size.tables for size in sizes)
    # The final is always played; an entrant with a bye has a table later.
    balance = BalanceSummary(BalanceKind.KNOCKOUT, None, tuple(sizes))
    return StageForecast(tables, Span(1, len(sizes)), None, balance)
