"""A person at the table: by forms alone, beside house bots, over restarts and repeated answers."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.system.form_browser import once_in, proof_in
from tests.server.system.person_browser import Person

from farfalia.v1 import bots_pb2, matches_pb2, record_pb2
from farfalia_engine import GAMES


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server")) as server:
        yield server


def shown(server: LiveServer, match: int) -> matches_pb2.Match:
    found: matches_pb2.ListMatchesResponse = server.call("ListMatches", matches_pb2.ListMatchesRequest())
    return next(one for one in found.matches if one.id == match)


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_person_plays_a_match_by_forms_alone(server: LiveServer, game: str) -> None:
    with Person(server) as person:
        match = person.sit_down(game)
        asked = person.play()
        assert person.state == "over"
        assert asked
        assert f"/matches/{match}/1" in person.page.text
    record = server.record(match)
    assert not LiveServer.verify(record)
    (mine,) = [seat for seat, who in enumerate(record.seats) if who.person]
    assert not record.seats[mine].house
    assert sum(one.seat == mine and one.cause == record_pb2.CAUSE_BOT for one in record.actions) == len(asked)
    assert not record.incidents
    found = shown(server, match)
    assert (list(found.persons), found.ladder) == ([mine], "")


@pytest.mark.slow
def test_an_answer_counts_once_and_a_wrong_one_is_refused_with_a_sentence(server: LiveServer) -> None:
    with Person(server) as person:
        match = person.sit_down("four")
        person.play(3)
        before = person.number
        again = person.answer()
        person.wait()
        number = person.number
        assert number == before + 1
        person.page = person.post(f"/play/{match}/answer", **again)
        assert person.number == number
        wrong = person.post(f"/play/{match}/answer", **person.answers() | {"action": "4711"})
        assert wrong.status_code == 400
        assert "Action is 4711, which is not legal now" in wrong.text
        assert person.post(f"/play/{match}/answer", proof="x", number="1", action="1").status_code == 403
        person.play()
    asked = [one for one in server.record(match).actions if one.cause == record_pb2.CAUSE_BOT]
    assert len(asked) == len({(one.seat, one.at_ms, one.action) for one in asked})


@pytest.mark.slow
def test_a_second_window_shows_the_same_question(server: LiveServer) -> None:
    with Person(server) as person:
        match = person.sit_down("two")
        person.play(2)
        other = person.client.get(f"/play/{match}")
        cards = re.compile(r'<section class="my-hand".*?</section>', re.DOTALL)
        assert cards.findall(other.text)[0] == cards.findall(person.page.text)[0]
        assert "go on with match" in person.client.get("/play").text


@pytest.mark.slow
def test_others_see_that_a_person_plays_and_get_no_page_of_the_seat(server: LiveServer) -> None:
    with Person(server) as person, Person(server) as stranger:
        match = person.sit_down("two", name="Ada")
        name = next(entrant for entrant in shown(server, match).entrants if entrant.startswith("guest-"))
        assert name == "guest-Ada"
        assert stranger.client.get(f"/play/{match}").url.path == f"/matches/{match}"
        assert stranger.client.get(f"/play/{match}/events").status_code == 409
        info = server.call("GetBot", bots_pb2.GetBotRequest(name=name)).bot
        assert info.person
        listed = server.call("ListBots", bots_pb2.ListBotsRequest()).bots
        assert name not in [bot.name for bot in listed]


@pytest.mark.slow
def test_a_match_that_is_left_is_given_up_and_another_can_begin(server: LiveServer) -> None:
    with Person(server) as person:
        match = person.sit_down("two")
        person.wait()
        refused = person.client.get("/play").text
        fields = {"proof": person.answers()["proof"], "once": "x"}
        assert f"/play/{match}" in refused
        assert person.post(f"/play/{match}/leave", **fields).url.path == "/play"
        assert person.sit_down("two") > match


@pytest.mark.slow
def test_a_hint_says_what_a_house_bot_would_do_and_the_record_says_that_it_was_given(server: LiveServer) -> None:
    with Person(server) as person:
        match = person.sit_down("two")
        person.play(2)
        assert "would choose:" not in person.page.text
        asked = {"proof": proof_in(person.page.text), "number": str(person.number)}
        person.page = person.post(f"/play/{match}/hint", **asked)
        given = re.findall(r'<section class="hint".*?</section>', person.page.text, re.DOTALL)[0]
        assert "would choose:" in given
        assert re.search("points more than|about the same", given)
        again = person.post(f"/play/{match}/hint", **asked).text
        assert given in again, "the same question has the same hint"
        person.answer()
        person.wait()
        assert "would choose:" not in person.page.text
        person.play()
    record = server.record(match)
    assert not LiveServer.verify(record)
    (hinted,) = record.hinted
    mine = [at for at, one in enumerate(record.actions) if one.cause == record_pb2.CAUSE_BOT]
    assert mine.index(hinted) == 2
    assert "at one decision of a person" in server.page(f"/matches/{match}")[1]


@pytest.mark.slow
def test_a_match_of_any_game_of_farfalia_with_house_bots_is_commented_when_asked(server: LiveServer) -> None:
    with Person(server) as person:
        match = person.sit_down("basic")
        person.wait()
        said = '<section class="comments"'
        assert said not in person.page.text
        person.page = person.post(f"/play/{match}/comments", proof=proof_in(person.page.text), comments="yes")
        assert said in person.page.text


def test_a_first_match_is_commented_until_the_comments_are_switched_off(server: LiveServer) -> None:
    comments = re.compile(r'<section class="comments".*?</section>', re.DOTALL)
    with Person(server) as person, Person(server) as other:
        form = person.client.get("/play").text
        hidden = {"proof": proof_in(form), "once": once_in(form)}
        first = dict(re.findall(r'name="(game|opponents|minutes)" value="(\w+)"', form))
        person.page = person.post("/play/begin", **hidden, **first, comments="yes")
        match = int(person.page.url.path.removeprefix("/play/"))
        person.wait()
        assert shown(server, match).ruleset == "two"
        assert "The five subjects in the middle" in person.page.text
        person.play(9)
        (told,) = comments.findall(person.page.text)
        assert "won the last trick with the highest" in told
        assert comments.findall(person.client.get(f"/play/{match}").text) == [told]
        proof = {"proof": proof_in(person.page.text)}
        person.page = person.post(f"/play/{match}/comments", **proof, comments="")
        assert not comments.findall(person.page.text)
        person.page = person.post(f"/play/{match}/comments", **proof, comments="yes")
        assert comments.findall(person.page.text) == [told]
        farrago = other.sit_down("farrago")
        other.wait()
        assert not comments.findall(other.page.text)
        refused = other.post(f"/play/{farrago}/comments", proof=proof_in(other.page.text), comments="yes")
        assert refused.status_code == 409
        assert "Comments are given in games of Farfalia" in refused.text


@pytest.mark.slow
def test_the_one_who_played_sees_what_its_own_decisions_cost(tmp_path: Path) -> None:
    with live_server(tmp_path, analysis_minutes=10, fit_hour=-1) as server, Person(server) as person:
        match = person.sit_down("two")
        person.play()
        assert "Show what my decisions cost" in person.page.text
        once = {"proof": proof_in(person.page.text), "once": once_in(person.page.text)}
        person.page = person.post(f"/play/{match}/prices", **once)
        assert person.page.url.path == f"/play/{match}"
        deadline = time.monotonic() + 4 * PATIENCE  # an analysis has the lowest priority
        while "data-pricing" in person.page.text:
            assert time.monotonic() < deadline, "no prices come"
            time.sleep(0.2)
            person.page = person.client.get(f"/play/{match}")
        assert re.search(r"Your \d+ decisions cost [\d.]+ points each, on average", person.page.text)
        found = person.page.text
        told = person.client.get(f"/api/matches/{match}/analysis").json()
        (mine,) = [seat for seat, who in enumerate(server.record(match).seats) if who.person]
    mistakes = [one for one in told["decisions"] if one["mistake"] and one["seat"] == mine]
    assert found.count("points dearer than") == min(5, len(mistakes))


@pytest.mark.slow
def test_a_killed_server_goes_on_at_the_same_card(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        with Person(server) as person:
            match = person.sit_down("four")
            person.play(5)
            number, hand = person.number, person.page.text
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            server.start()
            with Person(server) as back:
                back.client.cookies = person.client.cookies
                back.page = back.client.get(f"/play/{match}")
                back.wait()
                assert back.number == number
                cards = re.compile(r'name="action" value="(\d+)"')
                assert cards.findall(back.page.text) == cards.findall(hand)
                back.play()
                assert back.state == "over"
        assert not LiveServer.verify(server.record(match))
        assert not server.record(match).incidents
