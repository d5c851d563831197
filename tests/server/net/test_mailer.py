"""Mail that a real mail server takes, and what is said if it does not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.certificate import make_certificate
from tests.server.mail_server import SENDER, UNKNOWN, Mailboxes, mail_server

from farfalia_server.net import mailer
from farfalia_server.net.mail import SmtpSecurity, is_mail_address
from farfalia_server.net.mailer import Mailer, MailFailed

TO = "ada@mail.example"


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mailboxes]:
    with mail_server(tmp_path_factory.mktemp("mail")) as boxes:
        yield boxes


async def why(boxes: Mailboxes, recipient: str = TO, **settings: Any) -> tuple[str, str]:
    """Why nothing is sent: for people, and for the log."""
    before = len(boxes.mails)
    with pytest.raises(MailFailed) as failure:
        await Mailer(boxes.server(**settings), "Arena").send(recipient, "New password", "text")
    assert len(boxes.mails) == before
    for _ in range(3):  # the loop of a test ends with it, and closes a connection one turn after it was told to
        await asyncio.sleep(0)
    return str(failure.value), failure.value.logged


async def test_a_mail_arrives_as_plain_text_in_the_name_of_the_server(boxes: Mailboxes) -> None:
    await Mailer(boxes.server(), "Università").send(TO, "New password for ada", "A line\nanother: über\n")
    recipients, mail = boxes.mails[-1]
    assert (recipients, mail["To"], mail["From"]) == ([TO], TO, f"Università <{SENDER}>")
    assert (mail.get_content_type(), mail.get_content().splitlines()) == ("text/plain", ["A line", "another: über"])
    assert (mail["Subject"], mail["Auto-Submitted"]) == ("New password for ada", "auto-generated")
    assert mail["Date"]
    assert mail["Message-ID"].endswith("@arena.example>")


async def test_no_name_makes_a_header_or_another_recipient(boxes: Mailboxes) -> None:
    bad = "Arena\r\nBcc: eve@mail.example"
    await Mailer(boxes.server(), bad).send(TO, bad, "text")
    recipients, mail = boxes.mails[-1]
    assert recipients == [TO]
    assert mail["Bcc"] is None
    assert mail["Subject"] == "Arena Bcc: eve@mail.example"


async def test_a_mail_server_that_is_down_is_named(boxes: Mailboxes) -> None:
    told = "no mail can be sent through 127.0.0.1:1: connection refused"
    assert await why(boxes, port=1) == (told, told)


async def test_a_certificate_that_nobody_trusts_stops_the_mail(
    boxes: Mailboxes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(make_certificate(tmp_path, "another")[0]))
    assert "its certificate is not good: self-signed certificate" in (await why(boxes))[0]


async def test_a_certificate_of_another_name_stops_the_mail(boxes: Mailboxes) -> None:
    assert "its certificate is not good: Hostname mismatch" in (await why(boxes, host="localhost"))[0]


async def test_a_wrong_password_is_said_and_not_shown(boxes: Mailboxes) -> None:
    told, logged = await why(boxes, password="guessed")
    assert told.endswith("does not let arena sign in (535 5.7.8 Authentication credentials invalid)")
    assert "guessed" not in told + logged


async def test_an_unknown_mailbox_is_not_named_in_the_log(boxes: Mailboxes) -> None:
    told, logged = await why(boxes, UNKNOWN)
    assert told.endswith(f"does not take the recipient (550 there is no {UNKNOWN} here)")
    assert logged.endswith("does not take the recipient (550)")


async def test_a_server_without_starttls_gets_no_mail(tmp_path: Path) -> None:
    gone = asyncio.Event()

    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 here\r\n")
        while line := await reader.readline():
            assert not line.startswith((b"MAIL", b"AUTH"))
            writer.write(b"250 plain.example\r\n")
        writer.close()
        await writer.wait_closed()
        gone.set()

    listening = await asyncio.start_server(plain, "127.0.0.1", 0)
    async with listening:
        boxes = Mailboxes()
        boxes.port = listening.sockets[0].getsockname()[1]
        assert "STARTTLS" in (await why(boxes))[0].upper()
        await gone.wait()


@pytest.mark.parametrize("security", SmtpSecurity)
async def test_a_server_that_says_nothing_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch, security: SmtpSecurity
) -> None:
    monkeypatch.setattr(mailer, "_PATIENCE", 0.2)
    gone = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()
        gone.set()

    listening = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    async with listening:
        boxes = Mailboxes()
        boxes.port = listening.sockets[0].getsockname()[1]
        assert (await why(boxes, security=security))[0].endswith("it does not answer in time")
        await gone.wait()


@pytest.mark.parametrize("address", ["ada@mail.example", "a.b+c@x", "o'neil@mail.example", "a" * 64 + "@x.example"])
def test_what_is_an_address(address: str) -> None:
    assert is_mail_address(address)


@pytest.mark.parametrize(
    "address",
    [
        *("ada", "ada@", "@mail.example", "ada@mail@example", "ada @mail.example", "a..b@mail.example", ".a@x"),
        *("ada@mail.example\n", "ada@mail.example\r\nBcc: eve@x", "ada@x,eve@x", "<ada@x>", "ada@-x", "äda@x"),
        *("a" * 65 + "@x.example", "ada@" + "x." * 126 + "example"),
    ],
)
def test_what_is_none(address: str) -> None:
    assert not is_mail_address(address)
