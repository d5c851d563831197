"""Stages as a request has them: read, checked, and counted before anything is played."""

from __future__ import annotations

from dataclasses import dataclass

from farfalia_engine import Ruleset
from farfalia_server.errors import InvalidArgument
from farfalia_tournaments import Kind, ScheduleError, Stage, check_stages, parse_stages, plan
from farfalia_tournaments.schedules import Boards

#: What decides the schedule of numbers, and the trial that a plan of stages is: the same for all tournaments.
PLAN_SEED = "farfalia/plan"
NAMES = {Kind.ROUND_ROBIN: "Round robin", Kind.SWISS: "Swiss", Kind.KNOCKOUT: "Knock-out"}


@dataclass(frozen=True, slots=True)
class StagesPlan:
    """Stages that can be played, as text, and what they come to, all together."""

    stages: str
    rounds: int
    matches: int
    balance: str


def plan_stages(text: str, entrants: int, rules: Ruleset, boards: Boards, most_matches: int) -> StagesPlan:
    """Reads the stages of a request; InvalidArgument with the number of the stage that cannot be, and why."""
    try:
        stages = checked_stages(text, entrants, rules.seats, boards, most_matches)
        planned = plan(stages, entrants, rules.seats, seed=PLAN_SEED, teams=rules.teams or ())
    except ScheduleError as error:
        raise InvalidArgument("stages", str(error)) from None
    if planned.matches > most_matches:
        raise InvalidArgument("stages", f"these stages are {planned.matches} matches; expected at most {most_matches}")
    sentences = [f"{NAMES[one.stage.kind]}: {one.description}" for one in planned.stages]
    if len(sentences) > 1:
        sentences = [f"Stage {number}, {sentence}" for number, sentence in enumerate(sentences, start=1)]
    return StagesPlan(
        " ".join(map(str, stages)),
        sum(one.rounds for one in planned.stages),
        planned.matches,
        " ".join(sentences),
    )


def checked_stages(text: str, entrants: int, seats: int, boards: Boards, most_matches: int) -> tuple[Stage, ...]:
    """Reads stages; ScheduleError for what cannot be, and what is too long, before its rounds are worked out."""
    stages = parse_stages(text, boards)
    fields = check_stages(stages, entrants, seats)
    for number, (stage, field) in enumerate(zip(stages, fields, strict=True), start=1):
        matches = (stage.rounds or 1) * (field // seats) * (stage.matches or stage.boards.replays(seats))
        if matches > most_matches:
            sentence = f"at least {matches} matches: expected at most {most_matches}"
            raise ScheduleError(f"stage {number}, {stage.kind}: {sentence}")
    return stages
