"""The commands by name, each imported when it is called: no command waits for what another one needs."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_group

#: The module that has each command, in the order of the help.
MODULES: Final = {
    "demo": "run",
    "run": "run",
    "compare": "compare",
    "serve": "serve",
    "bot": "bot",
    "tournament": "tournament",
    "ratings": "ratings",
    "ladder": "ladder",
    "queue": "status",
    "nodes": "status",
    "replay": "replay",
    "verify": "verify",
    "records": "records",
    "backup": "backup",
    "restore": "backup",
    "doctor": "doctor",
    "bench": "bench",
    "torment": "torment",
    "version": "version",
}


class Commands(Mapping[str, Any]):
    """Every command by its name."""

    def __getitem__(self, name: str) -> Any:
        return added_by(MODULES[name])[name]

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


class LazyGroup(TyperGroup):
    """The program itself, as a group of all commands."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        commands: Any = Commands()
        self.commands = commands


def added_by(module: str) -> dict[str, Any]:
    """Return the commands of one module, by name."""
    app = typer.Typer(rich_markup_mode=None)  # help is plain text, the same in a terminal, a pipe and a page
    import_module(f"farfalia_server.cli.{module}").add_to(app)
    return dict(get_group(app).commands)
