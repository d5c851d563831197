"""A person enters a tournament in a real browser: the page waits, and leads to the seat when a match begins."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, expect
from tests.browser.chromium import violations, visiting
from tests.browser.ways import seat
from tests.server.live import live_server, until

from farfalia.v1 import tournaments_pb2

_SEAT = re.compile(r"/play/\d+$")


def test_a_person_enters_a_tournament_and_is_led_to_the_seat(browser: Browser, tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        number = server.tournament(["house-greedy-1"], rounds=1, ruleset="two", start=False, persons=True)
        with visiting(browser, f"http://{server.http_address}", width=390, height=844) as window:
            page = window.go(f"/tournaments/{number}")
            page.get_by_role("link", name="take part yourself").click()
            page.wait_for_url(f"**/play/in/{number}")
            assert violations(page) == []
            page.get_by_label("Your name").fill("ada")
            page.get_by_role("button", name="Enter").click()
            expect(page.locator("#gathered").get_by_role("status")).to_contain_text("You have entered as guest-ada")
            assert violations(page) == []

            server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
            page.wait_for_url(_SEAT)
            expect(page.locator("main")).to_contain_text("guest-ada")
            until(lambda: seat(page)[0] in ("asked", "others"))
            assert violations(page) == []
