"""Today's board in a real browser: the stage follows one's own table, and the table of results comes at the end."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, expect
from tests.browser.chromium import violations, visiting
from tests.browser.ways import asked
from tests.server.live import live_server
from tests.server.system.person_browser import Person


def test_a_person_plays_todays_board_on_the_stage_and_finds_itself_in_the_table(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        live_server(tmp_path) as server,
        visiting(browser, f"http://{server.http_address}", width=390, height=844) as window,
    ):
        page = window.go("/play")
        page.get_by_role("link", name="Today's board: Two").click()
        page.wait_for_url("**/today/two")
        assert violations(page) == []
        page.get_by_label("Your name").fill("ada")
        page.get_by_role("button", name="Play today's board").click()
        page.wait_for_url(re.compile(r"/play/\d+$"))
        number = asked(page)
        choice = page.locator(".felt .may, .stage .choices button:not([aria-disabled=true])").first
        expect(choice).to_be_visible()
        assert violations(page) == []
        choice.click()
        asked(page, number)
        address = page.url

        window.go("/today/two")
        expect(page.get_by_role("link", name="go on with match")).to_be_visible()
        expect(page.get_by_role("button", name="Play")).to_have_count(0)
        with Person(server) as forms:
            (cookie,) = [one for one in window.context.cookies() if one["name"] == "farfalia-seat"]
            forms.client.cookies.set("farfalia-seat", cookie["value"])
            forms.page = forms.client.get(address)
            forms.play()
            assert forms.state == "over"
        window.go(address.removeprefix(window.address))
        assert violations(page) == []
        page.get_by_role("link", name="What everyone made of this board").click()
        expect(page.locator("tr.own")).to_contain_text("guest-ada")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
