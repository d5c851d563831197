"""The rulings of docs/rules.md: what cites one finds it there, and each has a test that names it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "rules.md").read_text("utf-8")
RULINGS = re.findall(r'^- <a id="([FG]\d+)"></a>\*\*\1\*\* \S', PAGE, re.MULTILINE)
HEADINGS = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
#: F1 to F13 are cards of the fishes, too; these are all found.
RULING = re.compile(r"\b[FG][1-9]\d?\b")
#: How code points to a section.
SECTION = re.compile(r"\(docs/rules\.md, ([^)]+)\)")
ROOMS = ("proto", "engine", "tournaments", "server", "clients", "tests", "docs")
CITING = sorted(
    path
    for path in (*ROOT.glob("*.md"), *(found for room in ROOMS for found in (ROOT / room).rglob("*")))
    if path.suffix in (".py", ".proto", ".md", ".html") and "node_modules" not in path.parts and path.is_file()
)
TESTS = [path for path in CITING if path.name.startswith("test_")]


def named_in_tests(path: Path) -> Iterator[str]:
    """The rulings in each test's name and docstring, and in the comment right above it."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
            comment = []
            while first and lines[first - 1].startswith("#"):
                first -= 1
                comment.append(lines[first])
            words = " ".join([node.name.upper().replace("_", " "), ast.get_docstring(node) or "", *comment])
            yield from RULING.findall(words)


def test_rulings_are_numbered_without_a_gap() -> None:
    farfalia = [ruling for ruling in RULINGS if ruling[0] == "F"]
    farrago = [ruling for ruling in RULINGS if ruling[0] == "G"]
    assert farfalia == [f"F{number}" for number in range(1, len(farfalia) + 1)]
    assert farrago == [f"G{number}" for number in range(1, len(farrago) + 1)]
    assert [*farfalia, *farrago] == RULINGS


def test_every_ruling_that_is_cited_exists() -> None:
    cited = {
        (ruling, str(path.relative_to(ROOT))) for path in CITING for ruling in RULING.findall(path.read_text("utf-8"))
    }
    assert {ruling for ruling, _ in cited} >= set(RULINGS)
    assert sorted((ruling, path) for ruling, path in cited if ruling not in RULINGS) == []


def test_every_ruling_has_a_test_that_names_it() -> None:
    named = {ruling for path in TESTS for ruling in named_in_tests(path)}
    assert [ruling for ruling in RULINGS if ruling not in named] == []


def test_a_section_of_the_rules_that_code_points_to_exists() -> None:
    code = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in CITING if path.suffix in (".py", ".proto")}
    assert [path for path, text in code.items() if re.search(r"\brules, section\s\d", text)] == []
    cited = {(path, section) for path, text in code.items() for section in SECTION.findall(text)}
    assert cited
    assert sorted((path, section) for path, section in cited if section not in HEADINGS) == []


def test_links_inside_the_rules_lead_somewhere() -> None:
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in HEADINGS} | set(RULINGS)
    assert [target for target in re.findall(r"\]\(#([^)]+)\)", PAGE) if target not in anchors] == []


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "docs/engine.md", "docs/bots.md"])
def test_a_document_about_the_games_leads_to_their_rules(document: str) -> None:
    assert re.search(r"\]\((?:docs/)?rules\.md[)#]", (ROOT / document).read_text("utf-8"))
