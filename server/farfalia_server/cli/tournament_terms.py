"""What a command line says about how a tournament or a ladder is played: stages, the time control, where it counts."""

from typing import Annotated

import typer
from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.v1 import record_pb2
from farfalia_server.contract.moments import moment_of
from farfalia_tournaments import ScheduleError, Stage, StageKind, parse_stages
from farfalia_tournaments.schedules import Boards
from farfalia_tournaments.stages import parse_until

STAGES_HELP = (
    "Stages, separated by spaces, each round-robin, swiss or knockout with settings: "
    "rounds=N, advance=N of a knock-out's table, matches=N of a table in a round, qualifiers=N for the next stage, "
    "carry=yes for the scores of the stage before, opposed=yes to keep the first two on opposite sides, "
    "boards=fresh, datum or rotations, until-first=N and until-percent=N to end it once the first N are known. "
    'Such as "swiss:rounds=7,qualifiers=10 knockout:advance=2"; bots are named best seed first.'
)

Number = Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="Number of the tournament.")]
ReasonOption = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why, for everyone to read; at most 200 characters are kept.")
]
UnratedOption = Annotated[
    bool, typer.Option("--unrated", help="Count its matches on no ladder, such as those of a trial run.")
]
LastingOption = Annotated[
    bool | None,
    typer.Option(
        "--lasting-processes/--match-processes",
        help="Let programs that were handed in keep their process, and what they learn, from one match to the next, "
        "or give each match a process of its own, as usual.",
        show_default=False,
    ),
]
PersonsOption = Annotated[
    bool | None,
    typer.Option(
        "--persons/--bots-alone",
        help="Let persons enter as well, and count its matches for them as for bots; without a clock they have three "
        "minutes for each decision. Usually bots alone.",
        show_default=False,
    ),
]
AloneOption = Annotated[
    bool | None,
    typer.Option(
        "--alone/--with-ladders",
        help="Let probabilities come from its own matches alone, or start from what a ladder of the same game knows of "
        "the same versions, as usual.",
        show_default=False,
    ),
]
CountsOnOption = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="Count its matches on this ladder instead of the event's usual one.", show_default=False
    ),
]
WithEventOption = Annotated[bool, typer.Option("--with-event", help="Let it start by itself when its event does.")]
#: What takes a time to start back.
_BY_HAND = "by hand"
StartAtOption = Annotated[
    str,
    typer.Option(
        "--at",
        metavar="TIME",
        help=f'Let it start by itself then: "2026-12-01 09:00" in UTC, or with +01:00; "{_BY_HAND}" takes it back.',
        show_default=False,
    ),
]


def stages_of(text: str, boards: Boards) -> tuple[Stage, ...]:
    """Return the stages that an option names; BadParameter says which one cannot be read."""
    try:
        return parse_stages(text, boards)
    except ScheduleError as error:
        raise typer.BadParameter(str(error), param_hint="--stages") from error


def until_stages(text: str, rounds: int, stages: str, boards: Boards) -> tuple[Stage, ...]:
    """Return the one stage of a tournament that stops by a rule."""
    if stages:
        raise typer.BadParameter("--until with --stages: write the rule into a stage, such as until-first=3.")
    try:
        return (Stage(StageKind.ROUND_ROBIN, rounds or None, boards=boards, until=parse_until(text)),)
    except ScheduleError as error:
        raise typer.BadParameter(f"{error}.", param_hint="--until") from error


def time_control(limit_ms: int | None, bank_ms: int | None, grace: int | None) -> record_pb2.TimeControl | None:
    """Return the time control that the options name, None for the server's own;
    BadParameter if one or two are missing.
    """
    if limit_ms is None and bank_ms is None and grace is None:
        return None
    if limit_ms is None or bank_ms is None or grace is None:
        raise typer.BadParameter("--limit-ms, --bank-ms and --grace belong together; give all three or none.")
    return record_pb2.TimeControl(limit_ms=limit_ms, bank_ms=bank_ms, grace=grace)


def start_time(text: str) -> Timestamp | None:
    """Return when a tournament is to start by itself, None for now; InvalidArgument for what is no time."""
    if not text:
        return None
    moment = Timestamp()
    if text != _BY_HAND:
        moment.FromDatetime(moment_of("--at", text, "UTC"))
    return moment
