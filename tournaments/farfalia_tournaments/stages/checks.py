"""Whether stages can be played, by whom, before the first card."""

from collections.abc import Sequence

from farfalia_tournaments.errors import ScheduleError
from farfalia_tournaments.schedules.boards import boards_of_table
from farfalia_tournaments.schedules.knockout import check_knockout
from farfalia_tournaments.schedules.round_robin import TABLE_SIZES
from farfalia_tournaments.stages.model import Stage, StageKind

#: Rounds of one stage.
MOST_ROUNDS = 10_000


def check_stages(stages: Sequence[Stage], entrants: int, seats: int) -> tuple[int, ...]:
    """Return how many play in each stage; ScheduleError with the stage's number and the value that is impossible."""
    if not stages:
        raise ScheduleError("no stages: expected at least one")
    if seats not in TABLE_SIZES:
        raise ScheduleError(f"tables of {seats} seats: expected one of {', '.join(map(str, TABLE_SIZES))}")
    fields = []
    for number, stage in enumerate(stages, start=1):
        fields.append(entrants)
        try:
            _check_field(stage, entrants, seats)
            _check_settings(stage, first=number == 1)
            entrants = _check_qualifiers(stage, entrants, last=number == len(stages))
        except ScheduleError as error:
            raise ScheduleError(f"stage {number}, {stage.kind}: {error}") from None
    return tuple(fields)


def _check_field(stage: Stage, entrants: int, seats: int) -> None:
    if entrants < seats:
        raise ScheduleError(f"{entrants} entrants: expected at least {seats}, as many as a table has seats")
    if stage.kind is StageKind.KNOCKOUT:
        check_knockout(entrants, seats, stage.advance)
    if stage.until is not None and stage.until.first >= entrants:
        raise ScheduleError(f"until the {stage.until}: expected at most the first {entrants - 1} of {entrants}")
    boards_of_table(stage.boards, seats, stage.matches)


def _check_settings(stage: Stage, *, first: bool) -> None:
    if stage.kind is StageKind.KNOCKOUT:
        if stage.rounds is not None:
            raise ScheduleError(f"rounds {stage.rounds}: expected none, they follow from the field")
        if stage.carry:
            raise ScheduleError("carry: expected no, each table of a knock-out starts from zero")
    elif stage.advance is not None:
        raise ScheduleError(f"advance {stage.advance}: expected none, only a knock-out has it")
    if stage.short and (stage.kind is not StageKind.ROUND_ROBIN or stage.rounds is not None):
        raise ScheduleError("design short: expected a round robin without rounds, they follow from the field")
    if stage.kind is StageKind.SWISS and stage.rounds is None:
        raise ScheduleError("no rounds: expected their number, such as rounds=7")
    if stage.rounds is not None and not 1 <= stage.rounds <= MOST_ROUNDS:
        raise ScheduleError(f"rounds {stage.rounds}: expected 1 to {MOST_ROUNDS}")
    if stage.until is not None and stage.kind is StageKind.KNOCKOUT:
        raise ScheduleError(f"until the {stage.until}: expected none, a knock-out ends with its final")
    if stage.carry and first:
        raise ScheduleError("carry: expected no, there is no stage before the first")


def _check_qualifiers(stage: Stage, entrants: int, *, last: bool) -> int:
    if stage.qualifiers is None:
        return entrants
    if last:
        raise ScheduleError(f"qualifiers {stage.qualifiers}: expected none, there is no stage after the last")
    if stage.qualifiers < 1:
        raise ScheduleError(f"qualifiers {stage.qualifiers}: expected at least 1, or nobody would play on")
    if stage.qualifiers > entrants:
        raise ScheduleError(f"qualifiers {stage.qualifiers}: expected at most {entrants}, as many as play in it")
    return stage.qualifiers
