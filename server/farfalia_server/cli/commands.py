"""The commands by name, each imported when it is called: no command waits for what another one needs."""

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group

from farfalia_server.contract.errors import FarfaliaServerError

#: The variable that names the authority to trust: whatever a command connects with looks there.
CA: Final = "FARFALIA_CA"
_OWN: Final = {
    "demo": "run",
    "run": "run",
    "compare": "compare",
    "conform": "conform",
    "bridge": "bridge",
    "mcp": "mcp",
    "play": "play",
    "serve": "serve",
    "bot": "bot",
    "submit": "submit",
    "host": "host",
    "account": "account",
    "event": "event",
    "invitation": "invitation",
    "challenge": "challenge",
    "tournament": "tournament",
    "ratings": "ratings",
    "ladder": "ladder",
    "queue": "status",
    "nodes": "status",
    "replay": "replay",
    "rerun": "rerun",
    "analyse": "analyse",
    "verify": "verify",
    "records": "records",
    "export": "export",
    "backup": "backup",
    "restore": "backup",
    "doctor": "doctor",
}
#: Commands of a package that a checkout has, and the wheel of a server has not.
_TOOLS: Final = {"bench": "bench", "torment": "torment"}
#: The module that has each command, in the order of the help.
MODULES: Final = {
    **{name: f"farfalia_server.cli.{module}" for name, module in _OWN.items()},
    **{name: f"farfalia_tools.cli.{module}" for name, module in _TOOLS.items() if find_spec("farfalia_tools")},
    "version": "farfalia_server.cli.version",
}


class Commands(Mapping[str, Any]):
    """Every command by its name."""

    def __getitem__(self, name: str) -> Any:
        try:
            return added_by(MODULES[name])[name]
        except ModuleNotFoundError as error:
            return _command_that_is_missing(name, needs_the_server(error))

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


def needs_the_server(error: ModuleNotFoundError) -> str:
    """Return a sentence that says how to install the package that is missing; raises the error if it is ours."""
    package = (error.name or "").partition(".")[0]
    if package.startswith("farfalia") or not package:
        raise error
    return (
        f"this needs what a server needs ({package} is missing). The extra 'server' brings it: "
        "pip install -e '.[server]' in a checkout, or the line for it on the page /downloads/ of a server"
    )


def _command_that_is_missing(name: str, why: str) -> Any:
    """Return a command that takes any arguments and says what to install."""
    app = typer.Typer(rich_markup_mode=None, add_completion=False)

    @app.command(
        name,
        help="Needs the extra 'server', which is not installed.",
        add_help_option=False,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    )
    def missing() -> None:
        raise FarfaliaServerError(f"farfalia {name}: {why}")

    return get_command(app)


class LazyGroup(TyperGroup):
    """The program itself, as a group of all commands."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        commands: Any = Commands()
        self.commands = commands

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is asked for; of a tool that is not installed, say where it is."""
        if args and args[0] in _TOOLS and args[0] not in MODULES:
            ctx.fail(
                f"{args[0]} is in a checkout of Farfalia, not in this installation: run ./farfalia {args[0]} there."
            )
        return super().resolve_command(ctx, args)


def added_by(module: str) -> dict[str, Any]:
    """Return the commands of one module, by name; those that call a server have `--ca`, too."""
    app = typer.Typer(rich_markup_mode=None)  # help is plain text, the same in a terminal, a pipe and a page
    import_module(module).add_to(app)
    group = get_group(app)
    _add_ca(group)
    return dict(group.commands)


def _add_ca(group: Any) -> None:
    for command in group.commands.values():
        if hasattr(command, "commands"):
            _add_ca(command)
        elif any(option.name == "server" for option in command.params):
            place = 1 + max(number for number, option in enumerate(command.params) if option.name == "server")
            command.params.insert(place, _ca_option())


def _ca_option() -> Any:
    """Return the option that names whom to trust, for whatever the command connects with."""
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command()(_with_ca)
    return get_command(app).params[0]


def _trust(context: typer.Context, file: Path | None) -> Path | None:
    if file:
        before = os.environ.get(CA)
        os.environ[CA] = str(file)
        context.call_on_close(lambda: os.environ.pop(CA) if before is None else os.environ.update({CA: before}))
    return file


def _with_ca(
    ca: Annotated[
        Path | None,
        typer.Option(
            envvar=CA,
            exists=True,
            dir_okay=False,
            metavar="FILE",
            help="PEM file of the authority to trust, instead of the public ones.",
            expose_value=False,
            callback=_trust,
        ),
    ] = None,
) -> None:
    """Have the option, which is taken from here."""
