"""`farfalia version`. It imports nothing that it can do without, since scripts ask for it often."""

import json as plain
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from farfalia_server import __version__


def add_to(app: typer.Typer) -> None:
    """Put the command of this module into an app."""
    app.command()(version)


def version(json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False) -> None:
    """Print the version, and whether its engine is compiled."""
    build = "compiled" if _compiled() else "interpreted"
    told = {"version": __version__, "build": build}
    typer.echo(plain.dumps(told, indent=2) if json else f"farfalia {__version__} ({build})")


def _compiled() -> bool:
    """Return whether the engine that an import would find has compiled modules; it is not imported for that."""
    found = find_spec("farfalia_engine")
    folders = found.submodule_search_locations or () if found is not None else ()
    return any((Path(folder) / f"search/sampling{end}").exists() for folder in folders for end in EXTENSION_SUFFIXES)
