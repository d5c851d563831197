"""A course is held from a browser: made, published, joined by code, run, closed, and copied for next year."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.chromium import Visit, visiting
from tests.browser.people import become_admin, clean, sign_up
from tests.server.live import LiveServer, live_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("events"), registration="open") as live:
        yield live


@pytest.fixture
def window(browser: Browser, server: LiveServer) -> Iterator[Visit]:
    with visiting(browser, f"http://{server.http_address}", timezone_id="America/New_York") as window:
        yield window
        # What a form refuses has a status of its own, and no other fault may be there.
        window.faults[:] = [fault for fault in window.faults if not re.search(r"\b(400|403|409)\b", fault)]


def test_a_course_is_held_without_a_shell(window: Visit, browser: Browser, server: LiveServer, tmp_path: Path) -> None:
    page = become_admin(window, "otto")
    page.get_by_role("main").get_by_role("link", name="Events").click()
    form = page.get_by_role("form", name="Create an event")
    for label, text in (("Name", "card-bots"), ("Title", "Card bots"), ("Time zone", "Europe/Rome")):
        form.get_by_label(label, exact=True).fill(text)
    clean(page)
    form.get_by_role("button", name="Create a draft").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Card bots")
    form = page.get_by_role("form", name="The event")
    form.get_by_label("Start", exact=True).fill("2031-07-01T09:00")
    form.get_by_label("End", exact=True).fill("2031-06-30T09:00")
    form.get_by_label("By invitation").check()
    form.get_by_label("Its tournaments count on").select_option("own")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_label("End", exact=True)).to_have_accessible_description(re.compile("nothing before starts"))
    expect(form.get_by_label("By invitation")).to_be_checked()
    clean(page)
    form.get_by_label("End", exact=True).fill("2031-07-01T18:00")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_label("End", exact=True)).to_have_value("2031-07-01T18:00")
    page.get_by_role("button", name="Publish").click()
    form = page.get_by_role("form", name="Invite people")
    form.get_by_label("People for each code").fill("2")
    form.get_by_role("button", name="Make codes").click()
    clean(page)
    address = page.get_by_label("The address for those who have an account").inner_text()
    with visiting(browser, f"http://{server.http_address}") as pupil:
        theirs = sign_up(pupil, "ada")
        theirs.get_by_label("Name", exact=True).fill("ada-one")
        theirs.get_by_role("button", name="Register").click()
        theirs.goto(address)
        theirs.get_by_role("form", name="Join an event").get_by_role("button", name="Join").click()
        expect(theirs.get_by_role("heading", level=1)).to_have_text("Card bots")
        expect(theirs.get_by_role("row", name="ada")).to_contain_text("ada-one")
        clean(theirs)
    page.get_by_role("link", name="Back to the event").click()
    page.get_by_role("link", name="Its tournaments").click()
    page.get_by_role("link", name="Create a tournament").click()
    expect(page.get_by_label("Event", exact=True)).to_have_value("card-bots")
    page.get_by_label("Name", exact=True).fill("Final")
    page.get_by_role("button", name="Create a draft").click()
    page.get_by_label("Game", exact=True).select_option("two")
    page.get_by_role("button", name="Save and go on").click()
    page.get_by_label("Rounds", exact=True).fill("1")
    page.get_by_role("button", name="Save and go on").click()
    page.get_by_label("Entrants", exact=True).fill("house-greedy-1, house-random-1")
    clean(page)
    page.get_by_role("button", name="Save and go on").click()
    page.get_by_role("button", name="Publish").click()
    clean(page)
    page.get_by_role("button", name="Start Final").click()
    page.goto(f"{window.address}/events/card-bots")
    times = page.get_by_role("list").filter(has_text="start:")
    expect(times).to_contain_text("Jul 1, 2031, 3:00 AM")  # nine o'clock in Rome, where it is three in New York
    expect(times).to_contain_text(re.compile(r"in [\d,]+ days"))
    expect(page.get_by_role("link", name="card-bots-two")).to_be_visible()
    clean(page)
    page.goto(f"{window.address}/account/events?event=card-bots")
    page.get_by_role("button", name="Close …").click()
    clean(page)
    page.get_by_role("button", name="Close the event").click()
    expect(page.get_by_role("main")).to_contain_text("This event is closed")
    page.get_by_role("link", name="Your events").click()
    form = page.get_by_role("form", name="Create an event")
    form.get_by_label("Name", exact=True).fill("card-bots-32")
    form.get_by_label("Copy of").select_option("card-bots")
    form.get_by_role("button", name="Create a draft").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Card bots")
    expect(page.get_by_role("form", name="The event").get_by_label("Time zone")).to_have_value("Europe/Rome")
    page.goto(f"{window.address}/events")
    expect(page.get_by_role("row", name="Card bots")).to_contain_text("closed")
    clean(page)
