"""`farfalia ladder`: ladders, which seat connected bots until they are closed."""

from collections.abc import Sequence
from typing import Annotated

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import ladders_pb2, matches_pb2
from farfalia_server.cli.games import GameArgument, LadderArgument, OptionOption, PlayersOption, options_of
from farfalia_server.cli.output import note, print_json, prose, say
from farfalia_server.cli.remote import AdminOption, EventOption, JsonOption, ServerOption, ask
from farfalia_server.cli.tournament_terms import time_control as asked_time_control
from farfalia_server.cli.void_attempts import print_void_attempts
from farfalia_server.wording.phrases import game_label, time_control

ladders = typer.Typer(
    help="Ladders: open, close, show. A ladder seats connected bots until you close it.", no_args_is_help=True
)


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.add_typer(ladders, name="ladder")


@ladders.command("open")
def open_one(
    game: GameArgument = "chinkway",
    players: PlayersOption = None,
    option: OptionOption = None,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="Name of the ladder; if left out, that of the game.", show_default=False)
    ] = "",
    tables: Annotated[int, typer.Option(min=1, max=1000, help="How many matches may be played at a time.")] = 4,
    limit_ms: Annotated[int | None, typer.Option(min=1, help="Milliseconds per decision.")] = None,
    bank_ms: Annotated[
        int | None,
        typer.Option(min=0, help="Milliseconds in the time bank of a match, which pays for longer decisions."),
    ] = None,
    grace: Annotated[int | None, typer.Option(min=0, help="Strikes that a seat survives in a match.")] = None,
    same_owner: Annotated[bool, typer.Option("--same-owner", help="Let bots of one owner meet.")] = False,
    event: EventOption = "",
    fill: Annotated[bool, typer.Option("--fill", help="Let house bots take empty seats.")] = False,
    rung: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOUSE_BOT",
            help="With --fill: one that does, such as expert; may be repeated, and they sit in turn. If left out, all "
            "that decide at once.",
            show_default=False,
        ),
    ] = None,
    as_played: Annotated[
        bool,
        typer.Option(
            "--as-played",
            help="Rate matches by their points as played. If left out, the luck of the cards is taken out before, "
            "where the game has a function for it.",
        ),
    ] = False,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Open a ladder.

    It seats connected bots, match after match, until you close it. The bot that has played least sits next, with the
    opponents from whom a match reveals most. The server's own time control applies unless you give all three figures.
    """
    asked = ladders_pb2.Ladder(
        name=name,
        event=event,
        ruleset=game,
        options=options_of(game, option or [], players),
        time_control=asked_time_control(limit_ms, bank_ms, grace),
        tables=tables,
        siblings=same_owner,
        fill=fill,
        rungs=rung or (),
        as_played=as_played,
    )
    made = ask(server, "OpenLadder", ladders_pb2.OpenLadderRequest(ladder=asked), admin_token).ladder
    if json:
        print_json(made)
    else:
        print_ladders([made])
        if not fill:
            note("A match begins when enough bots are connected; with --fill, house bots take empty seats.")


@ladders.command()
def close(
    ladder: LadderArgument = "chinkway", server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = ""
) -> None:
    """Close a ladder.

    No new match begins; those already queued are played.
    """
    ask(server, "CloseLadder", ladders_pb2.CloseLadderRequest(ladder=ladder), admin_token)
    say(f"The ladder {ladder} is closed.")


@ladders.command()
def show(server: ServerOption = DEFAULT_SERVER, json: JsonOption = False) -> None:
    """Print the open ladders and their void attempts.

    `farfalia ratings` prints the ratings.
    """
    answer = ask(server, "ListLadders", ladders_pb2.ListLaddersRequest())
    if json:
        print_json(answer)
        return
    print_ladders(answer.ladders)
    for ladder, number in sorted(answer.void_attempts.items()):
        request = matches_pb2.ListVoidAttemptsRequest(ladder=ladder)
        print_void_attempts(ask(server, "ListVoidAttempts", request).attempts, number, of=ladder)


def print_ladders(ladders: Sequence[ladders_pb2.Ladder]) -> None:
    """Print a sentence about each open ladder."""
    prose(*(map(_line, ladders) if ladders else ["No ladder is open."]), indent="  ")


def _line(ladder: ladders_pb2.Ladder) -> str:
    game = game_label(ladder.ruleset, ladder.options)
    named = game if ladder.name == ladder.ruleset else f"{ladder.name}, {game}"
    rungs = f" ({', '.join(ladder.rungs)})" if ladder.rungs else ""
    habits = (
        f", house bots{rungs} fill tables" * ladder.fill
        + ", bots of one owner may meet" * ladder.siblings
        + ", rated with luck" * ladder.as_played
    )
    return (
        f"{named}: open, {ladder.playing} of at most {ladder.tables} matches now, "
        f"{time_control(ladder.time_control)}{habits}."
    )
