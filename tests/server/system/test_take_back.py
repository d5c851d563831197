"""A person takes decisions back: by forms alone, in every kind of decision, over a killed server, and once each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.live_nodes import live_nodes
from tests.server.system.form_browser import proof_in
from tests.server.system.person_browser import Person

from farfalia.v1 import record_pb2

#: Forms on the page of a seat.
TAKE_BACK = "Take back my last decision"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server")) as server:
        yield server


def fields(person: Person) -> dict[str, str]:
    return {"proof": proof_in(person.page.text), "number": str(person.number)}


def take_back(person: Person) -> None:
    """Press the button once."""
    assert TAKE_BACK in person.page.text
    person.page = person.post(f"{person.page.url.path}/take-back", **fields(person))
    person.wait()


def shown(person: Person) -> tuple[str, list[str]]:
    """What is asked, and every card and choice on the page."""
    return person.asked, re.findall(r'aria-label="([^"]*)"|name="action" value="(\d+)"', person.page.text)


def watched(server: LiveServer, match: int) -> list[dict[str, Any]]:
    """All that those see who watch a match that is over."""
    address = f"http://{server.http_address}/api/matches/{match}/events"
    lines = httpx.get(address, headers={"accept": "application/x-ndjson"}, timeout=PATIENCE).text.splitlines()
    return [json.loads(line) for line in lines if line]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["two", "basic"])
def test_each_kind_of_decision_is_taken_back_and_asked_anew(server: LiveServer, game: str) -> None:
    with Person(server) as person:
        match = person.sit_down(game)
        person.wait()
        assert TAKE_BACK not in person.page.text, "nothing was decided yet"
        tried: set[str] = set()
        while person.state == "asked":
            before, number = shown(person), person.number
            kind = re.sub(r"[A-Z0-9]+\b", "", before[0])
            person.answer()
            person.wait()
            if kind not in tried and person.state == "asked":
                tried.add(kind)
                after = shown(person)
                take_back(person)
                assert (shown(person), person.number) == (before, number + 2)
                person.answer()
                person.wait()
                assert shown(person) == after, "the same answer leads to the same question"
    record = server.record(match)
    assert not LiveServer.verify(record)
    assert [one.decisions for one in record.taken_back] == [1] * len(tried)
    assert len(tried) >= 2
    (mine,) = [seat for seat, who in enumerate(record.seats) if who.person]
    assert {record.actions[one.action_index].seat for one in record.taken_back} == {mine}
    page = server.page(f"/matches/{match}")[1]
    assert re.search(r"Taken back</dt><dd>\w+ decisions of the person", page)
    events = watched(server, match)
    assert events[0]["id"] == f"1-{len(tried)}.1"
    assert sum(event["type"] == "play" for event in events) == sum(one.action < 57 for one in record.actions), (
        "nothing that was taken back is shown"
    )


@pytest.mark.slow
def test_several_are_taken_back_and_each_press_counts_once(server: LiveServer) -> None:
    with Person(server) as person:
        match = person.sit_down("two")
        person.wait()
        first = shown(person)
        person.play(3)
        pressed = fields(person)
        with ThreadPoolExecutor(2) as both:
            answers = list(both.map(lambda _: person.post(f"/play/{match}/take-back", **pressed), range(2)))
        assert [one.status_code for one in answers] == [200, 200]
        person.page = person.client.get(f"/play/{match}")
        assert person.number == 5
        assert person.post(f"/play/{match}/take-back", **pressed).text.count('data-number="5"') == 1, "reloaded"
        take_back(person)
        take_back(person)
        assert shown(person) == first
        assert TAKE_BACK not in person.page.text
        refused = person.post(f"/play/{match}/take-back", **fields(person))
        assert refused.status_code == 409
        assert "You have decided nothing yet that could be taken back" in refused.text
        person.play()
        late = person.post(f"/play/{match}/take-back", **pressed)
        assert late.status_code == 409
        assert f"Match {match} is over: nothing can be taken back any more" in late.text
    record = server.record(match)
    assert not LiveServer.verify(record)
    (back,) = record.taken_back
    assert back.decisions == 3
    assert record.actions[back.action_index].cause == record_pb2.CAUSE_BOT
    assert "3 decisions of the person" in server.page(f"/matches/{match}")[1]


@pytest.mark.slow
def test_what_was_taken_back_stays_so_when_the_server_is_killed_right_after(tmp_path: Path) -> None:
    with live_server(tmp_path) as server, Person(server) as person:
        match = person.sit_down("two")
        person.play(3)
        number = person.number
        take_back(person)
        asked = shown(person)
        server.kill()
        server.start()
        person.page = person.client.get(f"/play/{match}")
        person.wait()
        assert (shown(person), person.number) == (asked, number + 1)
        take_back(person)
        person.play()
        record = server.record(match)
    assert not LiveServer.verify(record)
    assert sum(one.decisions for one in record.taken_back) == 2


@pytest.mark.slow
def test_two_people_take_back_at_once_and_neither_disturbs_the_other(server: LiveServer) -> None:
    def play(game: str) -> int:
        with Person(server) as person:
            match = person.sit_down(game)
            for _ in range(5):
                person.play(2)
                take_back(person)
            person.play()
        return match

    with ThreadPoolExecutor(2) as both:
        records = [server.record(match) for match in both.map(play, ["two", "two"])]
    for record in records:
        assert not LiveServer.verify(record)
        assert sum(one.decisions for one in record.taken_back) == 5


@pytest.mark.slow
def test_a_decision_is_taken_back_on_whichever_node_the_person_and_the_table_are(tmp_path: Path) -> None:
    with live_nodes(tmp_path, "a", "b") as (one, other), Person(one) as person, Person(other) as moved:
        match = person.sit_down("two")
        person.play(3)
        before = person.number
        take_back(person)
        assert person.number == before + 1
        asked = shown(person)
        moved.client.cookies = person.client.cookies
        moved.page = moved.client.get(f"/play/{match}?here=1")
        moved.page = moved.client.get(f"/play/{match}")
        moved.wait()
        assert (shown(moved), moved.number) == (asked, before + 1)
        take_back(moved)
        assert moved.number == before + 2
        moved.play()
        record = one.record(match)
    assert not LiveServer.verify(record)
    assert sum(one.decisions for one in record.taken_back) == 2
