"""A lost password, from the form to the mail to the new one; on a server that sends mail, and on one that does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.server.live import ADMIN, LiveServer, live_server, until
from tests.server.mail_server import SECRET, SENDER, Mailboxes, link_in, mail_server, token_of
from tests.server.system.form_browser import PASSWORD, Browser, browser, heading, other

from farfalia.v1 import accounts_pb2

__all__ = ["browser", "other"]

ON_ITS_WAY = "If there is such an account, and it has an e-mail address, a link"


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mailboxes]:
    with mail_server(tmp_path_factory.mktemp("mail")) as boxes:
        yield boxes


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, boxes: Mailboxes) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("arena"), registration="open", **boxes.settings()) as live:
        yield live
    log = live.log()
    assert "mail_sent" in log
    for secret in ("Traceback", SECRET, SENDER, "@mail.example", "link="):
        assert secret not in log


def signed_up(browser: Browser, name: str) -> str:
    """The address of a new account."""
    address = f"{name}@mail.example"
    assert browser.send("sign-up", name=name, password=PASSWORD, email=address).status_code == 303
    return address


def asked(browser: Browser, name: str) -> httpx.Response:
    """What somebody reads who says that the password of this account is lost."""
    sent = browser.send("send-link", name=name)
    assert (sent.status_code, sent.headers["location"]) == (303, "/account/lost-password?asked=yes")
    return browser.client.get(sent.headers["location"])


def mail_to(boxes: Mailboxes, address: str) -> str:
    """The link in the newest mail to an address, which arrives a little later."""
    until(lambda: [address] in [recipients for recipients, _ in boxes.mails])
    return [link_in(mail) for recipients, mail in boxes.mails if recipients == [address]][-1]


def test_the_link_in_the_mail_leads_to_a_new_password_once(
    server: LiveServer, boxes: Mailboxes, browser: Browser, other: Browser
) -> None:
    address = signed_up(browser, "ada")
    assert 'href="/account/lost-password"' in other.client.get("/account").text
    assert ON_ITS_WAY in asked(other, "ada").text
    link = mail_to(boxes, address)
    assert link.startswith(f"http://{server.http_address}/account/new-password?link=")
    page = other.client.get(link)
    assert heading(page.text) == "Choose a password"
    token = token_of(link)
    assert f'value="{token}"' in page.text
    assert other.send("choose-password", link=token, password="a new password").status_code == 303
    assert other.send("choose-password", link=token, password="one more password").status_code == 401
    assert heading(browser.client.get("/account").text) == "Your account", "other sessions have ended"
    assert other.send("sign-in", name="ada", password="a new password").status_code == 303


def test_an_unknown_account_is_answered_like_one_that_is_there(
    boxes: Mailboxes, browser: Browser, other: Browser
) -> None:
    address = signed_up(browser, "bea")
    browser.send("sign-out")
    browser.sign_up("without")
    pages = [asked(other, name).text for name in ("bea", "without", "nobody-there", "no name at all")]
    assert len({re.sub(r'name="once" value="[^"]*"', "", page) for page in pages}) == 1
    mail_to(boxes, address)


def test_too_many_requests_are_refused_on_the_page(browser: Browser) -> None:
    codes = [browser.send("send-link", name="nobody-there-at-all").status_code for _ in range(6)]
    assert codes == [303] * 5 + [429]
    page = browser.send("send-link", name="nobody-there-at-all")
    assert "too many links were asked for" in page.text.lower()


def test_an_account_changes_its_address_with_its_password(server: LiveServer, browser: Browser) -> None:
    signed_up(browser, "cleo")
    page = browser.client.get("/account").text
    assert 'value="cleo@mail.example"' in page
    wrong = browser.send("email", email="eve@mail.example", password="guessed")
    assert (wrong.status_code, "password is wrong" in wrong.text) == (401, True)
    bad = browser.send("email", email="not an address", password=PASSWORD)
    assert (bad.status_code, 'id="email-email-wrong"' in bad.text) == (400, True)
    assert browser.send("email", email="cleo@mail.example.org", password=PASSWORD).status_code == 303
    assert 'value="cleo@mail.example.org"' in browser.client.get("/account").text
    assert browser.send("email", email="", password=PASSWORD).status_code == 303
    assert server.call("GetAccount", accounts_pb2.GetAccountRequest(name="cleo")).email == ""


def test_an_organiser_reads_the_link_and_whether_it_was_sent(
    boxes: Mailboxes, browser: Browser, other: Browser
) -> None:
    address = signed_up(other, "dora")
    browser.send("admin", name="otto", password=PASSWORD, token=ADMIN)
    assert address in browser.client.get("/account/person", params={"name": "dora"}).text
    assert address not in browser.client.get("/account/people").text
    made = browser.send("people/new-password", account="dora").text
    assert f"It was sent to {address}." in made
    assert mail_to(boxes, address) in made


def test_a_link_that_cannot_be_sent_is_shown_with_the_reason(tmp_path: Path, boxes: Mailboxes) -> None:
    with live_server(tmp_path, registration="open", **boxes.settings(port=1)) as live, Browser(live) as browser:
        signed_up(browser, "ada")
        browser.send("sign-out")
        assert ON_ITS_WAY in asked(browser, "ada").text
        until(lambda: "mail_failed" in live.log())
        browser.send("admin", name="otto", password=PASSWORD, token=ADMIN)
        made = browser.send("people/new-password", account="ada").text
        assert "It was not sent by e-mail: no mail can be sent through 127.0.0.1:1: connection refused." in made
        (token,) = re.findall(r"new-password\?link=([\w-]+)", made)
        assert browser.send("choose-password", link=token, password="a new password").status_code == 303
        assert "ada@mail.example" not in live.log()


def test_a_server_without_mail_says_whom_to_ask(tmp_path: Path) -> None:
    with live_server(tmp_path, registration="open") as live, Browser(live) as browser:
        page = browser.client.get("/account/lost-password").text
        assert "Ask an organiser, or who runs this server, for a link" in page
        assert 'action="/account/send-link"' not in page
        assert 'name="email"' not in browser.client.get("/account").text
        assert browser.send("send-link", name="ada").status_code == 409
        browser.sign_up("ada")
        assert 'name="email"' not in browser.client.get("/account").text
