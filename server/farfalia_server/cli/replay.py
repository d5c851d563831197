"""`farfalia replay`: a match on the terminal, after it was played."""

from typing import Annotated

import typer

import farfalia_engine as engine
from farfalia.settings import DEFAULT_SERVER
from farfalia_server.cli.match_text import print_match
from farfalia_server.cli.output import print_json_text
from farfalia_server.cli.record_argument import RECORD_HELP, load_record
from farfalia_server.cli.remote import JsonOption, ServerOption
from farfalia_server.errors import RecordError
from farfalia_server.records import codec, files, verifying
from farfalia_server.records.deal_views import deals_of


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(replay)


def replay(
    record: Annotated[str, typer.Argument(help=RECORD_HELP)],
    deal: Annotated[int | None, typer.Option(min=1, help="Only this deal, counted from 1.")] = None,
    server: ServerOption = DEFAULT_SERVER,
    json: JsonOption = False,
) -> None:
    """Show a match deal by deal.

    The engine replays it from its record: hands, tricks, collections and points of every deal.
    """
    message = load_record(record, server)
    if json:
        print_json_text(files.dumps(message))
        return
    played = codec.from_message(message)
    try:
        deals = deals_of(played)
    except engine.EngineError as error:
        raise RecordError(f"{record} cannot be replayed: {error}") from error
    verdict = verifying.verify(played)
    if not verdict.holds:
        raise RecordError(f"{record} does not hold: {verdict.violations[0]}")
    if deal is not None and deal > len(deals):
        raise typer.BadParameter(f"There is no deal {deal}; the match has {len(deals)}.")
    print_match(played, deals if deal is None else deals[deal - 1 : deal])
