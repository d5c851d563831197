"""Options of commands that work on a server's own files and databases, not by calls to it."""

import inspect
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic.fields import FieldInfo

from farfalia_server import PREFIX, settings_loading
from farfalia_server.contract.errors import SettingsError
from farfalia_server.settings import Settings

ConfigOption = Annotated[
    Path | None,
    typer.Option(exists=True, dir_okay=False, help="A TOML file with the server's settings.", show_default=False),
]
DataDirOption = Annotated[
    Path | None, typer.Option(help="The server's data directory.  [FARFALIA_DATA_DIR]", show_default=False)
]
DatabaseOption = Annotated[
    str | None, typer.Option(help="The server's database.  [FARFALIA_DATABASE_URL]", show_default=False)
]
ArchivesOption = Annotated[
    str | None,
    typer.Option(help="Where the server keeps larger programs.  [FARFALIA_PROGRAM_ARCHIVES]", show_default=False),
]


def load(config: Path | None, **options: object) -> Settings:
    """Return the server's settings; what is wrong with them is wrong usage."""
    try:
        return settings_loading.load(options, config)
    except SettingsError as error:
        raise typer.BadParameter(str(error)) from error


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command every setting as an option, in place of its `**options`; those that are not given are None."""
    # A module with `from __future__ import annotations` has them as strings, from which Typer would make no option.
    own = [
        parameter
        for parameter in inspect.signature(command, eval_str=True).parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    # The signature is what Typer makes options from: one for each field, so that none is ever forgotten here.
    made = [_option(name, field) for name, field in Settings.model_fields.items()]
    command.__signature__ = inspect.Signature([*own, *made])  # type: ignore[attr-defined]
    return command


def _option(name: str, field: FieldInfo) -> inspect.Parameter:
    """Return a setting as an option; None stands for "not given here"."""
    kind: Any = str if isinstance(field.annotation, type) and issubclass(field.annotation, Enum) else field.annotation
    default = field.default.value if isinstance(field.default, Enum) else field.default
    # Typer makes a flag of a truth value; that it is off by default goes without saying.
    otherwise = "" if default == "" or default is False else f"; default: {default}"
    text = f"{field.description}  [{PREFIX}{name.upper()}{otherwise}]"
    option = typer.Option("--" + name.replace("_", "-"), help=text, show_default=False)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]
    )
