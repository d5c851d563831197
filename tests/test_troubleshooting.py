"""What users look for on the page about troubles is what they are told."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "troubleshooting.md"
MESSAGES = re.findall(r"^\| `([^`]+)` \|", PAGE.read_text(), re.MULTILINE)


def sentences(source: str) -> Iterator[str]:
    """The texts in a module, with … for what is put into them; no docstring, which no user is told."""
    nodes = list(ast.walk(ast.parse(source)))
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)


@pytest.fixture(scope="module")
def told() -> list[str]:
    modules = [*(ROOT / "clients/python/farfalia").rglob("*.py"), *(ROOT / "server/farfalia_server").rglob("*.py")]
    texts = [text for path in modules for text in sentences(path.read_text())]
    return [*texts, *(ROOT / "farfalia").read_text().splitlines()]


def test_the_page_quotes_messages() -> None:
    assert len(MESSAGES) > 40
    assert len(set(MESSAGES)) == len(MESSAGES)


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_on_the_page_is_one_that_users_are_told(message: str, told: list[str]) -> None:
    parts = [part for part in message.split("…") if part.strip()]
    pattern = ".*".join(map(re.escape, parts))
    assert any(re.search(pattern, text, re.DOTALL) for text in told)
