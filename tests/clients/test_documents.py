"""What the pages for bot authors say is so."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from farfalia import Bot
from farfalia.testing import check
from farfalia.view import View
from farfalia_engine import Observation, set_aside_pair

ROOT = Path(__file__).parents[2]
CONTRACT = ROOT / "clients" / "README.md"
EXAMPLE = ROOT / "clients" / "python" / "examples" / "mybot.py"


@pytest.mark.parametrize("page", ["README.md", "docs/bots.md"])
def test_the_bot_on_the_page_is_the_example_in_the_repository(page: str) -> None:
    assert f"```python\n{EXAMPLE.read_text()}```" in (ROOT / page).read_text()


def test_the_example_plays_without_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[Bot] = []
    monkeypatch.setattr("farfalia.run", running.append)
    exec(compile(EXAMPLE.read_text(), EXAMPLE, "exec"), {"__name__": "__main__"})
    report = check(running[0], matches=5)
    assert report.ok, report


def test_every_property_in_the_table_of_the_view_exists() -> None:
    page = (ROOT / "docs" / "bots.md").read_text()
    table = page.partition("| `view.` | |")[2].partition("\n\n")[0]
    names = {
        name.partition("(")[0] for row in table.splitlines()[2:] for name in re.findall(r"`([^`]+)`", row.split("|")[1])
    }
    assert {"hand", "open", "time_left"} < names
    assert names <= set(Observation.__dataclass_fields__) | set(dir(View))


def test_every_reason_that_ends_a_stream_is_on_the_contracts_page() -> None:
    page = CONTRACT.read_text()
    server = ROOT / "server" / "farfalia_server"
    code = (server / "play_service.py").read_text() + (server / "session.py").read_text()
    reasons = set(re.findall(r'StatusCode\.[A-Z_]+,\s*"([A-Z_]+)"', code))
    assert "BOT_CONNECTED" in reasons
    assert {reason for reason in reasons if f"`{reason}`" not in page} == set()


def test_the_formula_for_pairs_on_the_contracts_page_is_right() -> None:
    assert "256 + *a*·(103 − *a*)/2 + *b* − *a* − 1" in CONTRACT.read_text()
    for low, high in combinations(range(52), 2):
        assert set_aside_pair(low, high) == 256 + low * (103 - low) // 2 + high - low - 1


def test_links_lead_to_files() -> None:
    for page in (CONTRACT, ROOT / "docs" / "bots.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), target
