"""`farfalia export`: matches, deals and decisions as Parquet files."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from farfalia.analysis.prices import FEWEST_WORLDS, WORLDS
from farfalia.arena import SyncArena
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import record_pb2
from farfalia_engine import RulesetError, ruleset
from farfalia_server.cli.output import Bar, say
from farfalia_server.cli.remote import ServerOption
from farfalia_server.cli.signals import exit_at_sigterm
from farfalia_server.contract.errors import FarfaliaServerError, InvalidArgument
from farfalia_server.contract.moments import moment_of
from farfalia_server.export.columns import TABLES
from farfalia_server.export.sources import Chosen, Folder, ServerRecords
from farfalia_server.local.missing_extra import install_line


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(export)


def export(
    target: Annotated[
        Path, typer.Argument(help="A directory for one file of each table, or a file such as cards.parquet.")
    ],
    records: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="Export the records in this directory, not those of a server."),
    ] = None,
    game: Annotated[str, typer.Option(help="Only matches of this game.", show_default=False)] = "",
    bot: Annotated[str, typer.Option(help="Only matches in which this bot had a seat.", show_default=False)] = "",
    tournament: Annotated[int, typer.Option(min=0, help="Only matches of this tournament; 0 for all.")] = 0,
    ladder: Annotated[str, typer.Option(help="Only matches that count on this ladder.", show_default=False)] = "",
    event: Annotated[
        str, typer.Option(metavar="NAME", help="Only matches of this event's tournaments.", show_default=False)
    ] = "",
    since: Annotated[
        str, typer.Option(metavar="TIME", help="Only matches that ended then or later, in UTC.", show_default=False)
    ] = "",
    prices: Annotated[
        bool,
        typer.Option("--prices", help="With the price of each decision: as the server has it, or computed here."),
    ] = False,
    worlds: Annotated[
        int, typer.Option(min=FEWEST_WORLDS, max=100_000, help="With --prices: worlds in which every action is tried.")
    ] = WORLDS,
    server: ServerOption = DEFAULT_SERVER,
) -> None:
    """Write matches, deals and decisions as Parquet files.

    With these tables you analyse what was played, or train from it. The command writes matches.parquet, deals.parquet
    and decisions.parquet into a directory; a file of another name ending in .parquet gets the decisions alone. Every
    column is described in docs/export.md. Only records that are open are exported: a match whose cards are still in
    play elsewhere follows later.

    It needs the extra 'export': pip install 'farfalia[export]'.

    \b
    Examples:
      farfalia export tables --records matches --game two
      farfalia export tables --event Friday --since 2026-11-01
    """
    if records is not None and (ladder or event):
        name = "--ladder" if ladder else "--event"
        raise typer.BadParameter(f"{name} is nothing that a record says; expected a server, without --records.")
    chosen = Chosen(game, bot, tournament, ladder, event, _since(since))
    _check(game)
    paths = _paths(target)
    number = worlds if prices else 0
    if records is not None:
        with Bar("matches") as bar:
            written = _written(Folder(records, chosen, bar.update), paths, number, None)
        say(written)
        return
    with SyncArena(server) as arena, Bar("matches") as bar:
        source = ServerRecords(arena, chosen, bar.update)
        written = _written(source, paths, number, arena)
    say(written)
    if source.closed:
        say(f"{source.closed} more follow when their boards are no longer played; run the command again then.")


def _written(source: Iterable[record_pb2.Record], paths: dict[str, Path], worlds: int, arena: SyncArena | None) -> str:
    """Write the rows of all records, and return a sentence that says how many they are.

    Decisions are priced in this number of worlds, or not at all if it is 0; `arena` may have their prices.
    """
    try:
        from farfalia_server.export.parquet import ParquetFiles
        from farfalia_server.export.prices import Prices
        from farfalia_server.export.rows import rows_of
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pyarrow", "numpy") and "NumPy" not in str(error):
            raise
        raise FarfaliaServerError(
            f"farfalia export needs PyArrow and NumPy, which the extra 'export' brings: {install_line('export')}"
        ) from None
    exit_at_sigterm()
    matches, counts = 0, dict.fromkeys(paths, 0)
    prices = Prices(worlds, arena) if worlds else None
    with ParquetFiles(paths, worlds) as files:
        for record in source:
            rows = rows_of(record, prices)
            files.add(rows)
            matches += 1
            counts = {table: count + len(rows[table]) for table, count in counts.items()}
    written = ", ".join(f"{count} rows of {table}" for table, count in counts.items())
    told = f"{matches} matches are written: {written}."
    if prices is None:
        return told
    return f"{told} The server had the prices of {prices.stored}; those of {prices.computed} were computed here."


def _paths(target: Path) -> dict[str, Path]:
    """Return where each table goes."""
    if target.suffix != ".parquet":
        if target.exists() and not target.is_dir():
            raise typer.BadParameter(f"{target} is a file; expected a directory, or a name that ends in .parquet.")
        return {table: target / f"{table}.parquet" for table in TABLES}
    if target.is_dir():
        raise typer.BadParameter(f"{target} is a directory; expected a file, or a directory without .parquet.")
    return {"decisions": target}


def _since(text: str) -> datetime | None:
    try:
        return moment_of("since", text, "UTC") if text else None
    except InvalidArgument as error:
        raise typer.BadParameter(f"--{error}.") from error


def _check(game: str) -> None:
    """Refuse a game that there is not: nothing would be found."""
    try:
        if game:
            ruleset(game)
    except RulesetError as error:
        raise typer.BadParameter(f"--game: {error}.") from error
