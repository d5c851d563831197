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
        raise ScheduleError(
            "tables of %(seats)s seats: expected one of %(choices)s",
            seats=seats,
            choices=", ".join(map(str, TABLE_SIZES)),
        )
    fields = []
    for number, stage in enumerate(stages, start=1):
        fields.append(entrants)
        try:
            _check_field(stage, entrants, seats)
            _check_settings(stage, first=number == 1)
            entrants = _check_qualifiers(stage, entrants, last=number == len(stages))
        except ScheduleError as error:
            raise ScheduleError(
                "stage %(number)s, %(kind)s: %(error)s", number=number, kind=stage.kind, error=error
            ) from None
    return tuple(fields)


def _check_field(stage: Stage, entrants: int, seats: int) -> None:
    if entrants < seats:
        raise ScheduleError(
            "%(entrants)s entrants: expected at least %(seats)s, as many as a table has seats",
            entrants=entrants,
            seats=seats,
        )
    if stage.kind is StageKind.KNOCKOUT:
        check_knockout(entrants, seats, stage.advance)
    if stage.until is not None and stage.until.first >= entrants:
        raise ScheduleError(
            "until the %(until)s: expected at most the first %(most)s of %(entrants)s",
            until=stage.until,
            most=entrants - 1,
            entrants=entrants,
        )
    boards_of_table(stage.boards, seats, stage.matches)


def _check_settings(stage: Stage, *, first: bool) -> None:
    if stage.kind is StageKind.KNOCKOUT:
        if stage.rounds is not None:
            raise ScheduleError("rounds %(rounds)s: expected none, they follow from the field", rounds=stage.rounds)
        if stage.carry:
            raise ScheduleError("carry: expected no, each table of a knock-out starts from zero")
    elif stage.advance is not None:
        raise ScheduleError("advance %(advance)s: expected none, only a knock-out has it", advance=stage.advance)
    if stage.short and (stage.kind is not StageKind.ROUND_ROBIN or stage.rounds is not None):
        raise ScheduleError("design short: expected a round robin without rounds, they follow from the field")
    if stage.kind is StageKind.SWISS and stage.rounds is None:
        raise ScheduleError("no rounds: expected their number, such as rounds=7")
    if stage.rounds is not None and not 1 <= stage.rounds <= MOST_ROUNDS:
        raise ScheduleError("rounds %(rounds)s: expected 1 to %(most)s", rounds=stage.rounds, most=MOST_ROUNDS)
    if stage.until is not None and stage.kind is StageKind.KNOCKOUT:
        raise ScheduleError("until the %(until)s: expected none, a knock-out ends with its final", until=stage.until)
    if stage.carry and first:
        raise ScheduleError("carry: expected no, there is no stage before the first")


def _check_qualifiers(stage: Stage, entrants: int, *, last: bool) -> int:
    if stage.qualifiers is None:
        return entrants
    if last:
        raise ScheduleError(
            "qualifiers %(qualifiers)s: expected none, there is no stage after the last", qualifiers=stage.qualifiers
        )
    if stage.qualifiers < 1:
        raise ScheduleError(
            "qualifiers %(qualifiers)s: expected at least 1, or nobody would play on", qualifiers=stage.qualifiers
        )
    if stage.qualifiers > entrants:
        raise ScheduleError(
            "qualifiers %(qualifiers)s: expected at most %(entrants)s, as many as play in it",
            qualifiers=stage.qualifiers,
            entrants=entrants,
        )
    return stage.qualifiers
