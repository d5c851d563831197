"""Accounts: owners of bots, organisers, viewers."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from farfalia_server.contract.errors import AlreadyExists, NotFound
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, log_of_event
from farfalia_server.store.changes import Topic
from farfalia_server.store.events.members import add_member
from farfalia_server.store.events.values import ARENA
from farfalia_server.store.part import Part
from farfalia_server.store.people.bots import to_bot
from farfalia_server.store.people.identity_rows import add_identity
from farfalia_server.store.people.invitations import redeem
from farfalia_server.store.people.password_links import end_password_links
from farfalia_server.store.people.registrations import check_similar_name, count_registration
from farfalia_server.store.people.tokens import new_token, token_hash
from farfalia_server.store.people.values import Bot
from farfalia_server.store.sql import schema


class _Undone(Exception):
    """Takes back a transaction that would have succeeded."""


class Role(StrEnum):
    """What an account may do."""

    OWNER = "owner"
    VIEWER = "viewer"
    ORGANISER = "organiser"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Account:
    """A person, or a group, with a token unless it was revoked; `bots` is how many of its bots have one.

    `source` is the address of a stranger who made it without being invited, or empty; `password` is the hash of one, or
    empty.
    """

    id: int
    name: str
    role: Role
    created: datetime
    revoked: datetime | None
    source: str = ""
    bots: int = 0
    password: str = field(default="", repr=False)
    suspended: datetime | None = None
    removed: bool = False
    #: The event whose invitation made it.
    event: str = ARENA
    #: Where links to a new password go, or empty. Only the account and those who manage it may see it.
    email: str = field(default="", repr=False)


class Accounts(Part):
    """The accounts."""

    async def create(
        self,
        name: str,
        role: Role = Role.OWNER,
        *,
        invitation: str = "",
        source: str = "",
        most: int = 0,
        stranger: str = "",
        password: str = "",
        only_check: bool = False,
        identity: tuple[str, str] | None = None,
        email: str = "",
    ) -> tuple[Account, str]:
        """Create an account and return it with the only copy of its token; AlreadyExists if the name is taken.

        `invitation` loses one use, and makes it a member of its event: PermissionDenied (INVITATION_INVALID) if it has
        none left. At most `most` accounts
        an hour may come from one `source`: ResourceExhausted. `stranger` is the address of who makes it without being
        invited, and empty on this machine. `password` is the hash of one; `identity` is an issuer and a subject with
        which it signs in, AlreadyExists (IDENTITY_TAKEN) if another account does. `only_check` is for `check`.
        """
        token = new_token()
        values = {
            "name": name,
            "role": role.value,
            "token_hash": token_hash(token),
            "created": now(),
            "source": stranger,
            "password_hash": password or None,
            "email": email or None,
        }

        def work(connection: Connection) -> Account:
            check_similar_name(connection, schema.account, name)
            event = redeem(connection, invitation) if invitation else ARENA
            made = insert(schema.account).values(**values, event=event)
            row = connection.execute(made.returning(schema.account)).one()
            if identity is not None:
                add_identity(connection, row.id, *identity)
            if event != ARENA:
                add_member(connection, event, row.id)
            if source:
                count_registration(connection, source, most)
            if only_check:
                raise _Undone
            return to_account(row)

        try:
            account = await self._database.write(work)
        except IntegrityError:
            raise AlreadyExists(said("there is already an account %(name)r; choose another name", name=name)) from None
        self._changes.tell(Topic.ACCOUNT, account.id)
        return account, token

    async def check(self, name: str, **wanted: Any) -> None:
        """Raise what `create` would raise, and change nothing."""
        with suppress(_Undone):
            await self.create(name, **wanted, only_check=True)

    async def by_token(self, token: str) -> Account | None:
        """Return the account whose token this is."""
        statement = select(schema.account).filter_by(token_hash=token_hash(token))
        row = await self._database.read(lambda connection: connection.execute(statement).first())
        return None if row is None else to_account(row)

    async def token_hashes(self) -> frozenset[bytes]:
        """Return the hashes of all accounts' tokens."""
        statement = select(schema.account.c.token_hash)
        return await self._database.read(lambda connection: frozenset(connection.execute(statement).scalars()))

    async def by_name(self, name: str) -> Account:
        """Return the account of that name; NotFound."""
        found = await self._where(schema.account.c.name == name, 1)
        if not found:
            raise NotFound(said("there is no account %(name)s", name=repr(name)), "ACCOUNT_UNKNOWN")
        return found[0]

    async def by_id(self, number: int) -> Account:
        """Return the account of that number, which exists."""
        (found,) = await self._where(schema.account.c.id == number, 1)
        return found

    async def names(self, numbers: Collection[int]) -> dict[int, str]:
        """Return the names of accounts, by number."""
        statement = select(schema.account.c.id, schema.account.c.name).where(schema.account.c.id.in_(numbers))
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.id: row.name for row in rows}

    async def find(self, name: str) -> Account | None:
        """Return the account of that name, if there is one."""
        return next(iter(await self._where(schema.account.c.name == name, 1)), None)

    async def page(self, limit: int, after: str = "") -> list[Account]:
        """Return accounts by name, starting after a name."""
        return await self._where(schema.account.c.name > after, limit)

    async def bots(self, account: int) -> list[Bot]:
        """Return the bots of an account that are not removed, by name."""
        statement = select(schema.bot).filter_by(account_id=account, removed=None).order_by(schema.bot.c.name)
        return await self._database.read(lambda connection: list(map(to_bot, connection.execute(statement))))

    async def rotate_token(self, name: str, who: str = "") -> str:
        """Give an account a new token in place of the old one, even if that was revoked; NotFound.

        `who` does so for somebody else, here and below, which is logged.
        """
        token = new_token()
        await self._change(name, {"token_hash": token_hash(token), "revoked": None}, Act.ROTATE_TOKEN, who)
        return token

    async def set_password(self, name: str, password: str, who: str = "", *, except_session: str = "") -> Account:
        """Give an account the password with this hash, and end its sessions but this one; NotFound."""
        values = {"password_hash": password}
        return await self._change(name, values, Act.SET_PASSWORD, who, end_sessions=True, except_session=except_session)

    async def set_email(self, name: str, email: str, who: str = "") -> Account:
        """Give an account this e-mail address, none if it is empty, and end its links to a new password: they may have
        gone to another one; NotFound.
        """
        return await self._change(name, {"email": email or None}, Act.SET_EMAIL, who, end_links=True)

    async def revoke(self, name: str, who: str = "") -> Account:
        """Revoke all tokens of an account and those of its bots, its password, identities and sessions; NotFound."""
        values = {"token_hash": None, "password_hash": None, "revoked": now()}
        return await self._change(name, values, Act.REVOKE_ACCOUNT, who, revoking=True, end_sessions=True)

    async def _change(
        self,
        name: str,
        values: dict[str, Any],
        act: Act,
        who: str,
        *,
        revoking: bool = False,
        end_sessions: bool = False,
        end_links: bool = False,
        except_session: str = "",
    ) -> Account:
        table, bot, session = schema.account, schema.bot, schema.session

        def work(connection: Connection) -> tuple[Account, list[int]]:
            row = connection.execute(update(table).where(table.c.name == name).values(values).returning(table)).first()
            if row is None:
                raise NotFound(said("there is no account %(name)s", name=repr(name)), "ACCOUNT_UNKNOWN")
            log_of_event(connection, ARENA, act, who, name)
            if end_sessions:
                others = (session.c.account_id == row.id) & (session.c.token_hash != token_hash(except_session))
                connection.execute(delete(session).where(others))
            if end_links:
                end_password_links(connection, row.id)
            if not revoking:
                return to_account(row), []
            for table_of in (schema.identity, schema.api_token):
                connection.execute(delete(table_of).where(table_of.c.account_id == row.id))
            of_bots = update(bot).where(bot.c.account_id == row.id).values(token_hash=None).returning(bot.c.id)
            return to_account(row), list(connection.execute(of_bots).scalars())

        account, bots = await self._database.write(work)
        self._changes.tell(Topic.ACCOUNT, account.id)
        for number in bots:
            self._changes.tell(Topic.BOT, number)
        return account

    async def _where(self, condition: Any, limit: int) -> list[Account]:
        table, bot = schema.account, schema.bot
        bots = (
            select(func.count()).where(bot.c.account_id == table.c.id, bot.c.token_hash.is_not(None)).scalar_subquery()
        )
        statement = select(table, bots.label("bots")).where(condition).order_by(table.c.name).limit(limit)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [to_account(row, row.bots) for row in rows]


def to_account(row: Row[*tuple[Any, ...]], bots: int = 0) -> Account:
    """Return the account of a row."""
    password = row.password_hash or ""
    return Account(
        row.id,
        row.name,
        Role(row.role),
        row.created,
        row.revoked,
        row.source,
        bots,
        password,
        row.suspended,
        row.removed is not None,
        row.event,
        row.email or "",
    )
