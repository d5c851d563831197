"""Friends at one table in real browsers: each page follows the others, and goes to its seat when the match begins."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from tests.browser.chromium import violations, visiting
from tests.browser.ways import seat
from tests.server.live import live_server, until

_SEAT = re.compile(r"/play/\d+$")


def at_the_table(page: Page) -> list[str]:
    return [one.partition(" ")[0] for one in page.locator(".gathered li:not(.faint)").all_inner_texts()]


def test_friends_gather_by_a_link_and_play_in_their_browsers(browser: Browser, tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        address = f"http://{server.http_address}"
        with visiting(browser, address) as first, visiting(browser, address, width=390, height=844) as second:
            host = first.go("/play/friends")
            assert violations(host) == []
            host.get_by_label("Game").select_option("chinkway")
            host.get_by_label("Your name").fill("ada")
            host.get_by_role("button", name="Open a table").click()
            host.wait_for_url("**/play/with/*")
            expect(host.locator("#gathered").get_by_role("status")).to_contain_text("4 seats are free")
            assert violations(host) == []

            friend = second.go(re.sub(".*(?=/play/with)", "", host.locator(".invite code").inner_text()))
            assert violations(friend) == []
            friend.get_by_label("Your name").fill("ben")
            friend.get_by_role("button", name="Take a seat").click()
            expect(friend.get_by_role("button", name="Begin now")).to_have_count(0)
            # The host's page follows without being loaded again.
            expect(host.locator("#gathered").get_by_role("status")).to_contain_text("3 seats are free")
            assert at_the_table(host) == at_the_table(friend) == ["guest-ada", "guest-ben"]
            assert violations(friend) == []

            host.get_by_role("button", name="Begin now").click()
            for page in (host, friend):
                page.wait_for_url(_SEAT)
            assert host.url == friend.url
            expect(host.locator("main")).to_contain_text("guest-ben")
            expect(friend.locator("main")).to_contain_text("guest-ada")
            until(lambda: "asked" in (seat(host)[0], seat(friend)[0]))
