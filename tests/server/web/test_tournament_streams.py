"""What those who watch a tournament are sent: from a real server, also after it was killed."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import httpx
import pytest
from tests.server.live import PATIENCE, LiveServer
from tests.server.rawbot import RawBot
from tests.server.web.pausing_bot import CONTROL, GAME, HOUSE, Pausing

from farfalia.v1 import tournaments_pb2


def read(server: LiveServer, number: int, last: str = "", until: str = "") -> list[dict[str, Any]]:
    """Events up to the first of that type, or to the end."""
    headers = {"last-event-id": last, "accept": "application/x-ndjson"}
    found: list[dict[str, Any]] = []
    address = f"http://{server.http_address}/api/tournaments/{number}/events"
    with httpx.stream("GET", address, headers=headers, timeout=PATIENCE) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        for line in answer.iter_lines():
            if line:
                found.append(json.loads(line))
                if found[-1]["type"] == until:
                    return found
    return found


def cells_of(page: str) -> list[dict[str, str]]:
    """What a page has in the cells that events fill, row by row."""
    rows = page.split("<tr ")
    return [
        {name: unescape(text) for name, text in re.findall(r'data-cell="([^"]+)">([^<]*)<', row)}
        for row in rows
        if "data-entrant=" in row
    ]


@pytest.mark.slow
def test_a_tournament_is_followed_to_its_end_also_over_a_kill_of_its_server(server: LiveServer) -> None:
    token, pausing = server.register("ada"), Pausing(3)
    number = server.tournament(["ada", *HOUSE], rounds=2, start=False, control=CONTROL, ruleset=GAME)
    planned, *_ = read(server, number, until="standings")
    assert (planned["type"], planned["state"], planned["finished"]) == ("tournament", "planned", 0)
    with RawBot(server.grpc_address, token, rulesets=(GAME,), react=pausing) as bot:
        bot.until(lambda: bot.messages)
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        bot.until(lambda: pausing.kept)
        before = read(server, number, until="started")
    assert [event["type"] for event in before[:2]] == ["tournament", "standings"]
    assert [event["progress"] for event in before if event["type"] == "tournament"][-1].endswith("being played")
    assert {row["entrant"] for row in before[1]["rows"]} == {"ada", *HOUSE}
    assert set(before[-1]["entrants"]) == {"ada", *HOUSE}
    server.kill()
    server.start()
    with RawBot(server.grpc_address, token, rulesets=(GAME,), react=Pausing(10**6)):
        after = read(server, number, until="end")
        server.wait_for(number)
    results = [event for event in after if event["type"] == "result"]
    matches = server.matches(number)
    assert {event["match"] for event in results} <= {match.id for match in matches}
    late = read(server, number, last="0.0", until="end")
    told = [event for event in late if event["type"] == "result"]
    assert {event["match"]: event["points"] for event in told} == {
        match.id: list(match.outcome.points) for match in matches
    }
    assert [event["id"] for event in read(server, number, last=told[0]["id"], until="end") if "id" in event] == [
        event["id"] for event in told[1:]
    ]
    table = server.show(number).standings
    rows = next(event["rows"] for event in late if event["type"] == "standings")
    assert [(row["entrant"], row["place"], row["points"]) for row in rows] == [
        (row.entrant, row.place, row.points) for row in table
    ]
    page = httpx.get(f"http://{server.http_address}/tournaments/{number}?columns=all").text
    assert [row["cells"] for row in rows] == cells_of(page)
    address = f"http://{server.http_address}/api/tournaments/77/events"
    assert httpx.get(address).json()["reason"] == "TOURNAMENT_UNKNOWN"
