"""The dashboard and the alerts in `deploy/monitoring`: each looks at metrics that a server has."""

import json
import re
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.server.live import PATIENCE, LiveServer, live_server, until
from tests.server.rawbot import RawBot, first_legal

MONITORING = Path(__file__).resolve().parents[1] / "deploy" / "monitoring"
DOCS = Path(__file__).resolve().parents[1] / "docs"
#: What Prometheus itself knows of a server.
OF_PROMETHEUS = {"up"}
#: On macOS, processes are not described.
OF_LINUX = re.compile("process_")


def alerts() -> list[dict[str, Any]]:
    groups = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((MONITORING / "dashboard.json").read_text())["panels"]
    return found


def expressions() -> dict[str, str]:
    """Every expression, by where it stands."""
    found = {rule["alert"]: rule["expr"] for rule in alerts()}
    for panel in panels():
        found |= {f"{panel['title']} {target['refId']}": target["expr"] for target in panel.get("targets", ())}
    return found


def metrics(expression: str) -> set[str]:
    """The metrics that an expression names: words that are no function, no label and no keyword."""
    bare = re.sub(r'\{[^}]*\}|\[[^]]*\]|"[^"]*"|\b(?:on|by|ignoring) ?\([^)]*\)', " ", expression)
    words = re.findall(r"[a-z_]\w*(?!\w*\s*\()", bare)
    return set(words) - {"and", "or", "unless", "on", "by"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("monitoring"), max_tables=7) as server:
        yield server


def scraped(server: LiveServer) -> str:
    with urllib.request.urlopen(f"http://{server.http_address}/metrics", timeout=PATIENCE) as answer:
        text: str = answer.read().decode()
    return text


def families(server: LiveServer) -> set[str]:
    return set(re.findall(r"^# TYPE (\S+) ", scraped(server), re.MULTILINE))


def test_the_reference_lists_every_metric(server: LiveServer) -> None:
    section = (DOCS / "server-reference.md").read_text().partition("## Metrics\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \| ", section, re.MULTILINE)
    listed = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert len(set(listed)) == len(listed)
    assert {name for name in set(listed) ^ families(server) if not OF_LINUX.match(name)} == set()


def test_expressions_name_only_metrics_that_a_server_has(server: LiveServer) -> None:
    had = families(server)
    assert len(expressions()) > 25
    for place, expression in expressions().items():
        named = metrics(expression)
        assert named, place
        assert named <= had | OF_PROMETHEUS, f"{place}: {expression}"


def test_labels_that_are_asked_for_are_those_of_the_metrics(server: LiveServer) -> None:
    text = scraped(server)
    for place, expression in expressions().items():
        for metric, label, value in re.findall(r'(\w+)\{[^}]*?(quantile|state|stage)="([^"]*)"', expression):
            assert re.search(rf'^{metric}\{{[^}}]*{label}="{re.escape(value)}"', text, re.MULTILINE), place


def test_the_server_says_whom_matches_wait_for_and_who_is_slow(server: LiveServer) -> None:
    server.register("absent")
    token = server.register("here")
    with RawBot(server.grpc_address, token, react=first_legal) as bot:
        server.tournament(["absent", "house-greedy-1"], rounds=1, ruleset="two")
        server.wait_for(server.tournament(["here", "house-greedy-1"], rounds=1, ruleset="two"))
        bot.finished()
        shown = (
            r'^farfalia_bot_awaited_seconds\{bot="absent"\} \d',
            r'^farfalia_slowest_bots_seconds\{bot="here"\} (?!0\.0$)\d',
            r'^farfalia_matches\{state="queued"\} 1\.0',
            r'^farfalia_waiting_seconds\{reason="bots"\} \d',
            r'^farfalia_waiting_seconds\{reason="tables"\} 0\.0',
            r'^farfalia_slowest_round_trips_seconds\{bot="here"\} (?!0\.0$)\d',
            r'^farfalia_journal_seconds\{quantile="0\.5"\} (?!0\.0$)\d',
            r'^farfalia_database_seconds\{quantile="0\.5"\} (?!0\.0$)\d',
            r"^farfalia_nodes 1\.0",
            r"^farfalia_tables_limit 7\.0",
            r'^farfalia_well\{part="database"\} 1\.0',
        )
        # What is measured from time to time is there a moment later.
        until(lambda: not _missing(shown, scraped(server)), lambda: _missing(shown, scraped(server)))


def _missing(lines: Iterable[str], text: str) -> list[str]:
    return [line for line in lines if not re.search(line, text, re.MULTILINE)]


def test_every_alert_says_what_is_wrong_and_the_page_says_what_to_do() -> None:
    listed = re.findall(r"^\| `(Farfalia\w+)` \|", (DOCS / "deployment.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(rule["alert"] for rule in alerts())
    for rule in alerts():
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_panels_lie_beside_each_other_and_have_units() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
    assert len({panel["id"] for panel in panels()}) == len(panels())
