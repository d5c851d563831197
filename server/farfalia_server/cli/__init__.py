"""The `farfalia` command: every sub-command's help is its documentation.

Begin with `commands`, which names the module of each command. What commands share: `remote` calls a server, `output`
prints tables, sentences and JSON, `usage` rewords what is wrong with a command line, `private_server` brings a server
up for one command, and `local_options` has the options of the commands that do so.
"""

import sys
from typing import Annotated

import typer

from farfalia_server import __version__
from farfalia_server.cli.commands import LazyGroup, needs_the_server
from farfalia_server.cli.streams import any_output
from farfalia_server.cli.usage import UsageError, reword
from farfalia_server.contract.errors import FarfaliaServerError, ProgramError
from farfalia_server.contract.untrusted import clean

#: Characters of the sentence that a command ends with.
_MOST = 8000

app = typer.Typer(
    name="farfalia",
    cls=LazyGroup,
    help="Tournaments for card-game bots. Begin with `farfalia demo`; with bots of your own, `farfalia run --help`.",
    epilog="Exit codes: 0 all is well, 1 something failed or does not hold, 2 the command line is wrong.",
    no_args_is_help=True,
    rich_markup_mode=None,  # help is plain text, the same in a terminal, a pipe and a page
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"farfalia {__version__}")
        raise typer.Exit


@app.callback()
def farfalia(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit.")
    ] = False,
) -> None:
    """Options of the program itself."""


def main() -> None:
    """Run the command line; what users can cause ends as one sentence, never as a traceback."""
    try:
        with any_output():
            code = app(prog_name="farfalia", standalone_mode=False)
        sys.exit(code)
    except UsageError as error:
        reword(error)
        error.show()
        sys.exit(error.exit_code)
    except typer.Abort:
        sys.exit(1)
    except ModuleNotFoundError as error:
        sys.stderr.write(f"farfalia: {needs_the_server(error)}\n")
        sys.exit(1)
    except Exception as error:
        if not _is_for_people(error):
            raise
        # What a program has printed comes in lines of its own, indented.
        text = clean(str(error), _MOST, lines=isinstance(error, ProgramError))
        sys.stderr.write(f"farfalia: {text}\n")
        sys.exit(getattr(error, "exit_code", 1))


def _is_for_people(error: Exception) -> bool:
    """Return whether an error is one sentence for people: the server's, or that of the SDK, which only some commands
    import.
    """
    sdk = sys.modules.get("farfalia.errors")
    return isinstance(error, FarfaliaServerError) or (sdk is not None and isinstance(error, sdk.FarfaliaError))
