"""What a bot is told to have broken is said by the contract, word by word, where it is said to stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from farfalia_server.contract import clauses
from farfalia_server.contract.clauses import Clause

ROOT = Path(__file__).parents[3]
CLAUSES = {name: value for name, value in vars(clauses).items() if isinstance(value, Clause)}


def section(text: str, anchor: str) -> str:
    """The text below a heading of a page."""
    parts = re.split(r"^#+ (.*)$", text, flags=re.MULTILINE)
    by_anchor = {
        re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-"): body
        for heading, body in zip(parts[1::2], parts[2::2], strict=True)
    }
    return by_anchor[anchor]


def comment(text: str, name: str) -> str:
    """The comment of a message, or of one of its fields."""
    message, _, field = name.partition(".")
    if not field:
        found = re.search(rf"((?:^//.*\n)+)message {message} ", text, re.MULTILINE)
    else:
        body = re.search(rf"^message {message} {{\n(.*?)^}}", text, re.MULTILINE | re.DOTALL)
        assert body
        found = re.search(rf"((?:^  //.*\n)+)^  .*\b{field} = ", body[1], re.MULTILINE)
    assert found
    return re.sub(r"^ *// ?", "", found[1], flags=re.MULTILINE)


@pytest.mark.parametrize("name", CLAUSES)
def test_a_clause_is_in_the_contract(name: str) -> None:
    path, _, where = CLAUSES[name].place.partition("#")
    text = (ROOT / path).read_text()
    said = section(text, where) if path.endswith(".md") else comment(text, where)
    assert CLAUSES[name].quote in " ".join(said.split())


def test_every_clause_is_used() -> None:
    used = "".join(path.read_text() for path in (ROOT / "server" / "farfalia_server").rglob("*.py"))
    assert [name for name in CLAUSES if len(re.findall(rf"\b{name}\b", used)) < 3] == []
