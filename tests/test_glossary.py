"""The glossary names what the code has."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "glossary.md"
ROOMS = ("engine", "tournaments", "server", "clients/python")


def rows() -> list[tuple[str, str]]:
    """Word and code of every row that says where the code has the word."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.read_text().splitlines()]
    return [(row[0], name) for row in cells if len(row) == 3 for name in re.findall(r"`([^`]+)`", row[2])]


@pytest.fixture(scope="module")
def code() -> str:
    files = (path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return "\n".join(f"{path.relative_to(ROOT)}\n{path.read_text()}" for path in files)


@pytest.mark.parametrize(("word", "name"), rows())
def test_what_the_glossary_says_of_the_code_is_there(word: str, name: str, code: str) -> None:
    for part in name.split("."):
        assert re.search(rf"\b{part}\b", code), f"{word}: {part}"


def test_no_word_is_explained_twice() -> None:
    words = [
        word.strip()
        for line in PAGE.read_text().partition("\n## In Italian and French")[0].splitlines()
        if line.startswith("| ") and not line.startswith("| word")
        for word in line.split("|")[1].split(",")
    ]
    assert len(words) > 60
    assert sorted(set(words)) == sorted(words)
