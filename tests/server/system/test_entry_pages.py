"""Persons who enter a tournament by themselves, and are rated there as bots are: by forms alone."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server, until
from tests.server.system.person_browser import Person

from farfalia.v1 import bots_pb2, ratings_pb2, tournaments_pb2

NUMBER = re.compile(r"/play/\d+")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server")) as server:
        yield server


def entered_as(person: Person) -> str:
    """The name under which the page says that a person has entered."""
    found = re.search(r"You have entered as (guest-[\w-]+)\.", person.page.text)
    assert found, person.page.text
    return found[1]


def seated(person: Person, number: int) -> None:
    """Wait until the page of a person's entry leads to a match."""
    deadline = time.monotonic() + PATIENCE
    while not NUMBER.fullmatch(person.page.url.path):
        assert time.monotonic() < deadline, person.page.text
        person.page = person.client.get(f"/play/in/{number}")


def on_ladder(server: LiveServer, ladder: str) -> dict[str, int]:
    """Matches of everyone on a ladder, by name."""
    shown = server.call("ListRatings", ratings_pb2.ListRatingsRequest(ladder=ladder))
    return {row.bot: row.rating.matches for row in shown.bots}


@pytest.mark.slow
def test_persons_enter_by_themselves_and_are_rated_as_bots_are(server: LiveServer) -> None:
    number = server.tournament(["house-greedy-1"], rounds=2, ruleset="two", start=False, persons=True)
    planned = server.show(number)
    assert planned.persons
    assert planned.time_control.limit_ms == 180_000, "a clock for people"
    with ExitStack() as stack:
        people = [stack.enter_context(Person(server)) for _ in range(2)]
        for person, name in zip(people, ("Ada", "Ben"), strict=True):
            assert f'<a href="/play/in/{number}">' in person.client.get(f"/tournaments/{number}").text
            person.submit(f"/play/in/{number}", "enter", name=name)
        names = [entered_as(person) for person in people]
        assert {row.entrant for row in server.show(number).standings} >= {*names, "house-greedy-1"}
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        with ThreadPoolExecutor(len(people)) as threads:
            list(threads.map(lambda person: play_all(server, person, number), people))
        over = server.wait_for(number)
        assert over.finished == 2
    for match in server.matches(number):
        assert [match.entrants[seat] for seat in match.persons] == [one for one in match.entrants if one in names]
        record = server.record(match.id)
        assert not LiveServer.verify(record)
        assert [seat.person for seat in record.seats] == [name in names for name in match.entrants]
    assert over.ladder == "two"
    seats = sum(len(match.persons) for match in server.matches(number))
    until(lambda: sum(on_ladder(server, "two").get(name, 0) for name in names) == seats, lambda: server.log()[-2000:])
    listed = {bot.name for bot in server.call("ListBots", bots_pb2.ListBotsRequest()).bots}
    assert listed >= set(names), "a person who is rated is in lists"


def play_all(server: LiveServer, person: Person, number: int) -> None:
    """Play whatever the page of a person's entry leads to, until the tournament is over."""
    deadline = time.monotonic() + PATIENCE
    while "This tournament is over" not in person.client.get(f"/play/in/{number}").text:
        assert time.monotonic() < deadline, person.page.text
        person.page = person.client.get(f"/play/in/{number}")
        if NUMBER.fullmatch(person.page.url.path):
            assert person.play()
            assert "On to your next match" in person.page.text
            deadline = time.monotonic() + PATIENCE
        time.sleep(0.1)


@pytest.mark.slow
def test_bots_alone_enter_unless_the_tournament_says_otherwise(server: LiveServer) -> None:
    number = server.tournament(["house-greedy-1", "house-greedy-2"], rounds=1, ruleset="two", start=False)
    with Person(server) as person:
        page = person.client.get(f"/play/in/{number}").text
        assert "Bots alone may enter this tournament" in page
        assert f"/play/in/{number}" not in person.client.get(f"/tournaments/{number}").text
        made = server.call("RegisterBot", bots_pb2.RegisterBotRequest(person=True))
    entry = tournaments_pb2.EnterTournamentRequest(id=number, bot=made.bot.name)
    for token in (made.token, ADMIN):
        with pytest.raises(grpc.RpcError) as refused:
            server.arena.EnterTournament(entry, metadata=(("authorization", f"Bearer {token}"),), timeout=PATIENCE)
        assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert "bots alone may enter" in (refused.value.details() or "")
    with pytest.raises(grpc.RpcError, match="persons play as") as wrong:
        server.tournament([made.bot.name, "house-greedy-1"], rounds=1, ruleset="two", start=False)
    assert wrong.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    listed = {bot.name for bot in server.call("ListBots", bots_pb2.ListBotsRequest()).bots}
    assert made.bot.name not in listed


@pytest.mark.slow
def test_a_person_leaves_and_cannot_come_back_after_the_start(tmp_path: Path) -> None:
    with live_server(tmp_path) as server, Person(server) as person:
        number = server.tournament(["house-greedy-1"], rounds=1, ruleset="two", start=False, persons=True)
        path = f"/play/in/{number}"
        person.submit(path, "enter", name="Ada")
        person.submit(path, "leave")
        assert "Enter" in person.page.text
        assert "guest-Ada" not in {row.entrant for row in server.show(number).standings}
        person.submit(path, "enter")
        assert "You have entered as guest-Ada" in person.page.text
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        seated(person, number)
        assert "Leave the tournament" in person.page.text
        server.call("WithdrawFromTournament", tournaments_pb2.WithdrawFromTournamentRequest(id=number, bot="guest-Ada"))
        person.play()
        server.wait_for(number)
        assert "This tournament is over" in person.client.get(path).text
        assert person.client.get("/play/in/99").status_code == 404
        assert person.client.get(f"{path}/events").status_code == 200
