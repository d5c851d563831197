"""A course of forty teams in a browser: from an empty arena to results that are handed out, and a site as a file.

Everything is clicked and typed in Chromium: by the organiser, by each team in a window of its own, and by readers. The
teams' bots are bots of the SDK, all in one process, which reach the server by a cable. It is cut in the final.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.chromium import Visit, visiting
from tests.browser.people import become_admin, fill, follow, press, register, sheets_of_paper, sign_up
from tests.cli.command import Command
from tests.server.cable import Cable
from tests.server.live import LiveServer, live_server

from farfalia.v1 import matches_pb2

TEAMS = [f"team-{number:02}" for number in range(1, 41)]
BOTS = [f"{team}-bot" for team in TEAMS]
CHEAT = TEAMS[-1]
#: Milliseconds within which all of them have connected, or have played a stage, however slow the machine is.
PLAYED = 600_000
#: The bots of all teams. They think in the final, so that there is time to cut the cable.
CREW = """
import asyncio, os, time, farfalia
class Team(farfalia.Bot):
    seconds = 0.0
    def on_seated(self, seated):
        self.seconds = 0.05 if seated.board.startswith("board-2-2") else 0.0
    def play(self, view):
        time.sleep(self.seconds)
        return max(view.legal)
async def main():
    await asyncio.gather(*(
        farfalia.play(Team(), server=os.environ["FARFALIA_SERVER"], token=token, matches=4)
        for token in os.environ["TOKENS"].split()
    ), return_exceptions=True)
asyncio.run(main())
"""
#: Asks for everything to which the links of a page lead, and returns how many addresses that are.
LINKS = """async () => {
  const addresses = new Set([...document.links].map((link) => link.href.replace(/#.*/, "")));
  for (const address of addresses) await fetch(address, { method: "HEAD" });
  return addresses.size;
}"""


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    settings: dict[str, Any] = {"reconnect_grace_ms": 1000, "absence_ms": 2000, "fit_hour": -1}
    settings |= {"registration": "invitation", "registrations_per_hour": 1000}
    with live_server(tmp_path_factory.mktemp("course"), **settings) as live:
        yield live


@pytest.fixture
def otto(browser: Browser, server: LiveServer) -> Iterator[Visit]:
    """The organiser's window."""
    with visiting(browser, f"http://{server.http_address}") as window:
        yield window
        # What a form refuses has a status of its own, and no other fault may be there.
        window.faults[:] = [fault for fault in window.faults if not re.search(r"\b400\b", fault)]


def test_forty_teams_from_an_empty_arena_to_a_site_as_a_file(
    otto: Visit, browser: Browser, server: LiveServer, tmp_path: Path
) -> None:
    page = become_admin(otto, "otto")
    make_event(page)
    tokens = {}
    for team, bot, invitation in zip(TEAMS, BOTS, invite(page), strict=True):
        with visiting(browser, otto.address) as window:
            tokens[bot] = register(sign_up(window, team, invitation=invitation), bot)
    tokens[BOTS[0]] = give_back_token(page, TEAMS[0])
    suspend(page, CHEAT, "plays with somebody")
    draw_up(page, otto.address)
    with Cable(server.grpc_address) as cable, crew(cable.address, [*tokens.values()], tmp_path / "crew.log"):
        number = play(page, cable)
    nothing_was_lost(server, number)
    with visiting(browser, otto.address) as window:
        hand_out(window)

    with served(close_and_unpack(page, otto.address, tmp_path)) as site, visiting(browser, site) as reader:
        look_around(reader)
    farfalia, records = Command(tmp_path), tmp_path / "course" / "records"
    assert len([*records.glob("match-*.json")]) == 3 * 20 + 2 + 1
    farfalia.told("verify", records)
    farfalia.told("verify", "--ratings", records)

    copy_for_next_year(page)
    remove(page, CHEAT)
    page.goto(f"{otto.address}/tournaments/{number}")
    expect(page.get_by_role("region", name="Standings")).to_contain_text("removed-")
    expect(page.get_by_role("main")).not_to_contain_text(BOTS[-1])
    assert "Traceback" not in server.log()


def make_event(page: Page) -> None:
    page.get_by_role("main").get_by_role("link", name="Events").click()
    form = page.get_by_role("form", name="Create an event")
    fill(form, {"Name": "course", "Title": "Card bots", "Time zone": "Europe/Rome"})
    press(form, "Create a draft")
    form = page.get_by_role("form", name="The event")
    form.get_by_label("By invitation").check()
    form.get_by_label("Its tournaments count on").select_option("own")
    fill(form, {"Bots of a member in a tournament": "1"})
    press(form, "Save")
    press(page, "Publish")


def invite(page: Page) -> list[str]:
    """The addresses on the slips of a sheet that is printed, cut and handed out."""
    form = page.get_by_role("form", name="Invite people")
    fill(form, {"What for": "teams", "Codes": str(len(TEAMS))})
    press(form, "Make codes")
    addresses = page.get_by_label("The address", exact=True).all_inner_texts()
    assert len(set(addresses)) == len(TEAMS)
    assert 1 < sheets_of_paper(page) < len(TEAMS)
    return addresses


def go_to(page: Page, account: str) -> None:
    """Go to the organisers' page of an account."""
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Account").click()
    follow(page.get_by_role("main"), "People")
    follow(page, account)


def give_back_token(page: Page, team: str) -> str:
    """The new token of a bot whose team has lost the old one."""
    go_to(page, team)
    follow(page, f"{team}-bot")
    press(page, "New token")
    return page.get_by_label("The token").inner_text()


def suspend(page: Page, team: str, reason: str) -> None:
    go_to(page, team)
    fill(page, {"Why": reason})
    press(page, "Suspend")
    expect(page.get_by_role("heading", level=1)).to_contain_text("suspended")


def draw_up(page: Page, address: str) -> None:
    """Make the tournament step by step; a bot whose name is written wrongly is refused and corrected."""
    page.goto(f"{address}/account/events?event=course")
    follow(page, "Its tournaments")
    follow(page, "Create a tournament")
    fill(page, {"Name": "Final"})
    press(page, "Create a draft")
    page.get_by_label("Game", exact=True).select_option("two")
    fill(page, {"Milliseconds for a decision": "5000", "Milliseconds in the time bank of a match": "60000"})
    fill(page, {"Strikes that a seat survives": "3"})
    press(page, "Save and go on")
    fill(page, {"Entrants that you expect": "40", "Stages": "swiss:rounds=3,qualifiers=4 knockout:advance=1"})
    press(page, "Save and see what to expect")
    expect(page.get_by_role("region", name="What to expect")).to_contain_text("With 40 entrants")
    press(page, "Save and go on")
    fill(page, {"Entrants": "\n".join(BOTS).replace("team-06-bot", "team-6-bot")})
    press(page, "Save and go on")
    entrants = page.get_by_label("Entrants", exact=True)
    expect(entrants).to_have_accessible_description(re.compile("there is no bot team-6-bot"))
    entrants.fill(entrants.input_value().replace("team-6-bot", "team-06-bot"))
    press(page, "Save and go on")
    expect(page.get_by_role("definition").filter(has_text="team-06-bot")).to_contain_text("team-40-bot")
    press(page, "Publish")


@contextmanager
def crew(address: str, tokens: list[str], log: Path) -> Iterator[None]:
    """The bots of these tokens, at play."""
    environment = os.environ | {"FARFALIA_SERVER": address, "TOKENS": " ".join(tokens)}
    with log.open("wb") as said, subprocess.Popen([sys.executable, "-c", CREW], env=environment, stderr=said) as bots:
        try:
            yield
        finally:
            bots.kill()


def play(page: Page, cable: Cable) -> int:
    """Start the tournament, whose page shows how the network fails in the final, and who wins. Its number."""
    row, waiting, state = (
        page.get_by_role("row", name="Final"),
        "[data-fact=waiting]",
        page.locator("[data-fact=state]"),
    )
    follow(row, "Final")
    expect(page.locator(waiting)).to_contain_text("from 39 of 40 bots", timeout=PLAYED)
    page.go_back()
    press(page, "Start Final")
    follow(row, "Final")
    expect(state).to_have_text("Running.")
    page.get_by_role("region", name="At the tables now").get_by_text("round 2.2").wait_for(timeout=PLAYED)
    cable.cut()
    expect(page.locator(waiting)).to_contain_text("bots were lost within 30 s")
    expect(state).to_contain_text("paused", ignore_case=True)
    cable.mend()
    expect(state).to_have_text("Finished.", timeout=PLAYED)
    expect(page.get_by_role("region", name="Bracket of stage 2").get_by_text("wins", exact=True)).to_have_count(1)
    return int(page.url.rpartition("/")[2])


def nothing_was_lost(server: LiveServer, number: int) -> None:
    struck = {row.entrant for row in server.show(number).standings if row.strikes or row.forfeits}
    assert struck <= {BOTS[-1]}, "an outage costs nobody anything"
    states = {match.state for match in server.matches(number)}
    assert states <= {matches_pb2.MATCH_STATE_FINISHED, matches_pb2.MATCH_STATE_VOID}


def hand_out(window: Visit) -> None:
    """What everybody may see: the table, also as a file, and a sheet of paper for each team."""
    page = window.go("/events")
    follow(page, "Card bots")
    follow(page, "Final")
    best_first = page.get_by_role("region", name="Standings").locator("tbody th a").all_inner_texts()
    assert sorted(best_first) == BOTS
    page.get_by_role("heading", name="Data", exact=True).click()
    with page.expect_download() as file:
        follow(page.get_by_role("listitem").filter(has_text="Standings:"), "CSV")
    table = csv.DictReader(file.value.path().read_text().splitlines())
    assert [row["entrant"] for row in table] == best_first
    follow(page, "Sheets to print")
    sheets = page.get_by_role("region").filter(has=page.get_by_text("Strength"))
    assert sheets.get_by_role("heading").all_inner_texts() == best_first
    missed = page.get_by_role("region", name=BOTS[-1], exact=True)
    expect(missed).to_contain_text("3, which count in no other figure")
    assert sheets_of_paper(page) in (len(BOTS), len(BOTS) + 1)


def close_and_unpack(page: Page, address: str, folder: Path) -> Path:
    """The folder of the event's pages as files, which its page has as one file."""
    page.goto(f"{address}/account/events?event=course")
    press(page, "Close …")
    press(page, "Close the event")
    follow(page, "Its page")
    with page.expect_download() as file:
        follow(page, "All of it as a file")
    with zipfile.ZipFile(file.value.path()) as files:
        files.extractall(folder)
    return folder / "course"


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a web server that knows nothing but files."""
    words = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            yield said.partition("(")[2].partition("/)")[0]
        finally:
            process.kill()


def look_around(window: Visit) -> None:
    """Look at a page of each kind, try all of its links, and step through a deal."""
    page, heading = window.go("/"), window.page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Card bots")
    assert window.run(LINKS) > 1
    follow(page, "course-two")
    expect(heading).to_have_text("Ladder of course-two")
    assert window.run(LINKS) > 0
    page.go_back()
    follow(page, "Final")
    expect(heading).to_have_text("Final")
    assert window.run(LINKS) > 10
    follow(page, "Sheets to print")
    expect(heading).to_have_text("Sheets of Final")
    assert window.run(LINKS) > len(TEAMS)
    page.go_back()
    page.get_by_role("heading", name="Matches", exact=True).click()
    page.get_by_role("link", name=re.compile("^Round 2.2, ")).click()
    expect(heading).to_have_text(re.compile(r"board-2-2\.\d+"))  # of the final, which was played again
    page.get_by_role("row", name="Match").get_by_role("link").first.click()
    expect(heading).to_contain_text("Match")
    assert window.run(LINKS) > 1
    follow(page, "Deal 1")
    expect(page.get_by_role("slider", name="Cards played")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay")).to_contain_text("Trick 1, card 1")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay")).to_contain_text("Trick 1, card 2")
    assert window.run(LINKS) > 1


def copy_for_next_year(page: Page) -> None:
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Account").click()
    follow(page.get_by_role("main"), "Events")
    form = page.get_by_role("form", name="Create an event")
    fill(form, {"Name": "course-32", "Title": "Card bots again"})
    form.get_by_label("Copy of").select_option("course")
    press(form, "Create a draft")
    expect(page.get_by_role("form", name="The event").get_by_label("Time zone")).to_have_value("Europe/Rome")
    follow(page, "Your events")
    follow(page.get_by_role("main"), "What was done")
    expect(page.get_by_role("main")).to_contain_text("plays with somebody")


def remove(page: Page, team: str) -> None:
    go_to(page, team)
    press(page, "Remove …")
    with page.expect_navigation():  # another page must not be asked for before
        press(page, "Remove")
