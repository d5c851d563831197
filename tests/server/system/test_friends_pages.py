"""Friends at one table: by the link of a host, by forms alone, over kills of the server."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.system.form_browser import once_in, proof_in
from tests.server.system.person_browser import Person

from farfalia.v1 import matches_pb2, record_pb2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server")) as server:
        yield server


def open_table(host: Person, game: str, name: str = "", **fields: str) -> str:
    """Open a table, and return the path of its link."""
    form = host.client.get("/play/friends").raise_for_status().text
    hidden = {"proof": proof_in(form), "once": once_in(form)}
    chosen = {"game": game, "opponents": "greedy", "minutes": "3", "name": name} | fields
    host.page = host.client.post("/play/friends/open", data=hidden | chosen)
    assert host.page.status_code == 200, host.page.text
    return host.page.url.path


def arrive(person: Person, path: str) -> int:
    """Open the page of a table over and over until it leads to a match; return the number of the match."""
    deadline = time.monotonic() + PATIENCE
    while not re.fullmatch(r"/play/\d+", person.page.url.path):
        assert time.monotonic() < deadline, person.page.text
        person.page = person.client.get(path)
    return int(person.page.url.path.removeprefix("/play/"))


def play_together(people: list[Person]) -> None:
    """Answer what each of them is asked to the end of the match: all at once, since pages wait."""
    with ThreadPoolExecutor(len(people)) as threads:
        for asked in threads.map(lambda person: person.play(), people):
            assert asked


def shown(server: LiveServer, match: int) -> matches_pb2.Match:
    found: matches_pb2.ListMatchesResponse = server.call("ListMatches", matches_pb2.ListMatchesRequest())
    return next(one for one in found.matches if one.id == match)


def check_record(server: LiveServer, match: int, people: int) -> None:
    """The match has ended with these people at its table, counts nowhere, and its record verifies."""
    found = shown(server, match)
    assert (found.state, found.ladder, len(found.persons)) == (matches_pb2.MATCH_STATE_FINISHED, "", people)
    record = server.record(match)
    assert not LiveServer.verify(record)
    assert not record.incidents
    for seat in found.persons:
        assert record.seats[seat].person
        assert any(one.seat == seat and one.cause == record_pb2.CAUSE_BOT for one in record.actions)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "people"), [("two", 2), ("chinkway", 2)])
def test_friends_play_a_match_to_its_end_by_forms_alone(server: LiveServer, game: str, people: int) -> None:
    with ExitStack() as stack:
        host, *friends = (stack.enter_context(Person(server)) for _ in range(people))
        path = open_table(host, game, "Ada")
        for friend in friends:
            friend.page = friend.client.get(path)
            assert "guest-Ada" in friend.page.text
            friend.submit(path, "join", name="Ben")
            assert friend.page.status_code == 200, friend.page.text
        if "Begin now" in host.client.get(path).text:
            host.submit(path, "begin")
        (match,) = {arrive(person, path) for person in (host, *friends)}
        play_together([host, *friends])
        assert [person.state for person in (host, *friends)] == ["over"] * people
    check_record(server, match, people)


@pytest.mark.slow
def test_every_link_has_a_clear_answer(server: LiveServer) -> None:
    with Person(server) as host, Person(server) as friend, Person(server) as third:
        path = open_table(host, "two", "Eve")
        assert open_address(host) == path
        third.page = third.client.get(path)
        friend.submit(path, "join", name="Fay")
        match = arrive(friend, path)
        assert arrive(host, path) == match
        assert third.client.get(path).url.path == f"/matches/{match}"
        assert third.client.get("/play/with/nothing").status_code == 404
        assert third.client.get(f"{path}/events").status_code == 409
        assert "Your host alone can give the match up" in friend.page.text
        proof = {
            "proof": proof_in(friend.client.get("/play/friends").text),
            "once": "x",
        }  # who is not asked has no form
        assert friend.post(f"/play/{match}/leave", **proof).status_code == 403
        host.submit(f"/play/{match}", "leave")
        assert shown(server, match).state == matches_pb2.MATCH_STATE_VOID


@pytest.mark.slow
def test_a_table_is_left_and_closed(server: LiveServer) -> None:
    with Person(server) as host, Person(server) as friend:
        path = open_table(host, "three")
        friend.submit(path, "join")
        assert "One seat is free" in friend.page.text
        assert "One seat is free" in friend.client.get(path).text  # the same place, when the link is opened again
        friend.submit(path, "begin")
        assert friend.page.status_code == 403
        friend.submit(path, "leave")
        assert "Take a seat" in friend.page.text
        friend.submit(path, "join")
        host.submit(path, "leave")
        assert "its host has left" in friend.client.get(path).text
        another = open_table(friend, "two")
        assert another != path
        assert "You wait at a table" in friend.client.get("/play/friends").text


@pytest.mark.slow
def test_killed_servers_lose_neither_the_table_nor_the_match(tmp_path: Path) -> None:
    with live_server(tmp_path) as server, ExitStack() as stack:
        people = [stack.enter_context(Person(server)) for _ in range(2)]
        path = open_table(people[0], "three", "Ada")
        people[1].submit(path, "join", name="Ben")
        people = restarted(server, people, stack)
        for person in people:
            person.page = person.client.get(path)
            assert "One seat is free" in person.page.text
        people[0].submit(path, "begin")
        (match,) = {arrive(person, path) for person in people}
        for person in people:
            if person.state == "asked":
                person.answer()
        people = restarted(server, people, stack)
        for person in people:
            person.page = person.client.get(f"/play/{match}")
        play_together(people)
        assert [person.state for person in people] == ["over", "over"]
        check_record(server, match, 2)


def open_address(host: Person) -> str:
    """The path of the link that a host is shown."""
    (address,) = re.findall(r"<code>http://[^/<]+(/play/with/[^<]+)</code>", host.page.text)
    return str(address)


def restarted(server: LiveServer, people: list[Person], stack: ExitStack) -> list[Person]:
    """Kill the server and start it again; the same people, in browsers that know the new address."""
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    server.start()
    back = [stack.enter_context(Person(server)) for _ in people]
    for before, after in zip(people, back, strict=True):
        after.client.cookies = before.client.cookies
    return back


@pytest.mark.slow
def test_among_friends_nothing_is_taken_back(server: LiveServer) -> None:
    with Person(server) as host, Person(server) as friend:
        path = open_table(host, "two")
        friend.submit(path, "join", name="Bo")
        match = arrive(host, path)
        arrive(friend, path)
        assert "Take back my last decision" not in host.page.text
        own = {"proof": proof_in(host.page.text), "number": "1"}
        refused = host.post(f"/play/{match}/take-back", **own)
        assert refused.status_code == 409
        assert "A decision can be taken back where one person plays with house bots alone" in refused.text
