"""Pages that come once something is over: one's own match on today's board, the board of a day, a final."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.chromium import visiting
from tests.browser.people import clean
from tests.server.live import PATIENCE, LiveServer, live_server, until
from tests.server.system.form_browser import once_in, proof_in
from tests.server.system.person_browser import Person

from farfalia.v1 import record_pb2, stages_pb2

DAY = "2026-01-02"


def play_today(server: LiveServer, person: Person, game: str) -> int:
    """Play today's board to the end, and return the number of the match."""
    form = person.client.get(f"/today/{game}").text
    hidden = {"proof": proof_in(form), "once": once_in(form)}
    person.page = person.client.post(f"/today/{game}/begin", data=hidden | {"minutes": "10", "name": "ada"})
    person.play()
    assert person.state == "over"
    return int(person.page.url.path.removeprefix("/play/"))


def set_day(server: LiveServer, match: int, day: str) -> None:
    """Let a match be of an earlier day."""
    connection = sqlite3.connect(server.folder / "data/farfalia.db", timeout=PATIENCE)
    connection.execute("UPDATE match SET daily = ?, finished = ? WHERE id = ?", (day, f"{day} 12:00:00.000000", match))
    connection.commit()
    connection.close()


@pytest.mark.prove
def test_everyone_can_use_what_comes_at_the_end(browser: Browser, tmp_path: Path) -> None:
    with (
        live_server(tmp_path) as server,
        visiting(browser, f"http://{server.http_address}", width=1366, height=768) as window,
        Person(server) as person,
    ):
        match = play_today(server, person, "two")
        token = next(cookie.value for cookie in person.client.cookies.jar if cookie.name == "farfalia-seat")
        window.context.add_cookies([{"name": "farfalia-seat", "value": token or "", "url": window.address}])

        page = window.go(f"/play/{match}")
        page.get_by_role("link", name="See it card by card").click()
        expect(page.get_by_text("Only you see this")).to_be_attached()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_label("Go to trick.card")).to_be_visible()
        clean(page)
        page.keyboard.press("End")
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"**/play/{match}/deals/2")

        set_day(server, match, DAY)
        until(lambda: "guest-ada" in person.client.get(f"/today/two/{DAY}").text)
        page = window.go(f"/today/two/{DAY}")
        expect(page.get_by_role("row").filter(has_text="guest-ada")).to_be_visible()
        clean(page)

        final = stages_pb2.Stage(kind=stages_pb2.STAGE_KIND_ROUND_ROBIN, rounds=12, until_first=1, until_percent=60)
        names = [f"house-{kind}-1" for kind in ("greedy", "cautious", "random", "learned")]
        patient = record_pb2.TimeControl(limit_ms=600_000, bank_ms=0, grace=3)
        over = server.tournament(names, name="Final", ruleset="two", stages=[final], control=patient)
        server.wait_for(over)
        clean(window.go(f"/tournaments/{over}"))
