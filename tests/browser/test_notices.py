"""Notices by the browser. Headless Chromium shows nothing: a recorder in the place of `Notification` keeps what it
would show, so what is tested is what the page asks for, and not what an operating system makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.browser.arena_scene import Player
from tests.browser.chromium import Visit, visiting
from tests.browser.people import become_admin, clean
from tests.server.live import LiveServer, live_server
from tests.server.rawbot import RawBot

from farfalia.v1 import bots_pb2, record_pb2, stages_pb2

GAME = "three-short"
CONTROL = record_pb2.TimeControl(limit_ms=600_000, bank_ms=0, grace=3)
#: Stands for `Notification` in all windows of a browser, with the permission that a test gives.
RECORDER = """permission => {
  window.told = [];
  window.opened = [];
  window.open = (page) => window.opened.push(page);
  window.Notification = class {
    static permission = permission;
    static asked = 0;
    static async requestPermission() {
      this.asked += 1;
      return this.permission;
    }
    constructor(title, options) {
      window.told.push([title, options.body]);
      window.notice = this;
    }
    close() {}
  };
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("notices"), registration="open") as live:
        yield live


@pytest.fixture
def reader(browser: Browser, server: LiveServer) -> Iterator[Visit]:
    with reading(browser, server) as window:
        yield window


@contextmanager
def reading(browser: Browser, server: LiveServer, permission: str = "granted", **more: Any) -> Iterator[Visit]:
    """A browser whose reader has given this permission, or will when asked."""
    with visiting(browser, f"http://{server.http_address}", **more) as window:
        if permission == "granted":
            window.context.grant_permissions(["notifications"])
        window.context.add_init_script(f"({RECORDER})({permission!r})")
        yield window


class Table:
    """A bot that is connected, and plays the matches of tournaments for it as far as it is let."""

    def __init__(self, server: LiveServer, name: str, bot: RawBot, player: Player) -> None:
        self._server, self._name, self._bot, self._player = server, name, bot, player
        self._made = 0

    def begin(self) -> int:
        """The number of a match that has begun, and waits for the bot's first decision."""
        self._player.hold(0)
        names = [self._name, "house-greedy-1", "house-greedy-2"]
        settings: dict[str, Any] = {"control": CONTROL, "ruleset": GAME, "boards": stages_pb2.BOARDS_FRESH}
        self._made = self._server.tournament(names, rounds=1, name=f"Cup of {self._name}", **settings)
        self._bot.until(lambda: self._player.asked)
        return self._server.matches(self._made)[0].id

    def end(self) -> None:
        """Play the match to its end."""
        self._player.hold(10**6)
        self._player.let(self._bot, 0)
        self._server.wait_for(self._made)


@contextmanager
def table(server: LiveServer, name: str, *, clumsy: bool = False) -> Iterator[Table]:
    player = Player(clumsy=clumsy)
    with RawBot(server.grpc_address, server.register(name), rulesets=(GAME,), react=player) as bot:
        bot.until(lambda: bot.messages)
        yield Table(server, name, bot, player)


def switch(page: Page, name: str | re.Pattern[str] = "Notify me") -> Locator:
    """Turn a button with notices on; the page then listens."""
    button = page.get_by_role("button", name=name)
    expect(button).to_have_attribute("aria-pressed", "false")
    with page.expect_request("**/api/matches/events?*"):
        button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    return button


def told(page: Page, notices: int) -> list[list[str]]:
    """Title and text of this number of notices, once there are as many."""
    page.wait_for_function("notices => window.told.length >= notices", arg=notices)
    found: list[list[str]] = page.evaluate("window.told")
    return found


def test_a_bot_is_told_of_in_one_of_two_tabs_and_no_more_once_it_is_off(reader: Visit, server: LiveServer) -> None:
    with table(server, "ant", clumsy=True) as ant:
        page = reader.go("/bots/ant")
        assert page.evaluate("Notification.asked") == 0, "the browser asks after a click only"
        switch(page)
        clean(page)
        other = reader.context.new_page()
        other.goto(f"{reader.address}/bots/ant")
        expect(other.get_by_role("button", name="Notify me")).to_have_attribute("aria-pressed", "true")
        match = ant.begin()
        assert told(page, 1)[0][0] == f"Match {match} has begun"
        ant.end()
        begun, *after = told(page, 3)
        assert begun[1].startswith("Three-short: ")
        found = dict(after)
        assert found.keys() == {f"Match {match} is over", f"Incidents of ant in match {match}"}
        assert re.search(r"\d(st|nd|rd) ant: \d+ points?", found[f"Match {match} is over"])
        assert found[f"Incidents of ant in match {match}"] == "illegal answer, 1 strike"
        page.evaluate("window.notice.onclick()")
        assert page.evaluate("window.opened") == [f"/matches/{match}"]
        assert other.evaluate("window.told") == [], "the other tab tells nothing a second time"
        with other.expect_request("**/api/matches/events?*"):
            page.close()
        match = ant.begin()
        assert told(other, 1)[0][0] == f"Match {match} has begun"
        other.get_by_role("button", name="Notify me").click()
        expect(other.get_by_role("button", name="Notify me")).to_have_attribute("aria-pressed", "false")
        assert other.evaluate("localStorage.getItem('farfalia-notices')") == "[]"
        ant.end()
        other.wait_for_timeout(2000)  # as long as a look takes, twice
        assert len(other.evaluate("window.told")) == 1


def test_a_match_is_told_of_until_it_is_over(reader: Visit, server: LiveServer) -> None:
    with table(server, "bee") as bee:
        match = bee.begin()
        page = reader.go(f"/matches/{match}")
        switch(page)
        clean(page)
        bee.end()
        assert [title for title, _ in told(page, 1)] == [f"Match {match} is over"]
        page.wait_for_function("() => localStorage.getItem('farfalia-notices') === '[]'")


def test_bots_with_a_star_are_told_of_on_the_front_page_in_its_language(browser: Browser, server: LiveServer) -> None:
    with table(server, "cat") as cat, reading(browser, server, locale="it-IT") as window:
        page = window.go("/")
        assert not [one for one in window.finished if "notices.js" in one.url], "who follows no bot loads nothing"
        window.go("/bots/cat").locator("[data-star]").click()
        switch(window.go("/"), "Avvisami")
        clean(page)
        match = cat.begin()
        assert told(page, 1)[0][0] == f"La partita {match} è iniziata"
        cat.end()
        assert told(page, 2)[1][0] == f"La partita {match} è finita"
        server.call("ModerateBot", bots_pb2.ModerateBotRequest(name="cat", suspended=True, reason="rest"))
        assert told(page, 3)[2][0] == "cat è sospeso"
        page.evaluate("window.notice.onclick()")
        assert page.evaluate("window.opened") == ["/bots/cat"]


def test_an_organiser_is_told_of_the_incidents_of_a_tournament_alone(browser: Browser, server: LiveServer) -> None:
    with table(server, "dog", clumsy=True) as dog, reading(browser, server) as window:
        match = dog.begin()
        become_admin(window, "helga")
        page = window.go("/account/tournaments")
        switch(page, "Notify me of incidents Cup of dog")
        clean(page)
        dog.end()
        assert told(page, 1) == [[f"Incidents of dog in match {match}", "illegal answer, 1 strike"]]


def test_who_has_denied_it_reads_where_to_allow_it(browser: Browser, server: LiveServer) -> None:
    server.register("eel")
    with reading(browser, server, "denied") as window:
        page = window.go("/bots/eel")
        page.get_by_role("button", name="Notify me").click()
        expect(page.get_by_text("Your browser blocks notices of this site.")).to_be_visible()
        expect(page.get_by_role("button", name="Notify me")).to_have_attribute("aria-pressed", "false")
        clean(page)
    with visiting(browser, f"http://{server.http_address}") as window:
        window.context.add_init_script("delete window.Notification")
        page = window.go("/bots/eel")
        expect(page.get_by_role("button", name="Follow")).to_be_visible()
        expect(page.get_by_role("button", name="Notify me")).to_have_count(0)
