"""A person at the table in a real browser: by mouse and by keyboard, in two windows, over a killed server."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from tests.browser.chromium import violations, visiting
from tests.browser.guests import Person, guest, table_with
from tests.browser.ways import WAYS, asked, seat
from tests.server.live import live_server, until
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import bots_pb2, record_pb2

#: What can be chosen now.
CHOICES = "#seat button[name=action]"


def in_words(page: Page) -> None:
    """Show the table as forms beside the stage."""
    page.get_by_role("button", name="In words").click()


def test_a_person_plays_on_the_stage(browser: Browser, tmp_path: Path) -> None:
    with (
        live_server(tmp_path) as server,
        visiting(browser, f"http://{server.http_address}", width=1366, height=768) as window,
    ):
        page = window.go("/play")
        page.get_by_label("Game").select_option("chinkway")
        page.get_by_role("button", name="Play").click()
        page.wait_for_url(re.compile(r"/play/\d+$"))
        number = asked(page)
        page.get_by_role("button", name="Hint: what would").click()
        expect(page.locator(".hint b")).to_contain_text("would choose:")
        assert violations(page) == []
        for _ in range(3):
            choice = page.locator(".felt .may, .stage .choices button:not([aria-disabled=true])").first
            expect(choice).to_be_visible()
            assert violations(page) == []
            expect(page.locator(".asking")).not_to_be_empty()
            if page.locator(".stage .choices [aria-disabled=true]").count():
                page.locator(".felt .may").nth(0).click()
                page.locator(".felt .may").nth(1).click()
                choice = page.locator(".stage .choices button")
            choice.click()
            number = asked(page, number)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_person_plays_in_two_windows_and_goes_on_after_a_crash(browser: Browser, tmp_path: Path) -> None:
    with (
        live_server(tmp_path) as server,
        visiting(browser, f"http://{server.http_address}") as window,
    ):
        page = window.go("/play")
        assert violations(page) == []
        page.get_by_label("Game").select_option("two")
        page.get_by_role("button", name="Play").click()
        page.wait_for_url(re.compile(r"/play/\d+$"))
        first = asked(page)
        in_words(page)
        assert violations(page) == []
        loaded: list[str] = []
        page.on("framenavigated", lambda frame: loaded.append(frame.url))
        page.locator(CHOICES).first.click()
        second = asked(page, first)
        page.locator(CHOICES).first.focus()
        page.keyboard.press("Enter")
        third = asked(page, second)
        assert loaded == [], "no answer loads the page again"
        other = window.context.new_page()
        other.goto(page.url)
        assert asked(other) == third
        in_words(other)
        other.locator(CHOICES).first.click()
        fourth = asked(other, third)
        assert asked(page, third) == fourth, "the first window follows"
        server.kill()
        server.start()
        assert asked(page) == fourth
        page.locator(CHOICES).first.click()
        asked(page, fourth)
        page.reload()
        asked(page, fourth)
        refused = [fault for fault in window.faults if "ERR_" in fault or "fetch" in fault.lower()]
        window.faults = [fault for fault in window.faults if fault not in refused]


def test_a_whole_match_is_played_with_the_keyboard(browser: Browser, tmp_path: Path) -> None:
    with (
        live_server(tmp_path) as server,
        visiting(browser, f"http://{server.http_address}", width=390, height=844) as window,
    ):
        page = window.go("/play")
        page.get_by_label("Game").select_option("basic")
        page.get_by_role("button", name="Play").press("Enter")
        page.wait_for_url(re.compile(r"/play/\d+$"))
        number = asked(page)
        in_words(page)
        while number:
            table = page.locator("#seat")
            boxes = table.locator("input[type=checkbox]")
            if boxes.count():
                for box in boxes.all()[:2]:
                    box.press("Space")
                table.get_by_role("button", name="Discard").press("Enter")
            else:
                table.locator("button[name=action]").first.press("Enter")
            number = asked(page, number)
        expect(page.get_by_role("heading", name="The match is over")).to_be_visible()
        assert violations(page) == []
        page.get_by_role("link", name="See it card by card").click()
        page.wait_for_url("**/matches/*/1")


def test_two_people_go_on_at_the_same_card_after_a_crash(browser: Browser, tmp_path: Path) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(live_server(tmp_path))
        bots = ("ada", "ben", "cleo")
        for name in bots:
            token = server.register(name)
            stack.enter_context(RawBot(server.grpc_address, token, react=first_legal, redial=True))
        until(lambda: all(server.call("GetBot", bots_pb2.GetBotRequest(name=name)).bot.connected for name in bots))
        windows = [stack.enter_context(visiting(browser, f"http://{server.http_address}")) for _ in range(2)]
        people = [Person(WAYS["mouse"], window) for window in windows]
        match = table_with(server, [*(guest(server, window) for window in windows), *bots], "basic", {})
        for window in windows:
            window.go(f"/play/{match}")
        answered: tuple[list[int], list[int]] = ([], [])
        while any(seat(one.page)[0] in ("asked", "others", "waiting") for one in people):
            for one, before in zip(people, answered, strict=True):
                state, number = seat(one.page)
                if state != "asked" or number in before:
                    continue
                if sum(map(len, answered)) == 10:
                    hand = one.page.locator("#seat .my-hand").inner_html()
                    server.kill()
                    server.start()
                    one.page.reload()
                    assert asked(one.page) == number
                    assert one.page.locator("#seat .my-hand").inner_html() == hand
                one.answer()
                before.append(number)
            people[0].page.wait_for_timeout(50)
        for one in people:
            expect(one.page.get_by_role("heading", name="The match is over")).to_be_visible()
        record = server.record(match)
        for at, numbers in enumerate(answered):
            chosen = [done for done in record.actions if done.seat == at and done.cause == record_pb2.CAUSE_BOT]
            assert numbers == list(range(1, len(chosen) + 1)), "nothing is lost, nothing is played twice"
        assert not record.incidents
        assert server.verify(record) == []
        for window in windows:
            window.faults = [one for one in window.faults if "ERR_" not in one and "fetch" not in one.lower()]
