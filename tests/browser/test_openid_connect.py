"""Somebody signs in at a provider of OpenID Connect in a real browser, which lets no form lead to another site."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.chromium import PATIENCE
from tests.browser.people import clean
from tests.server.live import LiveServer, live_server
from tests.server.provider_process import CLIENT, Provider


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    provider = Provider()
    named: dict[str, Any] = {"oidc_issuer": provider.issuer, "oidc_name": "University"}
    settings = named | CLIENT | {"registration": "open"}
    with live_server(tmp_path_factory.mktemp("oidc"), **settings) as live:
        provider.start(f"http://{live.http_address}")
        yield live
        provider.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window that may go to the provider, too."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def test_somebody_signs_in_for_the_first_time_and_again(server: LiveServer, page: Page) -> None:
    account = f"http://{server.http_address}/account"
    page.goto(account)
    clean(page)
    page.get_by_role("button", name="Sign in with University").click()
    page.get_by_placeholder("Enter any login").fill("ada")
    page.get_by_placeholder("and password").fill("any")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("You are new here")).to_be_visible()
    clean(page)
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("ada-of-Genoa")
    clean(page)
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("button", name="Sign in with University").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("ada-of-Genoa")


def test_what_was_refused_is_for_everybody(server: LiveServer, page: Page) -> None:
    page.goto(f"http://{server.http_address}/account/oidc/callback?state=another&code=none")
    expect(page.get_by_role("alert")).to_contain_text("begin again")
    clean(page)
