"""A first match with comments, and decisions that are taken back, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from tests.browser.chromium import violations, visiting
from tests.browser.people import clean
from tests.browser.ways import asked
from tests.server.live import live_server

TAKE_BACK = "Take back my last decision"
#: Where an element is on its page, and how high.
PLACE = "(one) => [one.offsetTop, one.offsetHeight]"


def choose(page: Page, number: int) -> int:
    """Take the first choice on the stage, and return the number of the next question."""
    choice = page.locator(".felt .may, .stage .choices button:not([aria-disabled=true])").first
    expect(choice).to_be_visible()
    choice.click()
    return asked(page, number)


def begin(page: Page) -> int:
    page.get_by_role("button", name="Your first match, with comments").click()
    page.wait_for_url(re.compile(r"/play/\d+$"))
    return asked(page)


def test_comments_stand_beside_the_table_and_move_nothing(browser: Browser, tmp_path: Path) -> None:
    with (
        live_server(tmp_path) as server,
        visiting(browser, f"http://{server.http_address}", width=1366, height=768) as window,
    ):
        page = window.go("/play")
        assert violations(page) == []
        number = begin(page)
        comments = page.locator(".comments")
        expect(comments).to_contain_text("The five subjects in the middle")
        expect(page.locator("body.drawn")).to_be_attached()
        before = comments.evaluate(PLACE)
        for _ in range(9):
            number = choose(page, number)
            assert comments.evaluate(PLACE) == before
        expect(comments).to_contain_text("won the last trick")
        clean(page)
        page.get_by_role("button", name="No more comments").press("Enter")
        expect(comments).to_have_count(0)
        page.get_by_role("button", name="Comments", exact=True).press("Enter")
        expect(comments).to_contain_text("won the last trick")
        page.get_by_role("link", name="The rule in full").click()
        page.wait_for_url("**/docs/rules#*")


def test_a_decision_is_taken_back_in_two_windows(browser: Browser, tmp_path: Path) -> None:
    with (
        live_server(tmp_path) as server,
        visiting(browser, f"http://{server.http_address}", width=1366, height=768) as window,
    ):
        page = window.go("/play")
        first = begin(page)
        expect(page.get_by_role("button", name=TAKE_BACK)).to_have_count(0)
        hand = page.locator("#seat .my-hand").first.inner_html()
        second = choose(page, first)
        other = window.context.new_page()
        other.goto(page.url)
        assert asked(other) == second
        loaded: list[str] = []
        page.on("framenavigated", lambda frame: loaded.append(frame.url))
        page.get_by_role("button", name=TAKE_BACK).press("Enter")
        third = asked(page, second)
        assert page.locator("#seat .my-hand").first.inner_html() == hand
        assert loaded == [], "the page follows without loading again"
        assert asked(other, second) == third, "the other window follows"
        expect(page.locator(f'[data-offered="{third}"]')).to_be_attached()
        fourth = choose(other, third)
        assert asked(page, third) == fourth
        clean(page)
        other.get_by_role("button", name=TAKE_BACK).dblclick()
        fifth = asked(other, fourth)
        assert asked(page, fourth) == fifth == fourth + 1, "a double click is one"
        choose(page, fifth)
