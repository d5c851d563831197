"""`farfalia records`: the records of a tournament on a server, as files."""

from pathlib import Path
from typing import Annotated

import typer

from farfalia.arena import SyncArena
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import matches_pb2, record_pb2
from farfalia_server.cli.output import Bar, say
from farfalia_server.cli.remote import ServerOption
from farfalia_server.records import files

records = typer.Typer(help="Records of a server's matches: fetch.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.add_typer(records, name="records")


@records.command()
def fetch(
    tournament: Annotated[int, typer.Argument(min=1, help="Number of the tournament.")],
    directory: Annotated[Path, typer.Argument(file_okay=False, help="Where the files go; made if missing.")],
    server: ServerOption = DEFAULT_SERVER,
) -> None:
    """Write the records of a tournament into a directory.

    It writes the records of finished matches. While the tournament is running, it leaves out those whose cards are
    still in play elsewhere: fetch again later.
    """
    written, closed = _fetch(server, tournament, directory)
    say(f"{written} records are in {directory}.")
    if closed:
        say(f"{closed} more follow when their boards are no longer played; run the command again then.")


def write_into(directory: Path, message: record_pb2.Record) -> None:
    """Write a record as `match-N.json`; the directory is made if it is missing."""
    files.write(file_of(directory, message.match), message)


def file_of(directory: Path, match: int) -> Path:
    """Return where the record of a match is written."""
    return directory / f"match-{match}.json"


def _fetch(server: str, tournament: int, directory: Path) -> tuple[int, int]:
    """Return how many records were written, and how many are not open yet."""
    with SyncArena(server) as arena:
        finished = list(arena.all_matches(tournament=tournament, state=matches_pb2.MATCH_STATE_FINISHED))
        matches = sorted(match.id for match in finished if match.record_open)
        with Bar("records") as bar:
            for done, match in enumerate(matches, 1):
                write_into(directory, arena.get_record(match=match).record)
                bar.update(done, len(matches))
    return len(matches), len(finished) - len(matches)
