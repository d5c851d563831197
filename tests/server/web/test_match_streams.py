"""What those who watch a match are sent: from a real server with a real Redis, also after it was killed."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.rawbot import RawBot
from tests.server.web.pausing_bot import CONTROL, GAME, HOUSE, Pausing

from farfalia.v1 import stages_pb2, tournaments_pb2
from farfalia_server.web.static_files import StaticAddresses


def read(server: LiveServer, match: int, last: str = "", until: str = "", count: int = 0) -> list[dict[str, Any]]:
    """Events from after the last one, up to one of that type, or as many as that."""
    headers = {"last-event-id": last} if last else {}
    found: list[dict[str, Any]] = []
    address = f"http://{server.http_address}/api/matches/{match}/events"
    with httpx.stream("GET", address, headers=headers, timeout=PATIENCE) as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        for line in answer.iter_lines():
            if line.startswith("data: "):
                found.append(json.loads(line.removeprefix("data: ")))
                if found[-1]["type"] == until or len(found) == count:
                    return found
    return found


def after_a_deal(server: LiveServer, match: int) -> list[dict[str, Any]]:
    """All that is shown, as soon as a deal is: what those saw who watched before is sent first."""
    deadline = time.monotonic() + PATIENCE
    while True:
        *events, _ = read(server, match, until="behind")
        if any(event["type"] == "hands" for event in events):
            return events
        assert time.monotonic() < deadline, events
        time.sleep(0.1)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path) as server:
        yield server


def begin(server: LiveServer, bots: list[str], **settings: Any) -> int:
    return server.tournament(bots, rounds=1, start=False, control=CONTROL, ruleset=GAME, **settings)


@pytest.mark.slow
def test_a_match_is_watched_while_it_is_played_and_after_its_server_was_killed(server: LiveServer) -> None:
    token, pausing = server.register("ada"), Pausing(20)
    number = begin(server, ["ada", *HOUSE])
    with RawBot(server.grpc_address, token, rulesets=(GAME,), react=pausing) as bot:
        bot.until(lambda: bot.messages)
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        bot.until(lambda: pausing.kept)
        (match,) = [match.id for match in server.matches(number)]
        before = read(server, match, count=12)
        assert [event["type"] for event in before[:2]] == ["match", "deal"]
        assert set(before[0]["entrants"]) == {"ada", *HOUSE}
        assert [event["id"] for event in before] == [f"1.{n}" for n in range(1, 13)]
        assert any(event["type"] == "play" for event in before)
        page = httpx.get(f"http://{server.http_address}/matches/{match}")
        assert f'data-events="/api/matches/{match}/events"' in page.text
        assert 'http-equiv="refresh"' not in page.text
        assert "script-src 'self'; connect-src 'self'" in page.headers["content-security-policy"]
        script = httpx.get(f"http://{server.http_address}{StaticAddresses()('live.js')}")
        assert "new EventSource(" in script.text
    server.kill()
    server.start()
    pausing = Pausing(10**6)
    with RawBot(server.grpc_address, token, rulesets=(GAME,), react=pausing) as bot:
        after = read(server, match, last="1.12", until="end")
        server.wait_for(number)
    assert [event["id"] for event in after[:-1]] == [f"1.{n}" for n in range(13, 12 + len(after))]
    whole = read(server, match, until="end")
    assert whole == before + after
    nowhere = httpx.get(f"http://{server.http_address}/api/matches/77/events")
    assert (nowhere.status_code, nowhere.json()["reason"]) == (404, "MATCH_UNKNOWN")
    record = server.record(match)
    assert sum(event["type"] == "play" for event in whole) == sum(action.action < 57 for action in record.actions)
    assert whole[-2]["totals"] == list(record.outcome.points)


@pytest.mark.slow
def test_a_table_on_a_shared_board_is_shown_deal_by_deal_once_all_have_played_it(
    server: LiveServer,
) -> None:
    """Two tables have the same board; one of them waits for its bot in the first deal, then in a later one."""
    tokens = {name: server.register(name) for name in ("slow", "ada")}
    number = begin(server, [*tokens, *HOUSE, "house-greedy-3", "house-greedy-4"], boards=stages_pb2.BOARDS_DATUM)
    pausing, quick = Pausing(3), Pausing(10**6)
    with (
        RawBot(server.grpc_address, tokens["slow"], rulesets=(GAME,), react=pausing) as slow,
        RawBot(server.grpc_address, tokens["ada"], rulesets=(GAME,), react=quick) as ada,
    ):
        slow.until(lambda: slow.messages)
        ada.until(lambda: ada.messages)
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        slow.until(lambda: pausing.kept)
        held = pausing.kept[0].match
        (other,) = [match.id for match in server.matches(number) if match.id != held]
        for match in (held, other):
            assert [event["type"] for event in read(server, match, until="behind")] == ["match", "deal", "behind"]
        pausing.deals = 1
        pausing.go_on(slow, 10**6)
        slow.until(lambda: pausing.kept)
        seen = [after_a_deal(server, match) for match in (held, other)]
        for events in seen:
            assert [event["number"] for event in events if event["type"] == "hands"] == [1]
            assert [event["type"] for event in events][-2:] == ["hands", "deal"]
        pausing.deals = 1000
        pausing.go_on(slow, 0)
        server.wait_for(number)
    for match, events in zip((held, other), seen, strict=True):
        assert read(server, match, until="end")[: len(events)] == events
