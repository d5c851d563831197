"""A program is handed in with a form, and its page follows the check: clean in every state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.chromium import Visit, visiting
from tests.browser.people import clean, sign_up
from tests.server.hosting_process import BAD, GOOD, host_process
from tests.server.live import PATIENCE, LiveServer, live_server

CHECKED = PATIENCE * 1000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("programs"), registration="open") as live:
        yield live


@pytest.fixture
def window(browser: Browser, server: LiveServer) -> Iterator[Visit]:
    with visiting(browser, f"http://{server.http_address}") as window:
        yield window
        window.faults[:] = [fault for fault in window.faults if not re.search(r"\b(400|409)\b", fault)]


def test_a_program_is_refused_mended_and_plays(window: Visit, server: LiveServer, tmp_path: Path) -> None:
    page = sign_up(window, "ada")
    page.get_by_label("Name", exact=True).fill("ant")
    page.get_by_role("button", name="Register", exact=True).click()
    page.goto(f"{window.address}/account/bot?name=ant")
    clean(page)
    page.get_by_role("link", name="Or hand in a program").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Programs of ant")
    clean(page)

    # Nothing happens to it before there is a host.
    bot = tmp_path / "bot.py"
    bot.write_text(BAD)
    page.get_by_label("Files").set_input_files([bot])
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Program 1 of ant")
    expect(page.get_by_role("status")).to_contain_text("It waits:")
    clean(page)

    # The page renews itself.
    with host_process(server):
        expect(page.get_by_role("status")).to_contain_text("It is refused", timeout=CHECKED)
        expect(page.get_by_role("main")).to_contain_text("<b>I am lost</b>")
        clean(page)

        bot.write_text(GOOD)
        page.get_by_role("link", name="All programs").click()
        page.get_by_label("Files").set_input_files([bot, bot])
        page.get_by_role("button", name="Hand in").click()
        expect(page.get_by_role("main")).to_contain_text(re.compile("two files are called", re.IGNORECASE))
        clean(page)
        page.get_by_label("Files").set_input_files([bot])
        page.get_by_role("button", name="Hand in").click()
        expect(page.get_by_role("status")).to_contain_text("ant plays with it", timeout=CHECKED)
        clean(page)
        page.goto(f"{window.address}/nodes")
        expect(page.get_by_role("row", name="anthill")).to_contain_text("none: protects nobody")
        clean(page)

    page.goto(f"{window.address}/account/program?name=ant")
    clean(page)
    page.get_by_role("button", name="Connect it yourself").click()
    expect(page.get_by_role("button", name="Play with it")).to_have_count(1)
    clean(page)
