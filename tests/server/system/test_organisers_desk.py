"""Tournaments at the organiser's desk: drafts by the steps, and what is done to those that are published."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import httpx
import pytest
from tests.server.live import ADMIN, LiveServer, live_server
from tests.server.system.form_browser import PASSWORD, Browser, browser, heading

from farfalia.v1 import tournaments_pb2

__all__ = ["browser"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("desk"), registration="open") as live:
        yield live
    assert "Traceback" not in live.log()


class Drafting:
    """A draft that somebody has begun in a browser."""

    def __init__(self, browser: Browser, name: str, address: str = "") -> None:
        self.browser = browser
        begun = address or browser.send("tournaments/draft/begin", name=name, event="arena").headers["location"]
        self.address = begun.partition("&")[0]

    def text(self, step: str) -> str:
        """The page of a step."""
        return " ".join(self.browser.client.get(f"{self.address}&step={step}").raise_for_status().text.split())

    def page(self) -> dict[str, str]:
        """What every form of the draft has in it: its number and its revision."""
        fields = re.findall(r'name="(draft|revision)" value="(\d+)"', self.text("format"))
        return dict(fields)

    def put(self, step: str, **fields: str) -> httpx.Response:
        """Send a step as it is filled in."""
        return self.browser.send(f"tournaments/draft/{step}", **self.page(), **fields)


def test_an_organiser_runs_a_tournament(server: LiveServer, browser: Browser) -> None:
    browser.send("admin", name="tina", password=PASSWORD, token=ADMIN)
    server.register("away")  # nothing is over before it is paused
    bots = ["away", *(f"house-{name}-1" for name in ("greedy", "cautious", "random"))]
    draft = Drafting(browser, "Cup")
    draft.put("game", name="Cup", ruleset="four")
    draft.put("format", rounds="20")
    draft.put("field", bots="\n".join(bots), knowledge="this tournament alone")
    assert "<dt>Probabilities start from</dt><dd>this tournament alone</dd>" in draft.text("publish")
    made = browser.send("tournaments/draft/publish", **draft.page())
    assert (made.status_code, made.headers["location"]) == (303, "/account/tournaments")
    (row,) = server.call("ListTournaments", tournaments_pb2.ListTournamentsRequest()).tournaments
    number = str(row.id)
    assert row.alone
    assert "A nonce has come from 0 of 1 bots" in browser.client.get("/account/tournaments").text
    for act, paused in (("start", False), ("pause", True), ("resume", False)):
        assert browser.send(f"tournaments/{act}", tournament=number).status_code == 303
        assert server.show(row.id).HasField("pause") == paused
        assert ("Paused by tina" in browser.client.get("/account/tournaments").text) == paused
    assert heading(browser.send("tournaments/cancel", tournament=number).text) == "Cancel Cup?"
    assert browser.send("tournaments/cancel", tournament=number, sure="yes", reason="it rains").status_code == 303
    assert "cancelled: it rains" in browser.client.get("/account/tournaments").text


def test_each_form_of_the_desk_names_the_tournaments_that_it_is_for(server: LiveServer, browser: Browser) -> None:
    browser.send("admin", name="nora", password=PASSWORD, token=ADMIN)
    bots = ["house-greedy-1", "house-random-1"]
    planned, over = (server.tournament(bots, name=name, ruleset="two", start=name == "Old") for name in ("New", "Old"))
    server.wait_for(over)
    page = browser.client.get("/account/tournaments").text
    named = {
        form: re.findall(r'<option value="(\d+)"[^>]*>\1 (Old|New)<', chosen)
        for form, chosen in re.findall(r'<select id="(\w+)-tournament".*? required>(.*?)</select>', page)
    }
    new, old = (str(planned), "New"), (str(over), "Old")
    for form, there, missing in (
        ("schedule", new, old),
        ("enter", new, old),
        ("replace", new, old),
        ("void", old, new),
    ):
        assert there in named[form]
        assert missing not in named[form]


def test_an_organiser_replaces_a_bot_after_reading_what_that_means(server: LiveServer, browser: Browser) -> None:
    browser.send("admin", name="rita", password=PASSWORD, token=ADMIN)
    for name in ("wrong-bot", "right-bot"):
        server.register(name)
    number = server.tournament(["wrong-bot", "house-greedy-1"], name="Swap", ruleset="two", rounds=3, start=False)

    def entrants() -> list[str]:
        return [row.entrant for row in server.show(number).standings]

    fields = {"tournament": str(number), "former": "wrong-bot", "bot": "right-bot"}
    asked = browser.send("tournaments/replace", **fields)
    assert heading(asked.text) == "Replace wrong-bot by right-bot?"
    assert "right-bot gets the place of wrong-bot in the field and its seeding." in asked.text
    assert entrants() == ["wrong-bot", "house-greedy-1"]
    assert browser.send("tournaments/replace", **fields, sure="yes").status_code == 303
    assert entrants() == ["right-bot", "house-greedy-1"]
    browser.send("tournaments/start", tournament=str(number))
    asked = browser.send("tournaments/replace", tournament=str(number), former="right-bot", bot="wrong-bot")
    assert "wrong-bot plays all matches of right-bot that have not begun." in asked.text
    refused = browser.send("tournaments/replace", **fields, sure="yes")
    assert (refused.status_code, "rong-bot has not entered tournament" in refused.text) == (404, True)
    assert 'value="wrong-bot"' in refused.text, "what was typed stays"


def test_an_organiser_sees_what_to_expect_and_which_lines_are_wrong(server: LiveServer, browser: Browser) -> None:
    browser.send("admin", name="planner", password=PASSWORD, token=ADMIN)
    server.register("known")
    draft = Drafting(browser, "Spring Cup")
    assert draft.put("game", name="Spring Cup", ruleset="four").headers["location"].endswith("&step=format")
    assert (
        draft.put("format", rounds="10", entrants_expected="4", go="stay").headers["location"].endswith("&step=format")
    )
    assert "10 matches" in draft.text("format")
    assert 'value="Spring Cup"' in draft.text("game")
    made = server.call("ListTournaments", tournaments_pb2.ListTournamentsRequest()).tournaments
    assert "Spring Cup" not in [one.name for one in made]
    for bots, said in (
        ("known\nunknown-1\nknown-too", "ine 2: there is no bot unknown-1; line 3: there is no bot known-too"),
        ("known\n!\nknown", "is not a valid bot name; line 3: known is already named in line 1"),
    ):
        refused = draft.put("field", bots=bots, ladder="-")
        assert (refused.status_code, said in unescape(refused.text)) == (400, True), refused.text
        assert bots in unescape(refused.text), "what was typed stays"
    for step, field, value, more in (
        ("game", "options", "target", {"name": "Spring Cup", "ruleset": "four"}),
        ("game", "options", "target=x", {"name": "Spring Cup", "ruleset": "four"}),
        ("game", "limit_ms", "9", {"name": "Spring Cup", "bank_ms": "", "ruleset": "four"}),
        ("game", "name", "", {"ruleset": "four"}),
        ("format", "stages", "swiss:rounds=x", {}),
        ("format", "rounds", "many", {}),
        ("field", "at", "2020-01-01T09:00", {"begins": "at a time"}),
        ("field", "at", "2099-01-01T09:00", {"begins": "by hand"}),
        ("field", "ladder", "nowhere", {}),
    ):
        wrong = draft.put(step, **{field: value}, **more)
        beside = "bank_ms" if field == "limit_ms" else field
        assert (wrong.status_code, f'id="{step}-{beside}-wrong"' in wrong.text) == (400, True), (field, value)
        assert f'value="{value}"' in wrong.text or value in wrong.text, "what was typed stays"
    wrong = browser.send("tournaments/draft/publish", **draft.page())
    assert (wrong.status_code, 'id="field-bots-wrong"' in wrong.text) == (400, True), "said where it can be mended"


def test_a_draft_is_saved_once_by_a_double_click_and_in_two_tabs(server: LiveServer, browser: Browser) -> None:
    browser.send("admin", name="dolly", password=PASSWORD, token=ADMIN)
    begin = {"name": "Double", "event": "arena", "once": "a"}
    first, second = (browser.send("tournaments/draft/begin", **begin) for _ in range(2))
    assert first.headers["location"] == second.headers["location"]
    draft = Drafting(browser, "", first.headers["location"])
    tab = draft.page()
    for _ in range(2):
        saved = browser.send("tournaments/draft/format", **tab, rounds="3", once="b")
        assert saved.status_code == 303
    late = browser.send("tournaments/draft/format", **tab, rounds="7", once="c")
    assert late.status_code == 409
    assert "rounds is '3', you have '7'" in unescape(late.text)
    assert 'value="7"' in late.text, "what was typed stays"
    assert draft.put("format", rounds="7").status_code == 303
    stale = browser.send("tournaments/draft/publish", **tab, once="d")
    assert (stale.status_code, "meanwhile" in stale.text) == (409, True)
    draft.put("field", bots="house-greedy-1")
    page = draft.page()
    for _ in range(2):
        assert browser.send("tournaments/draft/publish", **page, once="e").status_code == 303
    made = server.call("ListTournaments", tournaments_pb2.ListTournamentsRequest()).tournaments
    assert [one.rounds for one in made if one.name == "Double"] == [7]
    again = browser.client.get(draft.address)
    assert again.headers["location"].startswith("/tournaments/"), "its address leads to the tournament"
    assert browser.send("tournaments/draft/format", **page, rounds="9").status_code == 409


def test_a_draft_is_dropped_once_somebody_has_said_so(browser: Browser) -> None:
    browser.send("admin", name="dana", password=PASSWORD, token=ADMIN)
    draft = Drafting(browser, "Gone")
    page = draft.page()
    assert heading(browser.send("tournaments/draft/drop", **page).text) == "Drop Gone?"
    assert "Gone" in browser.client.get("/account/tournaments").text
    assert browser.send("tournaments/draft/drop", **page, sure="yes").status_code == 303
    assert "Gone" not in browser.client.get("/account/tournaments").text
    assert browser.client.get(draft.address).status_code == 404


def test_an_organiser_takes_a_result_out(server: LiveServer, browser: Browser) -> None:
    browser.send("admin", name="vic", password=PASSWORD, token=ADMIN)
    house = [f"house-{name}-1" for name in ("greedy", "cautious", "random")]
    number = server.tournament([*house, "house-greedy-2"], rounds=2, ruleset="four", unrated=True)
    match = server.wait_for_matches(number)[0].id
    asked = {"tournament": f"{number}", "reason": "a wrong deck"}
    assert browser.send("tournaments/void", **asked, matches="one").status_code == 400
    refused = browser.send("tournaments/void", **asked, matches=f"{match}", replay="yes")
    assert (refused.status_code, 'role="alert"' in refused.text) == (409, True), "its secret is public by now"
    assert browser.send("tournaments/void", **asked, matches=f"{match}").status_code == 303
    assert "a wrong deck" in browser.client.get(f"/tournaments/{number}").text
