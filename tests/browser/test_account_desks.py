"""What people do with their bots in a browser, and what organisers do about them: a story, clean on every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.chromium import Visit, visiting
from tests.browser.people import become_admin, clean, sign_up
from tests.server.bot_process import sample_bots
from tests.server.live import LiveServer, live_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("desks"), registration="open") as live, ExitStack() as processes:
        sample_bots(processes, ["greedy-1"], live)
        yield live


@pytest.fixture
def window(browser: Browser, server: LiveServer) -> Iterator[Visit]:
    with visiting(browser, f"http://{server.http_address}") as window:
        yield window
        # What a form refuses has a status of its own, and no other fault may be there.
        window.faults[:] = [fault for fault in window.faults if not re.search(r"\b(400|401|403|404|409)\b", fault)]


def test_a_match_at_once_tokens_names_and_what_organisers_do(
    window: Visit, browser: Browser, server: LiveServer
) -> None:
    page = sign_up(window, "ada")
    page.get_by_label("Name", exact=True).fill("ant")
    page.get_by_role("button", name="Register", exact=True).click()

    # A match at once, with somebody else's bot, which is watched as any other.
    page.goto(f"{window.address}/account/challenges?bot=greedy-1")
    clean(page)
    expect(page.get_by_label("Seat 1")).to_have_value("greedy-1")
    page.get_by_label("Game").select_option("two")
    page.get_by_label("Seat 2").select_option("house random")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Match")
    expect(page.get_by_role("main")).to_contain_text("ada asked for it")
    match = page.url.rpartition("/")[2]
    page.goto(f"{window.address}/account/analysis?match={match}")
    expect(page.get_by_role("button", name="Have it analysed")).to_be_visible()
    clean(page)
    page.goto(f"{window.address}/account/challenges")
    expect(page.get_by_role("row", name="greedy-1")).to_contain_text(re.compile("finished|being played|waiting"))
    clean(page)

    # A token for a program, which is ended alone.
    page.goto(f"{window.address}/account/tokens")
    page.get_by_label("What for").fill("CI")
    clean(page)
    page.get_by_role("button", name="Make a token").click()
    expect(page.get_by_label("The token")).to_contain_text("farfalia_api_")
    page.goto(f"{window.address}/account/tokens")
    clean(page)
    page.get_by_role("button", name="Revoke CI").click()
    expect(page.get_by_role("table")).to_have_count(0)

    # One's own bot has another name, and its owner alone may ask for matches with it.
    page.goto(f"{window.address}/account/bot?name=ant")
    clean(page)
    page.get_by_label("Who", exact=True).select_option("owner")
    page.get_by_role("button", name="Set").click()
    expect(page.get_by_label("Who", exact=True)).to_have_value("owner")
    page.get_by_label("New name").fill("greedy-1")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("alert")).to_contain_text("already a bot")
    page.get_by_label("New name").fill("formica")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("formica")

    with visiting(browser, f"http://{server.http_address}") as other:
        desk = become_admin(other, "otto")
        desk.goto(f"{other.address}/account/person?name=ada")
        clean(desk)
        desk.get_by_role("link", name="formica").click()
        clean(desk)
        desk.get_by_label("Why").fill("a trial")
        desk.get_by_role("button", name="Suspend").click()
        expect(desk.get_by_role("heading", level=1)).to_contain_text("suspended")
        desk.get_by_role("button", name="Strike its results …").click()
        clean(desk)
        desk.get_by_role("link", name="Leave it").click()
        desk.get_by_role("button", name="Let it back").click()
        expect(desk.get_by_role("heading", level=1)).not_to_contain_text("suspended")
        desk.goto(f"{other.address}/account/person?name=ada")
        desk.get_by_role("button", name="Password link").click()
        link = desk.get_by_label("The link").inner_text()
        clean(desk)

    page.goto(link)
    clean(page)
    page.get_by_label("New password").fill("another password")
    page.get_by_role("button", name="Choose").click()
    expect(page.get_by_role("main")).to_contain_text("Your session has ended")

    form = page.get_by_role("form", name="Sign in")
    form.get_by_label("Account").fill("ada")
    form.get_by_label("Password").fill("another password")
    form.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Remove …").click()
    clean(page)
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    page.goto(f"{window.address}/bots/formica")
    expect(page.get_by_role("main")).to_contain_text("There is no bot 'formica'")
