"""The `farfalia` command: every sub-command's help is its documentation."""

import sys

import typer

from farfalia_server.cli import bench, bot, compare, ladder, ladders, local, ratings, records, serve, tournament
from farfalia_server.errors import FarfaliaServerError
from farfalia_server.running.programs import ProgramError
from farfalia_server.untrusted import clean

#: Characters of the sentence that a command ends with.
_MOST = 8000

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
        # What a program has printed comes in lines of its own, indented.
        text = clean(str(error), _MOST, lines=isinstance(error, ProgramError))
        sys.stderr.write(f"farfalia: {text}\n")
        sys.exit(error.exit_code)
