"""Tokens of accounts beside the first one: each has a name, is good for a part of what the account may do, and ends
alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from farfalia_server.contract.errors import AlreadyExists, NotFound, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, log_of_event
from farfalia_server.store.changes import Topic
from farfalia_server.store.events.values import ARENA
from farfalia_server.store.part import Part
from farfalia_server.store.people.accounts import Account, to_account
from farfalia_server.store.people.bots import to_bot
from farfalia_server.store.people.password_links import PasswordLink, end_password_links
from farfalia_server.store.people.tokens import API_PREFIX, new_token, token_hash
from farfalia_server.store.people.values import Bot, TokenScope
from farfalia_server.store.sql import schema

#: Tokens that an account has at a time.
MOST: Final = 50
#: How old the last use may be before it is written.
_USED = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token of an account; `bot` and `event` name that for which alone it is good, else they are empty."""

    id: int
    name: str
    scope: TokenScope
    bot: str
    event: str
    created: datetime
    expires: datetime | None
    used: datetime | None


@dataclass(frozen=True, slots=True)
class TokenHolder:
    """Whose token was shown: the account, what the token is good for, and the bot or the event of that scope."""

    account: Account
    scope: TokenScope
    bot: Bot | None
    event: str


_token = schema.api_token


class ApiTokens(Part):
    """These tokens of all accounts."""

    async def create(
        self, account: Account, name: str, scope: TokenScope, *, bot: Bot | None, event: str, lasting: timedelta | None
    ) -> tuple[ApiToken, str]:
        """Make a token and return it with the only copy of it; AlreadyExists, ResourceExhausted (QUOTA_REACHED)."""
        token, moment = new_token(API_PREFIX), now()
        values = {
            "account_id": account.id,
            "name": name,
            "scope": scope.value,
            "bot_id": None if bot is None else bot.id,
            "event": event,
            "token_hash": token_hash(token),
            "created": moment,
            "expires": None if lasting is None else moment + lasting,
        }

        def work(connection: Connection) -> int:
            over = (_token.c.account_id == account.id) & (_token.c.expires < moment)
            connection.execute(delete(_token).where(over))
            of_account = select(func.count()).where(_token.c.account_id == account.id)
            if connection.execute(of_account).scalar_one() >= MOST:
                text = said("the account has %(most)s tokens; revoke one first", most=MOST)
                raise ResourceExhausted(text, "QUOTA_REACHED", retry=0.0)
            made: int = connection.execute(insert(_token).values(values).returning(_token.c.id)).scalar_one()
            log_of_event(connection, ARENA, Act.CREATE_TOKEN, account.name, name)
            return made

        try:
            number = await self._database.write(work)
        except IntegrityError:
            raise AlreadyExists(
                said("the account has a token %(name)r; choose another name, or revoke that", name=name)
            ) from None
        return next(one for one in await self.of(account.id) if one.id == number), token

    async def password_link(
        self, account: Account, who: str, kind: PasswordLink = PasswordLink.MADE
    ) -> tuple[str, datetime]:
        """Make a token with which an account chooses a password once, and end an earlier one of the same kind; return
        it, and until when it is good.
        """
        token, moment = new_token(API_PREFIX), now()
        expires = moment + kind.lasts
        values = {
            "account_id": account.id,
            "name": kind.value,
            "scope": TokenScope.PASSWORD.value,
            "event": "",
            "token_hash": token_hash(token),
            "created": moment,
            "expires": expires,
        }

        def work(connection: Connection) -> None:
            end_password_links(connection, account.id, kind)
            connection.execute(insert(_token).values(values))
            log_of_event(connection, ARENA, Act.LINK_PASSWORD, who, account.name)

        await self._database.write(work)
        return token, expires

    async def use_up(self, token: str) -> bool:
        """End a link to a new password, and the others of its account; False if somebody has used it meanwhile."""
        statement = delete(_token).where(_token.c.token_hash == token_hash(token), _good())

        def work(connection: Connection) -> bool:
            account = connection.execute(statement.returning(_token.c.account_id)).scalar()
            if account is not None:
                end_password_links(connection, account)
            return account is not None

        return await self._database.write(work)

    async def of(self, account: int) -> list[ApiToken]:
        """Return the tokens of an account by name, without those that have expired."""
        bot = schema.bot
        statement = (
            select(_token, bot.c.name.label("bot"))
            .outerjoin(bot, bot.c.id == _token.c.bot_id)
            .where(_token.c.account_id == account, _token.c.scope != TokenScope.PASSWORD, _good())
            .order_by(_token.c.name)
        )
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [
            ApiToken(
                row.id, row.name, TokenScope(row.scope), row.bot or "", row.event, row.created, row.expires, row.used
            )
            for row in rows
        ]

    async def revoke(self, account: Account, number: int) -> None:
        """End a token of an account; NotFound (TOKEN_UNKNOWN)."""

        def work(connection: Connection) -> None:
            of_account = (_token.c.id == number) & (_token.c.account_id == account.id)
            name = connection.execute(delete(_token).where(of_account).returning(_token.c.name)).scalar()
            if name is None:
                raise NotFound(
                    said("the account %(account)s has no token %(number)s", account=account.name, number=number),
                    "TOKEN_UNKNOWN",
                )
            log_of_event(connection, ARENA, Act.REVOKE_TOKEN, account.name, name)

        await self._database.write(work)
        self._changes.tell(Topic.ACCOUNT, account.id)

    async def holder(self, token: str) -> TokenHolder | None:
        """Return whose token this is, unless it has expired, and note that it is used."""
        row = await self._database.read(lambda connection: connection.execute(_with_token(token)).first())
        if row is None:
            return None
        moment = now()
        if row.used is None or row.used < moment - _USED:
            use = update(_token).where(_token.c.id == row.id).values(used=moment)
            await self._database.write(lambda connection: connection.execute(use).rowcount)
        account, bot = await self._database.read(lambda connection: _account_and_bot(connection, row))
        return TokenHolder(account, TokenScope(row.scope), bot, row.event)

    async def token_hashes(self) -> frozenset[bytes]:
        """Return the hashes of all that have not expired."""
        statement = select(_token.c.token_hash).where(_good())
        return await self._database.read(lambda connection: frozenset(connection.execute(statement).scalars()))


def _good() -> Any:
    return or_(_token.c.expires.is_(None), _token.c.expires > now())


def _with_token(token: str) -> Select[Any]:
    return select(_token).where(_token.c.token_hash == token_hash(token), _good())


def _account_and_bot(connection: Connection, row: Row[*tuple[Any, ...]]) -> tuple[Account, Bot | None]:
    account = connection.execute(select(schema.account).filter_by(id=row.account_id)).one()
    bot = None if row.bot_id is None else connection.execute(select(schema.bot).filter_by(id=row.bot_id)).one()
    return to_account(account), None if bot is None else to_bot(bot)
