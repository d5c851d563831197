"""The exit codes that documents name are those that the code has."""

from __future__ import annotations

import ast
import re
import signal
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from farfalia.errors import BadSetting, Refused
from farfalia.watchdog import EXIT_CODE

ROOT = Path(__file__).resolve().parents[2]
#: What ends a program: a call with its code as the first argument.
ENDING = {"Exit", "exit", "_exit", "SystemExit"}
#: What a shell sees of a program that a signal ended gracefully.
BY_SIGNAL = {128 + signal.SIGINT, 128 + signal.SIGTERM}
#: Codes that any command may end with.
GENERAL = {0, 1, 2, *BY_SIGNAL}


def table(document: str, head: str) -> dict[int, str]:
    """The codes of a table of a document, with what it says of each."""
    found = re.search(rf"^\| {head} \| \|\n\|---\|---\|\n((?:\|.*\n)+)", (ROOT / document).read_text(), re.MULTILINE)
    assert found
    rows = (row.strip("| ").split(" | ", 1) for row in found[1].splitlines())
    return {int(code): said for codes, said in rows for code in codes.split(", ")}


def codes(tree: ast.Module) -> Iterator[int]:
    """The codes with which a module ends the program, also by the name of a constant, and those of its errors."""
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[code, *_]) if name in ENDING:
                found = {code.value if isinstance(code, ast.Constant) else constants.get(getattr(code, "id", ""))}
                if isinstance(code, ast.IfExp):
                    found = {one.value for one in (code.body, code.orelse) if isinstance(one, ast.Constant)}
                if isinstance(code, ast.BinOp):
                    found = set(BY_SIGNAL)
                yield from (one for one in found if isinstance(one, int))
            case (
                ast.Assign(targets=[ast.Name(id="exit_code")], value=ast.Constant(value=int(code)))
                | ast.AnnAssign(target=ast.Name(id="exit_code"), value=ast.Constant(value=int(code)))
            ):
                yield code


@pytest.fixture(scope="module")
def places() -> dict[int, set[str]]:
    """The modules of server and SDK that end with each code; what starts a program in a sandbox ends with its codes."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for room in ("server/farfalia_server", "clients/python/farfalia"):
        for path in (ROOT / room).rglob("*.py"):
            for code in codes(ast.parse(path.read_text())) if path.parent.name != "sandbox" else ():
                found[code].add(path.stem)
    return found


def test_the_server_reference_has_every_exit_code_and_no_other(places: dict[int, set[str]]) -> None:
    assert table("docs/server-reference.md", "code").keys() == places.keys() | {0, 2}


def test_a_code_of_one_command_is_listed_with_that_command(places: dict[int, set[str]]) -> None:
    listed = table("docs/server-reference.md", "code")
    commands = {code: modules & {"compare", "ratings", "serve"} for code, modules in places.items() if code > 2}
    assert {code for code, found in commands.items() if found} >= {4, 7}
    for code in commands.keys() - GENERAL:
        assert all(f"`{name}" in listed[code] for name in commands[code]), listed[code]
        assert re.match(r"`[a-z ]+`", listed[code]), "the commands come first"


def test_the_page_for_authors_has_the_exit_codes_of_a_bot() -> None:
    listed = table("docs/bots.md", "exit code")
    assert listed.keys() == {0, BadSetting.exit_code, Refused.exit_code, EXIT_CODE}
    assert "setting" in listed[BadSetting.exit_code]
    assert "refused" in listed[Refused.exit_code]


def test_codes_that_other_documents_name_are_in_the_reference() -> None:
    listed = table("docs/server-reference.md", "code").keys()
    for path in (*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "clients/README.md"):
        named = {int(code) for code in re.findall(r"(?:exit code|exits with(?: code)?) (\d+)", path.read_text())}
        assert named <= listed, path.name
