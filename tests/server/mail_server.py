"""A real mail server, whose mails tests read."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from tests.server.certificate import make_certificate
from tests.server.live import PATIENCE

from farfalia_server.net.mail import MailServer, SmtpSecurity

USER, SECRET, SENDER = "arena", "mail-secret", "arena@arena.example"
#: Who has no mailbox there.
UNKNOWN = "unknown@mail.example"


class Mailboxes:
    """What has arrived, and for whom."""

    def __init__(self) -> None:
        #: The recipients and the mail of each delivery.
        self.mails: list[tuple[list[str], EmailMessage]] = []
        self.port = 0
        self.certificate = Path()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a recipient, or repeat the address in a refusal, as many servers do."""
        if address == UNKNOWN:
            return f"550 there is no {address} here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep a mail."""
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(([*map(str, envelope.rcpt_tos)], mail))
        return "250 OK"

    def settings(self, **others: Any) -> dict[str, Any]:
        """The settings of a server that sends its mail here."""
        named = {"host": "127.0.0.1", "port": self.port, "user": USER, "password": SECRET, "sender": SENDER} | others
        return {f"smtp_{name}": value for name, value in named.items()}

    def server(self, **others: Any) -> MailServer:
        """The same, as the mailer takes it."""
        return MailServer(
            **{
                "host": "127.0.0.1",
                "port": self.port,
                "user": USER,
                "password": SECRET,
                "sender": SENDER,
                "security": SmtpSecurity.STARTTLS,
                **others,
            }
        )


def link_in(mail: EmailMessage) -> str:
    """The address in a mail."""
    (link,) = (line for line in mail.get_content().splitlines() if line.startswith(("http://", "https://")))
    return str(link)


def token_of(link: str) -> str:
    """The token of a link."""
    return link.partition("?link=")[2]


@contextmanager
def mail_server(folder: Path, port: int = 0) -> Iterator[Mailboxes]:
    """A mail server on this machine that wants STARTTLS and a password, and whose certificate this process trusts."""
    boxes = Mailboxes()
    boxes.certificate, key = make_certificate(folder, "mail", "IP:127.0.0.1,DNS:mail.example")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(boxes.certificate, key)
    loop, ready = asyncio.new_event_loop(), threading.Event()

    def spoken_to() -> SMTP:
        return SMTP(boxes, tls_context=tls, require_starttls=True, auth_required=True, authenticator=_right, loop=loop)

    def run() -> None:
        listening = loop.run_until_complete(loop.create_server(spoken_to, "127.0.0.1", port))
        boxes.port = listening.sockets[0].getsockname()[1]
        ready.set()
        loop.run_forever()
        listening.close()
        loop.run_until_complete(_ended(asyncio.all_tasks(loop)))
        loop.close()

    thread = threading.Thread(target=run, name="mail server", daemon=True)
    thread.start()
    assert ready.wait(PATIENCE)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SSL_CERT_FILE", str(boxes.certificate))
            yield boxes
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def _right(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
    right = (data.login, data.password) == (USER.encode(), SECRET.encode())
    return AuthResult(success=right, handled=right)


async def _ended(tasks: Collection[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
