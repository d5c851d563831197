"""Identities: which account signs in as whom at a provider of OpenID Connect."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, exists, select

from farfalia_server.contract.errors import FailedPrecondition, NotFound
from farfalia_server.contract.said import said
from farfalia_server.store.changes import Topic
from farfalia_server.store.part import Part
from farfalia_server.store.people.accounts import Account, to_account
from farfalia_server.store.people.identity_rows import add_identity
from farfalia_server.store.sql import schema

_identity, _account = schema.identity, schema.account


@dataclass(frozen=True, slots=True)
class Identity:
    """Who somebody is at a provider: its URL, and what it calls them, which never changes."""

    id: int
    issuer: str
    subject: str
    created: datetime


class Identities(Part):
    """The identities of all accounts."""

    async def account(self, issuer: str, subject: str) -> Account | None:
        """Return the account that signs in with an identity, if there is one."""
        its = (_identity.c.issuer == issuer) & (_identity.c.subject == subject)
        statement = select(_account).where(its, _identity.c.account_id == _account.c.id)
        row = await self._database.read(lambda connection: connection.execute(statement).first())
        return None if row is None else to_account(row)

    async def of(self, account: int) -> list[Identity]:
        """Return the identities of an account, oldest first."""
        columns = (_identity.c.id, _identity.c.issuer, _identity.c.subject, _identity.c.created)
        statement = select(*columns).where(_identity.c.account_id == account).order_by(_identity.c.id)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [Identity(*row) for row in rows]

    async def connect(self, account: int, issuer: str, subject: str) -> None:
        """Let an account sign in with an identity; AlreadyExists (IDENTITY_TAKEN) if another account does."""
        await self._database.write(lambda connection: add_identity(connection, account, issuer, subject))
        self._changes.tell(Topic.ACCOUNT, account)

    async def disconnect(self, account: int, number: int, issuer: str) -> None:
        """Let an account no longer sign in with one of its identities; NotFound.

        FailedPrecondition (IDENTITY_LAST) if it then has neither a password nor another identity at this issuer, the
        only one at which people can sign in.
        """

        def work(connection: Connection) -> None:
            # The row of the account is locked: two of its identities that go at once would each be another way in.
            its = connection.execute(select(_account.c.password_hash).where(_account.c.id == account).with_for_update())
            password = its.scalar_one()
            own = _identity.c.account_id == account
            gone = connection.execute(delete(_identity).where(own, _identity.c.id == number)).rowcount
            if not gone:
                raise NotFound(said("the account has no identity %(number)s", number=number), "IDENTITY_UNKNOWN")
            if (
                not password
                and not connection.execute(select(exists().where(own, _identity.c.issuer == issuer))).scalar()
            ):
                raise FailedPrecondition(
                    said("this is the account's only way in; choose a password before you disconnect it"),
                    "IDENTITY_LAST",
                )

        await self._database.write(work)
        self._changes.tell(Topic.ACCOUNT, account)
