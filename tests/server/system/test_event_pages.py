"""Events in a browser without scripts: made, published, joined, run by their own organisers, and closed."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from datetime import UTC
from html import unescape

import icalendar
import pytest
from tests.server.live import ADMIN, LiveServer, live_server, until
from tests.server.rawbot import RawBot
from tests.server.system.form_browser import PASSWORD, Browser, browser, heading, other

from farfalia.v1 import accounts_pb2, bots_pb2, events_pb2, ladders_pb2

__all__ = ["browser", "other"]

CHANGED = {
    "event": "course",
    "title": "Card bots",
    "about": "Two lines\nabout it.",
    "zone": "Europe/Rome",
    "starts": "2031-07-01T09:00",
    "freezes": "2031-06-30T20:00",
    "rated_on": "own",
    "bots": "2",
    "versions": "0",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("events"), registration="open") as live:
        yield live
    assert "Traceback" not in live.log()


@pytest.fixture(scope="module")
def otto(server: LiveServer) -> Iterator[Browser]:
    """The organiser of a published event `course`."""
    with Browser(server) as otto:
        assert otto.send("admin", name="otto", password=PASSWORD, token=ADMIN).status_code == 303
        made = otto.send("events/create", name="course", title="A course", zone="Europe/Rome")
        assert (made.status_code, made.headers["location"]) == (303, "/account/events?event=course")
        assert "This is a draft" in otto.client.get("/account/events?event=course").text
        assert otto.client.get("/events/course").status_code == 404
        assert otto.send("events/publish", event="course").status_code == 303
        assert otto.send("events/change", **CHANGED).status_code == 303
        yield otto


def event(server: LiveServer, name: str = "course") -> events_pb2.GetEventResponse:
    answer = server.call("GetEvent", events_pb2.GetEventRequest(name=name))
    assert isinstance(answer, events_pb2.GetEventResponse)
    return answer


def test_what_is_saved_stands_in_the_form_and_on_the_page(server: LiveServer, otto: Browser) -> None:
    form = otto.client.get("/account/events?event=course").text
    for name in ("starts", "freezes", "title", "zone", "bots"):
        assert f'value="{CHANGED[name]}"' in form
    shown = event(server).event
    starts = shown.times.starts.ToDatetime(UTC)
    assert (f"{starts:%Y-%m-%d %H:%M}", shown.rated_on) == ("2031-07-01 07:00", events_pb2.RATED_ON_OWN)
    until(lambda: "versions are pinned: 2031-06-30 20:00 Europe/Rome" in otto.client.get("/").text)
    page = otto.client.get("/events/course").text
    assert "2031-07-01 09:00 Europe/Rome" in page
    assert 'datetime="2031-07-01T07:00:00+00:00"' in page
    assert page.index("versions are pinned") < page.index("start:")
    calendar = icalendar.Calendar.from_ical(otto.client.get("/events/course/calendar.ics").text)
    entries = {str(one["summary"]): one["dtstart"].to_ical() for one in calendar.walk("VEVENT")}
    names = {str(one["uid"]).partition("@")[0]: str(one["uid"]) for one in calendar.walk("VEVENT")}
    assert set(names) == {"freezes", "starts"}
    assert all(uid.endswith("/events/course") for uid in names.values()), "those of two events are told apart"
    assert entries == {
        "Card bots: versions are pinned": b"20310630T180000Z",
        "Card bots: start": b"20310701T070000Z",
    }


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("starts", "tomorrow", "expected a time such as 2026-12-01 09:00"),
        ("ends", "2031-01-01T00:00", "expected nothing before freezes"),
        ("zone", "Mars", "expected a time zone such as Europe/Rome"),
        ("bots", "many", "expected a whole number"),
        ("about", "x" * 2001, "expected at most 2000"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_nothing_changes(
    server: LiveServer, otto: Browser, field: str, text: str, said: str
) -> None:
    before = event(server)
    answer = otto.send("events/change", **{**CHANGED, "title": "Another", field: text})
    assert answer.status_code == 400
    wrong = re.search(rf'id="change-{field}-wrong" class="wrong">(.*?)</strong>', answer.text)
    assert wrong
    assert said in unescape(wrong[1])
    assert 'value="Another"' in answer.text
    assert event(server) == before


def test_somebody_comes_with_a_code_and_enters_a_bot(server: LiveServer, otto: Browser, browser: Browser) -> None:
    assert otto.send("events/change", **CHANGED, by_invitation="yes").status_code == 303
    invited = otto.send("events/invite", event="course", uses="1", note="class 3b")
    (code,) = re.findall(r"account\?code=([\w-]+)", invited.text)
    assert f"/account/events?join=course&amp;code={code}" in invited.text
    browser.sign_up("ada")
    browser.send("new-bot", name="ant")
    refused = browser.send("events/join", event="course")
    assert (refused.status_code, "takes members by invitation" in refused.text) == (403, True)
    form = browser.client.get(f"/account/events?join=course&code={code}").text
    assert f'value="{code}"' in form
    joined = browser.send("events/join", event="course", invitation=code)
    assert (joined.status_code, joined.headers["location"]) == (303, "/events/course")
    assert otto.send("events/member", event="course", account="ada", team="Red").status_code == 303
    for text in (">ada<", "Red", 'href="/bots/ant"'):
        until(lambda: text in browser.client.get("/events/course").text)  # noqa: B023
    rows = list(csv.DictReader(browser.client.get("/api/events/course?format=csv").text.splitlines()))
    assert [(row["account"], row["team"]) for row in rows] == [("ada", "Red"), ("otto", "")]
    shown = browser.client.get("/api/events/course").json()
    assert [(one["account"], one["team"]) for one in shown["members"]] == [("ada", "Red"), ("otto", "")]
    assert browser.send("events/leave", event="course").status_code == 303
    assert [one.account for one in event(server).members] == ["otto"]


def test_a_sheet_has_a_slip_with_a_code_for_each_team(server: LiveServer, otto: Browser) -> None:
    form = {"event": "course", "codes": "40", "uses": "3", "note": "teams", "once": "a"}
    sheet = otto.send("events/invite", **form).text
    codes = re.findall(r"account\?code=([\w-]+)</code>", sheet)
    assert len(set(codes)) == len(codes) == 40
    again = otto.send("events/invite", **form).text
    assert re.findall(r"account\?code=([\w-]+)</code>", again) == codes, "a second click makes no other codes"
    assert sheet.count("<svg") == 40
    assert "Invitation to Card bots" in sheet
    made = server.call("ListInvitations", accounts_pb2.ListInvitationsRequest(event="course")).invitations
    assert sum(one.note == "teams" and one.uses == 3 for one in made) == 40
    refused = otto.send("events/invite", event="course", codes="101")
    assert (refused.status_code, "expected at most 100" in refused.text) == (400, True)


def test_an_organiser_of_an_event_alone_runs_it_from_the_desk(
    server: LiveServer, otto: Browser, browser: Browser
) -> None:
    browser.sign_up("tina")
    assert browser.client.get("/account/tournaments").status_code == 403
    assert otto.send("events/member", event="course", account="tina", role="organiser").status_code == 303
    assert 'href="/account/tournaments"' in browser.client.get("/account").text
    assert 'href="/account/tournaments/draft' in browser.client.get("/account/tournaments").text
    assert browser.send("tournaments/draft/begin", name="Cup", event="arena").status_code == 403
    begun = browser.send("tournaments/draft/begin", name="Cup", event="course")
    assert begun.status_code == 303
    draft = begun.headers["location"].partition("draft=")[2].partition("&")[0]
    bots = "house-greedy-1 house-cautious-1 house-random-1 house-random-2"
    steps = {"game": {"name": "Cup", "ruleset": "four"}, "format": {"rounds": "1"}, "field": {"bots": bots}}
    for revision, (step, fields) in enumerate(steps.items(), 1):
        saved = browser.send(f"tournaments/draft/{step}", draft=draft, revision=str(revision), **fields)
        assert saved.status_code == 303
    assert browser.send("tournaments/draft/publish", draft=draft, revision="4").status_code == 303
    (number,) = event(server).tournaments
    assert server.show(number).ladder == "course-four"
    assert 'href="/events/course"' in browser.client.get(f"/tournaments/{number}").text
    assert browser.send("tournaments/start", tournament=str(number)).status_code == 303
    server.wait_for_matches(number)
    until(lambda: 'href="/ladders/course-four"' in browser.client.get("/events/course").text)
    assert browser.client.get("/ladders/course-four").status_code == 200


def test_what_was_done_is_a_page_and_a_table(server: LiveServer, otto: Browser, browser: Browser) -> None:
    page = otto.client.get("/account/events/log?event=course").text
    assert "published" in page
    rows = list(
        csv.DictReader(otto.client.get("/account/events/log?event=course&who=otto&format=csv").text.splitlines())
    )
    assert [(row["kind"], row["who"]) for row in rows][:2] == [
        ("ACT_KIND_CREATE", "otto"),
        ("ACT_KIND_PUBLISH", "otto"),
    ]
    assert browser.client.get("/account/events/log").status_code == 303
    browser.sign_up("nosy")
    assert browser.client.get("/account/events/log?event=course").status_code == 403


def test_an_event_is_closed_once_somebody_has_said_that_it_is_meant(server: LiveServer, otto: Browser) -> None:
    otto.send("events/create", name="short", title="Short")
    otto.send("events/publish", event="short")
    ladder = ladders_pb2.Ladder(ruleset="two", event="short")
    server.call("OpenLadder", ladders_pb2.OpenLadderRequest(ladder=ladder))
    assert heading(otto.send("events/close", event="short").text) == "Close Short?"
    assert event(server, "short").event.state == events_pb2.EVENT_STATE_PUBLISHED
    assert otto.send("events/close", event="short", sure="yes").status_code == 303
    assert event(server, "short").event.state == events_pb2.EVENT_STATE_CLOSED
    assert not server.call("ListLadders", ladders_pb2.ListLaddersRequest()).ladders
    desk = otto.client.get("/account/events?event=short").text
    assert "This event is closed" in desk
    assert set(re.findall(r'action="/account/events/(\w+)"', desk)) == {"announce"}, "nothing that would be refused"
    late = otto.send("events/member", event="short", account="otto")
    assert (late.status_code, "is closed, so nothing in it changes" in late.text) == (409, True)
    made = otto.send("events/create", name="short-27", like="short")
    assert made.status_code == 303
    assert event_title(otto, "short-27") == "Short"


def event_title(otto: Browser, name: str) -> str:
    return heading(otto.client.get(f"/account/events?event={name}").text)


def test_an_owner_sees_why_a_bot_of_its_cannot_connect(server: LiveServer, browser: Browser) -> None:
    browser.sign_up("crowd")
    for name in ("crowd1", "crowd2"):
        browser.send("new-bot", name=name)
    token = server.call("RotateToken", bots_pb2.RotateTokenRequest(name="crowd1")).token
    arena = server.call("GetEvent", events_pb2.GetEventRequest(name="arena")).event

    def capped(most: int) -> None:
        arena.caps.connections, arena.revision = most, 0
        server.call("ChangeEvent", events_pb2.ChangeEventRequest(event=arena))

    capped(1)
    assert "You may have 1 connected at a time in arena. Now: none." in browser.client.get("/account").text
    with RawBot(server.grpc_address, token) as bot:
        bot.until(lambda: bot.messages)
        page = browser.client.get("/account").text
        assert "Now: crowd1. Another one gets in when one of them ends." in page
        desk = browser.client.get("/account/bot", params={"name": "crowd2"}).text
        assert "It cannot connect now: its owner or team may have 1 connected at a time in arena" in desk
        assert "cannot connect now" not in browser.client.get("/account/bot", params={"name": "crowd1"}).text
    capped(0)
    assert "connected at a time" not in browser.client.get("/account").text
