"""Names in backticks, in docstrings and comments, exist: a renaming must reach the sentences as well."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: A name alone in backticks, with or without the parentheses of a call.
NAME = re.compile(r"`([a-z_][A-Za-z0-9_]*)(?:\(\))?`")
#: Functions and classes that a file defines.
DEFINED = re.compile(r"^[ \t]*(?:async )?(?:def|class) (\w+)", re.MULTILINE)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: Options of games, tables of SQL, names of other packages, letters, and examples of typing errors.
FOREIGN = {
    "anyio_backend",
    "asdict",
    "burnin",
    "colect",
    "double_you",
    "fuor",
    "l",
    "map",
    "monotonic",
    "o",
    "python_farfalia_chinkway",
    "python_farfalia_five_hand",
    "randrange",
    "rating_event",
    "sample",
    "seat_n",
    "shuffle",
    "timeout",
    "wait_for",
}


def sources() -> dict[str, str]:
    """Return the project's own Python files, by path."""
    found = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard", "*.py"], cwd=ROOT, text=True)
    paths = [path for path in found.split() if "_pb2" not in path and (ROOT / path).exists()]
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in paths}


def tokens(source: str) -> list[tokenize.TokenInfo]:
    """Return the tokens of a file."""
    return list(tokenize.generate_tokens(io.StringIO(source).readline))


def sentences(source: str) -> Iterator[str]:
    """Yield the docstrings and the comments of a file."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            yield ast.get_docstring(node) or ""
    yield from (token.string for token in tokens(source) if token.type == tokenize.COMMENT)


def own_names(source: str) -> set[str]:
    """Return the names in the code of a file, and the words of its strings: options and fields are named there."""
    names: set[str] = set()
    for token in tokens(source):
        if token.type == tokenize.NAME:
            names.add(token.string)
        elif token.type == tokenize.STRING and not token.string.lstrip("rRbBuU").startswith('"""'):
            names.update(WORD.findall(token.string))
    return names


def unknown_names(files: dict[str, str]) -> list[str]:
    """Return, as `path: name`, what sentences name and neither their file has nor any file defines."""
    everywhere = FOREIGN | {part.removesuffix(".py") for path in files for part in path.split("/")}
    for source in files.values():
        everywhere |= set(DEFINED.findall(source))
    found = []
    for path, source in files.items():
        if set(NAME.findall(source)) - everywhere:  # few files have any: it takes long to tell code from sentences
            named = {name for text in sentences(source) for name in NAME.findall(text)}
            found += [f"{path}: {name}" for name in sorted(named - everywhere - own_names(source))]
    return found


def test_every_name_in_a_docstring_or_comment_exists() -> None:
    assert unknown_names(sources()) == []


def test_a_name_that_nothing_has_is_found() -> None:
    file = (
        '"""Reads `lines`, as `made` does."""\n\n\ndef made(connections: int) -> None:  # see `connections`\n    ...\n'
    )
    assert unknown_names({"room/reading.py": file}) == ["room/reading.py: lines"]
