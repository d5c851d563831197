"""People who come by a browser: a stranger signs up, has a bot playing, and finds what was refused."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.chromium import Visit, visiting
from tests.browser.people import PASSWORD, become_admin, clean, sign_up
from tests.server.live import LiveServer, live_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("accounts"), registration="open") as live:
        yield live


@pytest.fixture
def window(browser: Browser, server: LiveServer) -> Iterator[Visit]:
    with visiting(browser, f"http://{server.http_address}") as window:
        yield window
        # What a form refuses has a status of its own, and no other fault may be there.
        window.faults[:] = [fault for fault in window.faults if not re.search(r"\b(400|401|409)\b", fault)]


def test_a_stranger_has_a_bot_online_that_the_page_shows(window: Visit, tmp_path: Path) -> None:
    page = sign_up(window, "stella")
    expect(page.get_by_role("heading", level=1)).to_have_text("stella")
    page.get_by_label("Name", exact=True).fill("star")
    page.get_by_role("button", name="Register").click()
    pasted = page.get_by_label("How to start the bot")
    lines = dict(re.findall(r"export (\w+)=(\S+)", pasted.inner_text()))
    clean(page)
    bot = tmp_path / "mybot.py"
    bot.write_text(
        "import farfalia\n\n\nclass Miser(farfalia.Bot):\n    def play(self, view):\n"
        "        return min(view.legal, key=lambda card: card % 13)\n\n\nfarfalia.run(Miser())\n"
    )
    assert lines.keys() == {"FARFALIA_SERVER", "FARFALIA_TOKEN"}
    with subprocess.Popen([sys.executable, bot], env=os.environ | lines) as ran:
        try:
            page.get_by_role("link", name="Your account shows when it is connected").click()
            expect(page.get_by_role("row", name="star")).to_contain_text("not connected")
            expect(page.get_by_role("row", name="star").get_by_text("connected", exact=True)).to_be_visible()
            # Its owner sees it play at once.
            page.get_by_role("link", name="A match at once").click()
            expect(page.get_by_label("Game")).to_have_value("chinkway")
            expect(page.get_by_label("Seat 1")).to_have_value("star")
            page.get_by_role("button", name="Play", exact=True).click()
            expect(page.get_by_role("heading", level=1)).to_contain_text("Match")
        finally:
            ran.kill()


def test_the_page_of_an_account_is_for_everybody(window: Visit) -> None:
    clean(window.go("/account"))
    page = sign_up(window, "vera")
    for name in ("one", "a-name-of-forty-characters-as-they-may-be-"[:40]):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Register").click()
        page.get_by_role("link", name="Your account").click()
    clean(page)


def test_what_is_wrong_stands_beside_its_field(window: Visit) -> None:
    page = sign_up(window, "no spaces please")
    field = page.get_by_role("form", name="Make an account").get_by_label("Name")
    expect(field).to_have_value("no spaces please")
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description(re.compile("expected 1 to 40 letters"))
    clean(page)
    field.fill("wilma")
    page.get_by_role("form", name="Make an account").get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("wilma")


def test_the_back_button_after_signing_out_shows_nothing_private(window: Visit) -> None:
    page = sign_up(window, "bertha")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("bertha")


def test_everything_is_done_by_keyboard(window: Visit) -> None:
    page = window.go("/account")
    page.get_by_role("form", name="Make an account").get_by_label("Name").focus()
    for text in ("kim", PASSWORD):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("kim")


def test_an_organiser_invites_a_class_without_a_shell(window: Visit) -> None:
    page = become_admin(window, "otto")
    page.get_by_role("link", name="People").click()
    page.get_by_label("What for").fill("class 3b")
    page.get_by_label("Accounts that a code may make").fill("30")
    page.get_by_role("button", name="Make codes").click()
    clean(page)
    address = page.get_by_label("The address", exact=True).inner_text()
    assert "?code=" in address
    page.get_by_role("link", name="People").click()
    expect(page.get_by_role("row", name="class 3b")).to_contain_text("0 of 30")
    clean(page)
    page.get_by_role("button", name="Ban … otto").click()
    clean(page)
    page.get_by_role("link", name="Leave it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("People")


def test_an_organiser_runs_a_tournament_without_a_shell(window: Visit) -> None:
    page = become_admin(window, "tina")
    page.get_by_role("main").get_by_role("link", name="Tournaments").click()
    page.get_by_role("link", name="Create a tournament").click()
    page.get_by_label("Name", exact=True).fill("Cup")
    page.get_by_role("button", name="Create a draft").click()
    page.get_by_label("Game", exact=True).select_option("four")
    page.get_by_role("button", name="Save and go on").click()
    rounds = page.get_by_label("Rounds", exact=True)
    rounds.fill("two")
    page.get_by_role("button", name="Save and go on").click()
    expect(rounds).to_have_accessible_description(re.compile("expected a whole number"))
    rounds.fill("2")
    page.get_by_role("button", name="Save and go on").click()
    page.get_by_label("Entrants", exact=True).fill("house-greedy-1\nhouse-random-1, house-cautious-1")
    page.get_by_role("button", name="Save and go on").click()
    page.get_by_role("button", name="Publish").click()
    row = page.get_by_role("row", name="Cup")
    expect(row).to_contain_text("planned")
    clean(page)
    row.get_by_role("button", name="Cancel … Cup").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Cancel Cup?")
    clean(page)
    page.get_by_role("link", name="Leave it").click()
    row.get_by_role("button", name="Start Cup").click()
    row.get_by_role("link", name="Cup").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Cup")
