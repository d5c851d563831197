"""Links to a new password by e-mail: when an organiser makes one, and when somebody says that theirs is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from time import monotonic
from types import TracebackType

import structlog

from farfalia.v1 import accounts_pb2
from farfalia_server.contract.bounds import BOT_NAME
from farfalia_server.contract.errors import FarfaliaServerError, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import clean
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.client_address import is_counted
from farfalia_server.net.mailer import Mailer, MailFailed
from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBuckets
from farfalia_server.store import Account, PasswordLink, Store, token_hash

log = structlog.get_logger(__name__)

#: Requests that wait for the database or the mail server at a time; more are refused, for any account.
_WAITING = 200
#: Most characters of the server's name.
_NAME = 80
_TEXT = """\
Hello,

somebody, probably you, wants a new password for the account {account} at {server}.
Choose it here:

{link}

The link is good once, until {until} UTC. The present password works until then.
If you did not ask for it, do nothing, and give the link to nobody.
"""


class PasswordMail:
    """Sends links to the addresses of accounts; `async with` ends what is being sent with it.

    `addresses` are the public ones, where the links lead; `server` is the name of this one.
    """

    def __init__(self, store: Store, mailer: Mailer, addresses: Callable[[], Addresses], server: str) -> None:
        self._store = store
        self._mailer = mailer
        self._addresses = addresses
        self._server = clean(server, _NAME)
        #: Links that were asked for, by account, address and recipient.
        self.requested = TokenBuckets(limits.PASSWORD_LINKS_BURST, limits.PASSWORD_LINKS_RATE)
        self._sending: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> PasswordMail:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._sending:
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)

    async def send(self, account: Account, token: str, expires: datetime) -> tuple[accounts_pb2.MailStatus, str]:
        """Send an account its link; return what became of it, and why it could not be sent."""
        if not account.email:
            return accounts_pb2.MAIL_STATUS_NO_ADDRESS, ""
        link = f"{self._addresses().pages}account/new-password?link={token}"
        subject = f"New password for {account.name} at {self._server}"
        text = _TEXT.format(account=account.name, server=self._server, link=link, until=f"{expires:%Y-%m-%d %H:%M}")
        try:
            await self._mailer.send(account.email, subject, text)
        except MailFailed as error:
            log.warning("mail_failed", account=account.name, error=error.logged)
            return accounts_pb2.MAIL_STATUS_FAILED, str(error)
        log.info("mail_sent", account=account.name)
        return accounts_pb2.MAIL_STATUS_SENT, ""

    def request(self, name: str, address: str) -> None:
        """Send an account a link if it exists, has an address and may sign in, and return before that is known.

        ResourceExhausted (LINKS_TOO_FAST) after too many for the name or from the address, whether it exists or not.
        """
        is_name = BOT_NAME.fullmatch(name) is not None
        keys = [f"account {name.lower()}"] * is_name + [f"address {address}"] * is_counted(address)
        wait = max(map(self._wait, keys), default=0.0)
        if wait or len(self._sending) >= _WAITING:
            raise ResourceExhausted(
                said(
                    "too many links were asked for; expected at most %(most)s in a row: look "
                    "into your mail, or try again later",
                    most=limits.PASSWORD_LINKS_BURST,
                ),
                "LINKS_TOO_FAST",
                retry=wait or None,
            )
        if is_name:
            task = asyncio.create_task(self._sent(name), name="password link")
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    def _wait(self, key: str) -> float:
        return self.requested.take(key, monotonic())

    async def _sent(self, name: str) -> None:
        try:
            account = await self._store.accounts.find(name)
            if account is None or not account.email or account.suspended or account.revoked:
                return
            if self._wait(f"recipient {token_hash(account.email.lower()).hex()}"):  # which several accounts may name
                return
            await self.send(account, *await self._store.api_tokens.password_link(account, "", PasswordLink.REQUESTED))
        except FarfaliaServerError as error:
            log.warning("mail_failed", account=name, error=str(error))
