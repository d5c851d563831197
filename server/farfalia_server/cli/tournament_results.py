"""Results of a tournament that do not count: void, or played again."""

from collections.abc import Sequence
from typing import Annotated

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import tournaments_pb2
from farfalia_server.cli.output import note
from farfalia_server.cli.remote import AdminOption, JsonOption, ServerOption, ask
from farfalia_server.cli.standings import print_one
from farfalia_server.cli.tournament_terms import Number, ReasonOption

MatchArguments = Annotated[
    list[int] | None, typer.Argument(metavar="MATCH...", min=1, help="Numbers of matches, or give --round.")
]
RoundOption = Annotated[
    str, typer.Option("--round", metavar="R", help="A round, such as 3, or with stages 2.3: stage 2, round 3.")
]


def void(
    number: Number,
    matches: MatchArguments = None,
    round_: RoundOption = "",
    reason: ReasonOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Take results out of standings and ratings; the records stay.

    Examples: farfalia tournament void 3 41 42 --reason "wrong bots"; farfalia tournament void 3 --round 2.1 --reason
    "power cut"
    """
    request = _results(number, matches, round_, reason)
    print_one(_void(server, request, admin_token), json)


def replay(
    number: Number,
    matches: MatchArguments = None,
    round_: RoundOption = "",
    reason: ReasonOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Play matches again on new boards; their results are void.

    Example: farfalia tournament replay 3 --round 2 --reason "power cut"
    """
    request = _results(number, matches, round_, reason)
    request.replay = True
    print_one(_void(server, request, admin_token), json)


def _results(
    number: int, matches: Sequence[int] | None, round_: str, reason: str
) -> tournaments_pb2.VoidMatchesRequest:
    """Return the results that the arguments name, to take them out; BadParameter unless they name either matches or a
    round, and a reason.
    """
    if bool(matches) == bool(round_):
        raise typer.BadParameter("expected either numbers of matches or --round.")
    if not reason.strip():
        raise typer.BadParameter("it is missing: expected why, for everyone to read.", param_hint="--reason")
    stage, _, last = round_.rpartition(".")
    if round_ and not (last.isdecimal() and (stage.isdecimal() or "." not in round_)):
        raise typer.BadParameter(f"{round_!r} is no round; expected a number, or STAGE.ROUND.", param_hint="--round")
    return tournaments_pb2.VoidMatchesRequest(
        id=number, matches=matches, round=int(last or 0), stage=int(stage or 0), reason=reason
    )


def _void(server: str, request: tournaments_pb2.VoidMatchesRequest, admin_token: str) -> tournaments_pb2.Tournament:
    answer = ask(server, "VoidMatches", request, admin_token)
    if answer.matches:
        note(f"Void: {', '.join(map(str, answer.matches))}. Ratings follow in a few seconds.")
    if answer.instead:
        note(f"Played instead: {', '.join(map(str, answer.instead))}.")
    if not (answer.matches or answer.instead):
        note("Nothing to do: void already.")
    tournament: tournaments_pb2.Tournament = answer.tournament
    return tournament
