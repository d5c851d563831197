"""Somebody who has lost a password, in a real browser: the form, the mail, the link."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.chromium import Visit, visiting
from tests.browser.people import PASSWORD, clean
from tests.server.live import LiveServer, live_server, until
from tests.server.mail_server import Mailboxes, link_in, mail_server


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mailboxes]:
    with mail_server(tmp_path_factory.mktemp("mail")) as boxes:
        yield boxes


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, boxes: Mailboxes) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("arena"), registration="open", **boxes.settings()) as live:
        yield live


@pytest.fixture
def window(browser: Browser, server: LiveServer) -> Iterator[Visit]:
    with visiting(browser, f"http://{server.http_address}") as window:
        yield window


def test_a_lost_password_is_replaced_by_mail(window: Visit, boxes: Mailboxes) -> None:
    page = window.go("/account")
    clean(page)
    form = page.get_by_role("form", name="Make an account")
    for label, text in (("Name", "ada"), ("Password", PASSWORD), ("E-mail address", "ada@mail.example")):
        form.get_by_label(label).fill(text)
    form.get_by_role("button", name="Make an account").click()
    expect(page.get_by_label("Address", exact=True)).to_have_value("ada@mail.example")
    clean(page)
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("link", name="Lost your password?").click()
    clean(page)
    page.get_by_label("Account", exact=True).fill("ada")
    page.get_by_role("button", name="Send a link").click()
    expect(page.get_by_role("status")).to_contain_text("a link to choose a new password is on its way there")
    clean(page)
    until(lambda: boxes.mails)
    page.goto(link_in(boxes.mails[0][1]))
    page.get_by_label("New password").fill("a new password")
    page.get_by_role("button", name="Choose").click()
    signing_in = page.get_by_role("form", name="Sign in")
    signing_in.get_by_label("Account").fill("ada")
    signing_in.get_by_label("Password").fill("a new password")
    signing_in.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("ada")
