"""Stages that are asked for: checked, and counted before anything is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from farfalia_engine import Ruleset
from farfalia_server.contract.bounds import MOST_STAGES
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.contract.said_below import said_of
from farfalia_server.organising.balances import Balances
from farfalia_tournaments import ScheduleError, Stage, check_stages, plan

#: What decides the schedule of numbers, and the trial that a plan of stages is: the same for all tournaments.
PLAN_SEED = "farfalia/plan"


@dataclass(frozen=True, slots=True)
class StagesPlan:
    """What stages that can be played come to, all together."""

    rounds: int
    matches: int
    balances: Balances


def plan_stages(stages: Sequence[Stage], entrants: int, rules: Ruleset, most_matches: int) -> StagesPlan:
    """Count what stages come to; InvalidArgument with the number of the stage that is invalid, and why."""
    try:
        check_size(stages, entrants, rules.seats, most_matches)
        planned = plan(stages, entrants, rules.seats, seed=PLAN_SEED, teams=rules.teams or ())
    except ScheduleError as error:
        raise InvalidArgument("stages", said_of(error)) from None
    if planned.matches > most_matches:
        raise InvalidArgument(
            "stages",
            said(
                "these stages are %(matches)s matches; expected at most %(most)s",
                matches=planned.matches,
                most=most_matches,
            ),
        )
    return StagesPlan(
        sum(one.rounds for one in planned.stages),
        planned.matches,
        [(one.stage.kind, one.balance) for one in planned.stages],
    )


def check_size(stages: Sequence[Stage], entrants: int, seats: int, most_matches: int) -> None:
    """Raise ScheduleError for invalid stages, and for those that are too long, before their rounds are computed."""
    if len(stages) > MOST_STAGES:
        raise ScheduleError("%(stages)s stages: expected at most %(most)s", stages=len(stages), most=MOST_STAGES)
    fields = check_stages(stages, entrants, seats)
    for number, (stage, field) in enumerate(zip(stages, fields, strict=True), start=1):
        matches = (stage.rounds or 1) * (field // seats) * (stage.matches or stage.boards.replays(seats))
        if matches > most_matches:
            sentence = ScheduleError(
                "at least %(matches)s matches: expected at most %(most)s", matches=matches, most=most_matches
            )
            raise ScheduleError("stage %(number)s, %(kind)s: %(error)s", number=number, kind=stage.kind, error=sentence)
