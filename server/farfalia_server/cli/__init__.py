"""The `farfalia` command: every sub-command's help is its documentation."""

import sys

import typer

from farfalia_server.cli import bench, bot, compare, ladder, ladders, local, ratings, records, serve, tournament
from farfalia_server.errors import FarfaliaServerError

app = typer.Typer(
    name="farfalia",
    help="Tournaments for card-game bots. Begin with `farfalia demo`; with bots of your own, `farfalia run --help`.",
    epilog="Exit codes: 0 all is well, 1 something failed or does not hold, 2 the command line is wrong.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # help is plain text, the same in a terminal, a pipe and a page
    pretty_exceptions_enable=False,
)
for room in (local, compare, serve, bot, tournament, ratings, ladders, ladder, records, bench):
    room.add_to(app)


def main() -> None:
    """Run the command line; what users can cause ends as one sentence, never as a traceback."""
    try:
        app(prog_name="farfalia")
    except FarfaliaServerError as error:
        sys.stderr.write(f"farfalia: {error}\n")
        sys.exit(error.exit_code)
