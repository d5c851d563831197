"""Stages as the contract has them, and as the database keeps them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from farfalia.v1 import stages_pb2
from farfalia_server.organising.board_kinds import BOARDS
from farfalia_tournaments import ScheduleError, Stage, StageKind, stages_of
from farfalia_tournaments.schedules import Boards
from farfalia_tournaments.stages import Until, until_of

KINDS = {
    StageKind.ROUND_ROBIN: stages_pb2.STAGE_KIND_ROUND_ROBIN,
    StageKind.SWISS: stages_pb2.STAGE_KIND_SWISS,
    StageKind.KNOCKOUT: stages_pb2.STAGE_KIND_KNOCKOUT,
}
_KINDS = {number: kind for kind, number in KINDS.items()}
_BOARDS = {number: boards for boards, number in BOARDS.items()}


def stage_message(stage: Stage) -> stages_pb2.Stage:
    """Return the message of a stage; it always names its boards."""
    return stages_pb2.Stage(
        kind=KINDS[stage.kind],
        rounds=stage.rounds,
        advance=stage.advance,
        matches=stage.matches,
        boards=BOARDS[stage.boards],
        qualifiers=stage.qualifiers,
        carry=stage.carry,
        until_first=None if stage.until is None else stage.until.first,
        until_percent=None if stage.until is None else stage.until.percent,
        short=stage.short,
        opposed=stage.opposed,
    )


def stages_from(messages: Iterable[stages_pb2.Stage], boards: Boards) -> tuple[Stage, ...]:
    """Return the stages of a request; those that name no boards have `boards`. ScheduleError for an unknown number."""
    return tuple(_stage(number, message, boards) for number, message in enumerate(messages, start=1))


def stored(stages: Sequence[Stage]) -> str:
    """Return stages as the database keeps them."""
    return json.dumps([stage.settings() for stage in stages])


def stages_stored(text: str) -> tuple[Stage, ...]:
    """Return stages that the database has kept."""
    return stages_of(json.loads(text))


def following_stages(text: str) -> frozenset[int]:
    """Return which of the stages that the database has kept, from 1, draw their rounds from results."""
    stages = stages_stored(text) if text else ()
    return frozenset(number for number, stage in enumerate(stages, start=1) if stage.follows_results)


def _stage(number: int, message: stages_pb2.Stage, boards: Boards) -> Stage:
    kind = _KINDS.get(message.kind)
    if kind is None:
        raise ScheduleError(
            "stage %(number)s: kind is %(kind)s; expected 1 to %(most)s",
            number=number,
            kind=message.kind,
            most=max(_KINDS),
        )
    if message.boards and message.boards not in _BOARDS:
        raise ScheduleError(
            "stage %(number)s: boards is %(boards)s; expected 0 to %(most)s",
            number=number,
            boards=message.boards,
            most=max(_BOARDS),
        )
    return Stage(
        kind,
        message.rounds if message.HasField("rounds") else None,
        message.advance if message.HasField("advance") else None,
        message.matches if message.HasField("matches") else None,
        _BOARDS.get(message.boards, boards),
        message.qualifiers if message.HasField("qualifiers") else None,
        message.carry,
        _until(number, message),
        message.short,
        message.opposed,
    )


def _until(number: int, message: stages_pb2.Stage) -> Until | None:
    try:
        return until_of(
            message.until_first if message.HasField("until_first") else None,
            message.until_percent if message.HasField("until_percent") else None,
        )
    except ScheduleError as error:
        raise ScheduleError("stage %(number)s: %(error)s", number=number, error=error) from None
