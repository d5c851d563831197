"""`farfalia replay`: a match on the terminal, after it was played."""

import sys
from typing import Annotated

import typer

import farfalia_engine as engine
from farfalia.settings import DEFAULT_SERVER
from farfalia_server.cli.match_steps import place_of, step_through, tell_trick
from farfalia_server.cli.match_text import print_match
from farfalia_server.cli.output import print_json_text
from farfalia_server.cli.record_argument import RECORD_HELP, check_valid, load_record
from farfalia_server.cli.remote import JsonOption, ServerOption
from farfalia_server.contract.errors import RecordError
from farfalia_server.records import codec, files
from farfalia_server.records.deal_views import deals_of


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(replay)


def replay(
    record: Annotated[str, typer.Argument(help=RECORD_HELP)],
    deal: Annotated[int | None, typer.Option(min=1, help="Only this deal, counted from 1.")] = None,
    trick: Annotated[
        str | None,
        typer.Option(metavar="TRICK[.CARD]", help="Describe this trick of --deal; with --step, start there."),
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Go through it card by card, one for each key press.")] = False,
    server: ServerOption = DEFAULT_SERVER,
    json: JsonOption = False,
) -> None:
    """Show a match deal by deal.

    The engine replays it from its record: hands, tricks, collections and points of every deal. With --step or --trick
    it says who plays which card, why a trick is won, what could be collected, and how long a decision took.
    """
    if trick is not None and deal is None:
        raise typer.BadParameter(f"--trick {trick} needs --deal, the deal that it is in.")
    if step and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise typer.BadParameter("--step waits for keys, and this is not a terminal; leave it out, or use --trick.")
    message = load_record(record, server)
    if json:
        print_json_text(files.dumps(message))
        return
    played = codec.from_message(message)
    try:
        deals = deals_of(played)
    except engine.EngineError as error:
        raise RecordError(f"{record} cannot be replayed: {error}") from error
    check_valid(record, played)
    if deal is not None and deal > len(deals):
        raise typer.BadParameter(f"There is no deal {deal}; the match has {len(deals)}.")
    if not step and trick is None:
        print_match(played, deals if deal is None else deals[deal - 1 : deal])
        return
    place = None if trick is None or deal is None else place_of(trick, deals[deal - 1])
    if step:
        step_through(message, range(deal or 1, len(deals) + 1), place)
    elif deal is not None and place is not None:
        tell_trick(message, deal, place)
