"""`farfalia ladder`: games on which connected bots are seated for ever."""

from collections.abc import Sequence
from typing import Annotated

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import ladders_pb2, matches_pb2
from farfalia_server.cli.games import GameArgument, LadderArgument, OptionOption, PlayersOption, options_of
from farfalia_server.cli.output import print_json, prose, say
from farfalia_server.cli.remote import AdminOption, JsonOption, ServerOption, ask
from farfalia_server.cli.tournament import time_control
from farfalia_server.cli.void_attempts import print_void_attempts

ladders = typer.Typer(help="Ladders that never end: open, close, show.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.add_typer(ladders, name="ladder")


@ladders.command("open")
def open_one(
    game: GameArgument = "chinkway",
    players: PlayersOption = None,
    option: OptionOption = None,
    tables: Annotated[int, typer.Option(min=1, max=1000, help="Matches at once at most.")] = 4,
    limit_ms: Annotated[int | None, typer.Option(min=1, help="Milliseconds for a decision.")] = None,
    bank_ms: Annotated[
        int | None, typer.Option(min=0, help="Milliseconds in a match's bank, which pays for longer decisions.")
    ] = None,
    grace: Annotated[int | None, typer.Option(min=0, help="Strikes that a seat survives.")] = None,
    same_owner: Annotated[bool, typer.Option("--same-owner", help="Let bots of one owner meet.")] = False,
    fill: Annotated[bool, typer.Option("--fill", help="Let house bots sit where bots are missing.")] = False,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Seat connected bots from now on, one match after the other, until it is closed.

    The bot that has played least sits next, with those about whom a match tells most. The time for decisions is
    the server's own unless all three figures are given.
    """
    asked = ladders_pb2.Ladder(
        ruleset=game,
        options=options_of(game, option or [], players),
        time_control=time_control(limit_ms, bank_ms, grace),
        tables=tables,
        siblings=same_owner,
        fill=fill,
    )
    made = ask(server, "OpenLadder", ladders_pb2.OpenLadderRequest(ladder=asked), admin_token).ladder
    if json:
        print_json(made)
    else:
        print_ladders([made])


@ladders.command()
def close(
    ladder: LadderArgument = "chinkway", server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = ""
) -> None:
    """Begin no other match on it; those that were planned are played."""
    ask(server, "CloseLadder", ladders_pb2.CloseLadderRequest(ruleset=ladder), admin_token)
    say(f"The ladder of {ladder} is closed.")


@ladders.command()
def show(server: ServerOption = DEFAULT_SERVER, json: JsonOption = False) -> None:
    """The ladders that are open, and attempts of matches that were void; `farfalia ratings` has who stands where."""
    answer = ask(server, "ListLadders", ladders_pb2.ListLaddersRequest())
    if json:
        print_json(answer)
        return
    print_ladders(answer.ladders)
    for game, number in sorted(answer.void_attempts.items()):
        request = matches_pb2.ListVoidAttemptsRequest(ladder=game)
        print_void_attempts(ask(server, "ListVoidAttempts", request).attempts, number, of=game)


def print_ladders(ladders: Sequence[ladders_pb2.Ladder]) -> None:
    """A sentence about each that is open."""
    prose(*(map(_line, ladders) if ladders else ["No ladder is open."]), indent="  ")


def _line(ladder: ladders_pb2.Ladder) -> str:
    game = " ".join([ladder.ruleset, *(f"{name}={value}" for name, value in sorted(ladder.options.items()))])
    control = ladder.time_control
    habits = ", house bots fill tables" * ladder.fill + ", bots of one owner may meet" * ladder.siblings
    return (
        f"{game}: open, {ladder.playing} of at most {ladder.tables} matches now, {control.limit_ms} ms for a decision,"
        f" {control.bank_ms} ms in the bank, {control.grace} strikes of grace{habits}."
    )
