"""The webhook of a bot in a browser: set, tested, refused in the reader's language; clean on every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.chromium import Visit, visiting
from tests.browser.people import clean, sign_up
from tests.server.live import LiveServer, live_server
from tests.server.system.webhook_receiver import receiver


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("webhook"), registration="open", webhooks="any") as live:
        yield live


@pytest.fixture
def window(browser: Browser, server: LiveServer) -> Iterator[Visit]:
    with visiting(browser, f"http://{server.http_address}") as window:
        yield window
        window.faults[:] = [fault for fault in window.faults if not re.search(r"\b400\b", fault)]


def test_a_webhook_is_set_and_a_test_of_it_arrives(window: Visit, tmp_path: Path) -> None:
    page = sign_up(window, "ada")
    page.get_by_label("Name", exact=True).fill("ant")
    page.get_by_role("button", name="Register", exact=True).click()
    page.goto(f"{window.address}/account/bot?name=ant")
    page.get_by_role("link", name="A webhook").click()
    clean(page)
    with receiver(tmp_path / "r") as there:
        page.get_by_label("Address").fill("https://ada:secret@ci.example/")
        page.get_by_role("button", name="Set it").click()
        expect(page.locator(".wrong")).to_contain_text("without a user")
        clean(page)
        page.get_by_label("Address").fill(there.url)
        page.get_by_role("button", name="Set it").click()
        expect(page.get_by_label("The secret")).to_contain_text("whsec_")
        clean(page)
        page.get_by_role("button", name="Send a test").click()
        row = page.get_by_role("row", name="a test")
        expect(row).to_be_visible()
        while "delivered" not in row.inner_text():
            page.reload()
        assert there.told("test")
        clean(page)
    page.get_by_role("button", name="Take it away").click()
    expect(page.get_by_role("button", name="Set it")).to_be_visible()
