"""The board of a day: the same cards for all who play it, shown to nobody else while the day lasts, and its table."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from google.protobuf.json_format import ParseDict
from tests.server.live import PATIENCE, LiveServer, live_server, until
from tests.server.system.form_browser import once_in, proof_in
from tests.server.system.person_browser import Person

from farfalia.v1 import daily_boards_pb2, matches_pb2
from farfalia_server.records.house_names import quick_house_bots


class Daily(Person):
    """A person who plays the board of the day."""

    def begin(self, game: str, name: str = "") -> int:
        """Begin a match on today's board, and return its number."""
        form = self.client.get(f"/today/{game}").raise_for_status().text
        hidden = {"proof": proof_in(form), "once": once_in(form)}
        self.page = self.client.post(f"/today/{game}/begin", data=hidden | {"minutes": "3", "name": name})
        return int(self.page.url.path.removeprefix("/play/"))

    @property
    def seat(self) -> list[str]:
        """Who sits where, as the page shows it."""
        names = re.findall(r'scope="row" class="name">([^<]*)', self.page.text)
        return [re.sub(r"guest-\w+", "guest", name).strip() for name in names]

    def table(self, game: str, day: str = "") -> list[tuple[str, int]]:
        """Players and points, best first; empty if the page shows none."""
        page = self.client.get(f"/today/{game}/{day}".rstrip("/")).raise_for_status().text
        rows = re.findall(r"<tr( class=\"own\")?><td[^>]*>[^<]*</td><th[^>]*>(.*?)</th><td[^>]*>(-?\d+)</td>", page)
        return [(("you: " if own else "") + _text(who), int(points)) for own, who, points in rows]


def _text(html: str) -> str:
    return re.sub(r"<span class=\"mark on\">.*?</span>|<[^>]*>", "", html).strip()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server")) as server:
        yield server


def cards(person: Person) -> list[str]:
    """The cards in the person's hand, as the page shows them."""
    (hand,) = re.findall(r'<section class="my-hand" aria-label="Your hand">.*?</section>', person.page.text, re.DOTALL)
    return re.findall(r'role="img" aria-label="([^"]*)"', hand)


def shown(server: LiveServer, match: int) -> matches_pb2.Match:
    found: matches_pb2.ListMatchesResponse = server.call("ListMatches", matches_pb2.ListMatchesRequest())
    return next(one for one in found.matches if one.id == match)


def set_day(server: LiveServer, match: int, day: str) -> None:
    """Let a match be of an earlier day, on which it has ended if it is over."""
    connection = sqlite3.connect(server.folder / "data/farfalia.db", timeout=PATIENCE)
    connection.execute("UPDATE match SET daily = ? WHERE id = ?", (day, match))
    moved = "UPDATE match SET finished = ? WHERE id = ? AND finished IS NOT NULL"
    connection.execute(moved, (f"{day} 12:00:00.000000", match))
    connection.commit()
    connection.close()


@pytest.mark.slow
def test_two_people_have_the_same_cards_and_see_each_others_results_once_both_have_played(server: LiveServer) -> None:
    with Daily(server) as ada, Daily(server) as ben:
        first = ada.begin("two", "ada")
        second = ben.begin("two", "ben")
        ada.wait()
        ben.wait()
        assert cards(ada) == cards(ben)
        assert ada.seat == ben.seat
        ada.play()
        assert ada.state == "over"
        day = shown(server, first).daily
        assert f"/today/two/{day}" in ada.page.text
        assert "would do, and why" not in ada.page.text
        known = len(quick_house_bots())
        until(lambda: len(ada.table("two")) > known)
        assert ben.table("two") == [], "it plays the board"
        ben.play()
        table = ben.table("two")
        mine = [("you: guest-ada", points) for who, points in table if who == "guest-ada"]
        assert {who for who, _ in table if "guest-" in who} == {"guest-ada", "you: guest-ben"}
        assert [points for _, points in table] == sorted((points for _, points in table), reverse=True)

        again = ada.begin("two")
        ada.play()
        assert [one for one in ada.table("two") if "ada" in one[0]] == mine

        asked = daily_boards_pb2.GetDailyBoardRequest(ruleset="two", day=day)
        assert not server.call("GetDailyBoard", asked).board.results
        for match in (first, second, again):
            set_day(server, match, "2026-01-02")
        records = [server.record(match) for match in (first, second, again)]
        assert len({record.source.board_key for record in records}) == 1
        assert {record.source.daily for record in records} == {day}
        assert not any(record.source.nonces for record in records)
        assert not any(LiveServer.verify(record) for record in records)

        told = json.loads(server.page("/api/today/two/2026-01-02")[1])
        rows = [(one["bot"] or f"house bot {one['house']}", one["points"]) for one in told["results"]]
        with Daily(server) as stranger:
            assert rows == stranger.table("two", "2026-01-02")
        assert {who for who, _ in rows} == {"guest-ada", "guest-ben"}
        assert rows[0][1] >= rows[1][1]


def record_for(person: Person, match: int) -> httpx.Response:
    """What the person's token gets as the record."""
    token = next(cookie.value for cookie in person.client.cookies.jar if cookie.name == "farfalia-seat")
    own = {"authorization": f"Bearer {token}"}
    return person.client.post("/api/calls/GetRecord", json={"match": str(match)}, headers=own)


@pytest.mark.slow
def test_who_has_played_steps_through_the_own_match_at_once_and_others_once_the_board_opens(server: LiveServer) -> None:
    with Daily(server) as ada, Daily(server) as ben:
        match = ada.begin("basic", "ada")
        address = f"/play/{match}/deals/1"
        assert ada.client.get(address).url.path == f"/matches/{match}", "not before its end"
        ada.play()
        assert f'href="{address}"' in ada.page.text
        assert f'href="{address}"' in ada.client.get("/today/basic").text
        for path in (address, f"{address}/2.1"):
            page = ada.client.get(path)
            assert (page.status_code, page.url.path) == (200, path)
            assert "Only you see this" in page.text
            assert page.headers["cache-control"] == "no-store"
            assert f"/matches/{match}/" not in page.text
        for wrong in (f"/play/{match}/deals/99", f"/play/{match}/deals/one", f"{address}/9.9", "/play/99/deals/1"):
            assert ada.client.get(wrong).status_code == 404, wrong
        record = ParseDict(record_for(ada, match).raise_for_status().json(), matches_pb2.GetRecordResponse()).record
        assert not LiveServer.verify(record)
        assert not record.source.secret

        assert ben.client.get(address).url.path == f"/matches/{match}", "without a seat"
        other = ben.begin("basic", "ben")
        assert ben.client.get(address).url.path == f"/matches/{match}", "at the same board"
        refused = record_for(ben, match)
        assert (refused.status_code, refused.json()["reason"]) == (409, "BOARD_IN_PLAY")
        ben.play()
        assert ben.client.get(address).url.path == f"/matches/{match}", "after the same board, still another's match"
        assert ben.client.get(f"/play/{other}/deals/1").url.path == f"/play/{other}/deals/1"

        set_day(server, match, "2026-01-04")
        until(lambda: ben.client.get(f"{address}/2.1").url.path == f"/matches/{match}/1/2.1")


@pytest.mark.slow
def test_a_board_that_was_left_counts_no_more_and_shows_nothing(server: LiveServer) -> None:
    with Daily(server) as person:
        match = person.begin("four")
        person.play(2)
        fields = {"proof": person.answers()["proof"], "once": "x"}
        person.post(f"/play/{match}/leave", **fields)
        page = person.client.get("/today/four").text
        assert "You have left this board" in page
        assert person.table("four") == []
        again = person.begin("four")
        person.play()
        assert person.state == "over"
        table = person.table("four")
        assert not [who for who, _ in table if "guest" in who]
        assert shown(server, again).daily


@pytest.mark.slow
def test_there_nothing_is_taken_back(server: LiveServer) -> None:
    with Daily(server) as person:
        match = person.begin("two")
        person.play(2)
        assert person.state == "asked"
        assert "Take back my last decision" not in person.page.text
        own = {"proof": person.answers()["proof"], "number": str(person.number)}
        assert person.post(f"/play/{match}/take-back", **own).status_code == 409


@pytest.mark.slow
def test_a_match_that_ends_once_its_board_is_open_does_not_count(server: LiveServer) -> None:
    with Daily(server) as person:
        match = person.begin("three")
        person.play(2)
        set_day(server, match, "2026-01-03")
        person.play()
        assert person.state == "over"
        page = person.client.get("/today/three/2026-01-03").text
        assert "it does not count" in page
        assert not [who for who, _ in person.table("three", "2026-01-03") if "guest" in who]
        assert server.record(match).outcome.places


@pytest.mark.slow
def test_a_kill_of_the_server_changes_nothing_on_the_board(tmp_path: Path) -> None:
    with live_server(tmp_path) as server, Daily(server) as person:
        match = person.begin("two")
        person.play(3)
        number, hand = person.number, cards(person)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        server.start()
        with Daily(server) as back:
            back.client.cookies = person.client.cookies
            back.page = back.client.get(f"/play/{match}")
            back.wait()
            assert (back.number, cards(back)) == (number, hand)
            back.play()
            assert back.state == "over"
            assert [who for who, _ in back.table("two") if who.startswith("you: ")]


@pytest.mark.slow
def test_what_cannot_be_asked_for_is_refused_with_a_sentence(server: LiveServer) -> None:
    with Daily(server) as person:
        for path in ("/today/whist", "/today/two/yesterday", "/today/two/9999-01-01", "/today/two/2026-13-01"):
            assert person.client.get(path).status_code == 404, path
        assert person.client.get("/api/today/two/9999-01-01").status_code == 404
        refused = person.client.post("/api/calls/CreateChallenge", json={"ruleset": "two", "daily": True})
        assert refused.status_code == 401
        form = person.client.get("/today/two").text
        hidden = {"proof": proof_in(form), "once": once_in(form)}
        wrong = person.client.post("/today/two/begin", data=hidden | {"minutes": "2", "name": ""})
        assert wrong.status_code == 400
        assert "Minutes is 2; expected one of 1, 3, 10" in wrong.text
