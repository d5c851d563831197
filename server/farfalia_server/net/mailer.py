"""Sends mail through an SMTP server, without blocking what is played."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from aiosmtplib import SMTP
from aiosmtplib.errors import (
    SMTPAuthenticationError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientsRefused,
    SMTPResponseException,
)

from farfalia_server.contract.untrusted import clean
from farfalia_server.net.mail import MailServer, SmtpSecurity
from farfalia_server.net.wall_clock import now

#: Seconds for one answer of the mail server, and for a mail from the first to the last word.
_ANSWER, _PATIENCE = 5.0, 10.0
#: Mails that are sent at a time; others wait, which counts as theirs.
_FEW = 4
#: Most characters of what the mail server says, and of a sender's name.
_SAID, _NAME = 200, 80


class MailFailed(Exception):
    """Raised when a mail could not be sent: a fragment that says why, for those who may see the recipient's address.

    `logged` says it without the words of the mail server, which may repeat that address.
    """

    def __init__(self, text: str, logged: str = "") -> None:
        super().__init__(text)
        self.logged = logged or text


class Mailer:
    """Sends plain text in the name of `name`, through one mail server."""

    def __init__(self, server: MailServer, name: str) -> None:
        self._server = server
        self._name = clean(name, _NAME)
        self._few = asyncio.Semaphore(_FEW)

    async def send(self, recipient: str, subject: str, text: str) -> None:
        """Send a mail to one address; MailFailed after ten seconds at most."""
        message = self._message(recipient, subject, text)
        async with self._connected() as client:
            try:
                await client.send_message(message, sender=self._server.sender, recipients=[recipient])
            except SMTPRecipientsRefused as error:
                (refused,) = error.recipients
                raise self._refused("does not take the recipient", refused) from None
            except SMTPResponseException as error:
                raise self._refused("does not take the mail", error) from None

    async def check(self) -> None:
        """Connect, sign in, and send nothing; MailFailed."""
        async with self._connected() as client:
            await client.noop()

    def _message(self, recipient: str, subject: str, text: str) -> EmailMessage:
        """Return the mail; a line break in a header, which `EmailMessage` refuses, cannot come from outside."""
        message = EmailMessage()
        message["From"] = Address(self._name, addr_spec=self._server.sender)
        message["To"] = Address(addr_spec=recipient)
        message["Subject"] = clean(subject, _SAID)
        message["Date"] = format_datetime(now())
        message["Message-ID"] = make_msgid(domain=self._domain)
        message["Auto-Submitted"] = "auto-generated"
        # Otherwise lines with a link are broken, and written with signs that only a mail program takes back.
        message.set_content(text, cte="7bit" if text.isascii() else None)
        return message

    @property
    def _domain(self) -> str:
        return self._server.sender.partition("@")[2]

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[SMTP]:
        """Give a connection on which somebody has signed in, if there is a user; turn its errors into ours."""
        server = self._server
        try:
            async with asyncio.timeout(_PATIENCE), self._few:
                tls = await asyncio.to_thread(ssl.create_default_context)
                client = SMTP(
                    hostname=server.host,
                    port=server.port,
                    local_hostname=self._domain,
                    timeout=_ANSWER,
                    use_tls=server.security is SmtpSecurity.TLS,
                    start_tls=server.security is SmtpSecurity.STARTTLS,
                    tls_context=tls,
                )
                try:
                    await client.connect()
                    if server.user:
                        await client.login(server.user, server.password)
                    yield client
                    with suppress(SMTPException, OSError):  # what was taken is sent, whatever comes of the farewell
                        await client.quit()
                finally:
                    # A farewell by TLS would wait for theirs, for up to half a minute.
                    if isinstance(client.transport, asyncio.Transport):
                        client.transport.abort()
                    client.close()
        except SMTPAuthenticationError as error:
            raise self._refused(f"does not let {server.user} sign in", error) from None
        except SMTPNotSupported as error:
            raise self._failed(str(error)) from None
        except SMTPResponseException as error:
            raise self._refused("does not go on", error) from None
        except TimeoutError:
            raise self._failed("it does not answer in time") from None
        except (SMTPException, OSError, ValueError) as error:
            raise self._failed(_reason(error)) from None

    def _failed(self, why: str) -> MailFailed:
        return MailFailed(f"no mail can be sent through {self._server.address}: {clean(why, _SAID)}")

    def _refused(self, what: str, error: SMTPResponseException) -> MailFailed:
        said = f"the mail server {self._server.address} {what} ({error.code}"
        return MailFailed(f"{said} {clean(error.message, _SAID)})", f"{said})")


def _reason(error: Exception) -> str:
    """Return why nobody can talk to the server: the first cause, which names the certificate or the connection."""
    causes: list[BaseException] = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and cause not in causes:
        causes.append(cause)
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not good: {cause.verify_message}"
        if isinstance(cause, ConnectionError) and cause.errno:
            return os.strerror(cause.errno).lower()
    said = next((cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror), None)
    return said or str(error) or type(error).__name__
