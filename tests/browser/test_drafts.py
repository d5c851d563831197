"""An organiser makes a tournament step by step, with the keyboard alone; two organisers change one draft."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.browser.chromium import Visit, visiting
from tests.browser.people import become_admin, clean
from tests.server.live import LiveServer, live_server

from farfalia.v1 import tournaments_pb2

#: Most presses of a key until something must have the focus.
_MOST = 60


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("drafts"), registration="open") as live:
        yield live


@pytest.fixture
def window(browser: Browser, server: LiveServer) -> Iterator[Visit]:
    with visiting(browser, f"http://{server.http_address}") as window:
        yield window
        # What a form refuses has a status of its own, and no other fault may be there.
        window.faults[:] = [fault for fault in window.faults if not re.search(r"\b(400|403|409)\b", fault)]


def reach(page: Page, wanted: Locator) -> None:
    """Press the tabulator key until something has the focus."""
    for _ in range(_MOST):
        if wanted.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached with the keyboard")


def type_into(page: Page, label: str, text: str) -> None:
    reach(page, page.get_by_label(label, exact=True))
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


def press(page: Page, name: str) -> None:
    reach(page, page.get_by_role("button", name=name, exact=True))
    page.keyboard.press("Enter")


def on_step(page: Page, number: int, title: str) -> None:
    here = page.get_by_role("navigation", name="Steps").locator("[aria-current=step]")
    expect(here).to_have_text(f"{number} {title}")


def test_a_tournament_is_made_with_the_keyboard_alone(window: Visit, server: LiveServer) -> None:
    page = become_admin(window, "otto")
    page.goto(f"{window.address}/account/tournaments")
    reach(page, page.get_by_role("link", name="Create a tournament"))
    page.keyboard.press("Enter")
    clean(page)
    type_into(page, "Name", "Finals")
    page.keyboard.press("Enter")

    on_step(page, 1, "Game and clock")
    clean(page)
    reach(page, page.get_by_label("Game", exact=True))
    page.keyboard.type("two")
    type_into(page, "Milliseconds for a decision", "500")
    press(page, "Save and go on")
    expect(page.get_by_label("Milliseconds in the time bank of a match")).to_have_accessible_description(
        re.compile("expected all three")
    )
    expect(page.get_by_label("Game", exact=True)).to_have_value("two")
    clean(page)
    type_into(page, "Milliseconds in the time bank of a match", "1000")
    type_into(page, "Strikes that a seat survives", "3")
    press(page, "Save and go on")

    on_step(page, 2, "Format")
    clean(page)
    type_into(page, "Entrants that you expect", "2")
    type_into(page, "Rounds", "4")
    press(page, "Save and see what to expect")
    expect(page.get_by_role("region", name="What to expect")).to_contain_text("4 matches")
    expect(page.get_by_role("region", name="What to expect")).to_contain_text("Min. difference")
    clean(page)
    page.go_back()
    page.go_back()
    on_step(page, 1, "Game and clock")
    expect(page.get_by_label("Milliseconds for a decision")).to_have_value("500")
    page.go_forward()
    press(page, "Save and go on")

    on_step(page, 3, "Entrants and start")
    clean(page)
    type_into(page, "Entrants", "house-greedy-1, nobody")
    press(page, "Save and go on")
    expect(page.get_by_label("Entrants", exact=True)).to_have_accessible_description(
        re.compile("there is no bot nobody")
    )
    clean(page)
    type_into(page, "Entrants", "house-greedy-1, house-random-1")
    press(page, "Save and go back")
    on_step(page, 2, "Format")
    press(page, "Save and go on")
    expect(page.get_by_label("Entrants", exact=True)).to_have_value("house-greedy-1\nhouse-random-1")
    press(page, "Save and close")
    expect(page.get_by_role("row", name="Finals")).to_contain_text("otto")
    clean(page)
    assert not server.call("ListTournaments", tournaments_pb2.ListTournamentsRequest()).tournaments

    reach(page, page.get_by_role("link", name="Go on Finals"))
    page.keyboard.press("Enter")
    for _ in range(3):
        press(page, "Save and go on")
    on_step(page, 4, "Summary")
    clean(page)
    press(page, "Publish")
    press(page, "Start Finals")
    expect(page.get_by_role("row", name="Finals")).to_contain_text(re.compile("running|finished"))
    (made,) = server.call("ListTournaments", tournaments_pb2.ListTournamentsRequest()).tournaments
    assert (made.name, made.ruleset, made.rounds, made.time_control.limit_ms) == ("Finals", "two", 4, 500)
    assert made.state != tournaments_pb2.TOURNAMENT_STATE_PLANNED


def test_two_who_change_one_draft_lose_nothing(window: Visit, browser: Browser, server: LiveServer) -> None:
    mine = become_admin(window, "ottilie")
    mine.goto(f"{window.address}/account/tournaments/draft")
    mine.get_by_label("Name", exact=True).fill("Cup of two")
    mine.get_by_role("button", name="Create a draft").click()
    with visiting(browser, f"http://{server.http_address}") as other:
        theirs = become_admin(other, "tina")
        theirs.goto(mine.url.replace("step=game", "step=format"))
        mine.goto(mine.url.replace("step=game", "step=format"))
        theirs.get_by_label("Rounds", exact=True).fill("6")
        theirs.get_by_role("button", name="Save and go on").click()
        on_step(theirs, 3, "Entrants and start")
        mine.get_by_label("Rounds", exact=True).fill("9")
        mine.get_by_label("Entrants that you expect", exact=True).fill("12")
        mine.get_by_role("button", name="Save and go on").click()
        on_step(mine, 2, "Format")
        alert = mine.get_by_role("alert")
        expect(alert).to_contain_text("Tina has changed draft", ignore_case=True)
        expect(alert).to_contain_text("rounds is '6', you have '9'")
        expect(mine.get_by_label("Rounds", exact=True)).to_have_value("9")
        expect(mine.get_by_label("Entrants that you expect", exact=True)).to_have_value("12")
        clean(mine)
        theirs.reload()
        theirs.goto(theirs.url.replace("step=field", "step=format"))
        expect(theirs.get_by_label("Rounds", exact=True)).to_have_value("6")
        mine.get_by_role("button", name="Save and go on").click()
        theirs.reload()
        expect(theirs.get_by_label("Rounds", exact=True)).to_have_value("9")
        other.faults[:] = [fault for fault in other.faults if not re.search(r"\b(400|403|409)\b", fault)]
