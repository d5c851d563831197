"""`farfalia version`. It imports nothing that it can do without, since scripts ask for it often."""

import json as plain
from typing import Annotated

import typer

from farfalia_server import __version__


def add_to(app: typer.Typer) -> None:
    """Put the command of this module into an app."""
    app.command()(version)


def version(json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False) -> None:
    """Print the version."""
    typer.echo(plain.dumps({"version": __version__}, indent=2) if json else f"farfalia {__version__}")
