"""The log's events: short stable names, all of them listed for operators."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import farfalia_server

ROOT = Path(__file__).parents[2]
LEVELS = {"debug": "debug", "info": "info", "warning": "warning", "error": "error", "exception": "error"}
#: Fields by other names that they must not have, with the names that they have.
SPELLINGS = {"why": "error", "exc": "error", "pause": "retry_seconds", "where": "address", "match_id": "match"}


@cache
def calls() -> list[tuple[Path, ast.Call, str]]:
    """Every call of a module's `log`, with its level."""
    return list(_calls())


def _calls() -> Iterator[tuple[Path, ast.Call, str]]:
    for path in sorted(Path(farfalia_server.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "log"
                and node.func.attr in LEVELS
            ):
                yield path, node, LEVELS[node.func.attr]


def test_the_reference_lists_every_event_with_its_level() -> None:
    logged: defaultdict[str, set[str]] = defaultdict(set)
    for path, call, level in calls():
        event = call.args[0]
        assert isinstance(event, ast.Constant), f"{path}:{call.lineno}: an event is a literal"
        logged[str(event.value)].add(level)
    page = (ROOT / "docs" / "server-reference.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `(\w+)` \| (debug|info|warning|error) \| ", page, re.MULTILINE))
    assert sorted(listed) == sorted(logged)
    assert {event: level for event, level in listed.items() if level not in logged[event]} == {}


def test_an_event_is_a_short_name_and_its_fields_are_spelled_alike() -> None:
    for path, call, _ in calls():
        event = call.args[0]
        assert isinstance(event, ast.Constant)
        assert re.fullmatch(r"[a-z]+(_[a-z]+){0,3}", str(event.value)), f"{path}:{call.lineno}: {event.value!r}"
        odd = {keyword.arg for keyword in call.keywords} & SPELLINGS.keys()
        assert not odd, f"{path}:{call.lineno}: {odd}; say {[SPELLINGS[str(name)] for name in odd]}"
