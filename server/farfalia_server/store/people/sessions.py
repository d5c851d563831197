"""Sessions: who has signed in. A session is a token of an account that ends by itself."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, insert, or_, select, update

from farfalia_server.net.wall_clock import now
from farfalia_server.store.part import Part
from farfalia_server.store.people.accounts import Account, to_account
from farfalia_server.store.people.tokens import SESSION_PREFIX, new_token, token_hash
from farfalia_server.store.sql import schema

#: How long a session lasts at most, how long if nobody uses it, and how old its last use may be before it is written.
LASTS, IDLE, _USED = timedelta(days=30), timedelta(days=7), timedelta(minutes=5)
#: Sessions that an account has at a time; one more ends the one that was used longest ago.
MOST: Final = 20


class Sessions(Part):
    """The sessions of all accounts."""

    async def begin(self, account: Account) -> tuple[str, datetime]:
        """Begin a session and return the only copy of it, and until when it lasts at most."""
        token, table, moment = new_token(SESSION_PREFIX), schema.session, now()
        values = {"token_hash": token_hash(token), "account_id": account.id, "created": moment, "used": moment}
        over = or_(table.c.created < moment - LASTS, table.c.used < moment - IDLE)
        kept = (
            select(table.c.token_hash)
            .where(table.c.account_id == account.id)
            .order_by(table.c.used.desc(), table.c.created.desc())
            .limit(MOST)
        )
        oldest = (table.c.account_id == account.id) & table.c.token_hash.not_in(kept)
        statements = (delete(table).where(over), insert(table).values(values), delete(table).where(oldest))
        await self._database.write(lambda connection: [connection.execute(statement) for statement in statements])
        return token, moment + LASTS

    async def account(self, token: str) -> Account | None:
        """Return the account whose session this is, unless the session is over."""
        table, moment = schema.session, now()
        lasts = (table.c.created > moment - LASTS) & (table.c.used > moment - IDLE)
        of_session = (table.c.token_hash == token_hash(token)) & lasts & (table.c.account_id == schema.account.c.id)
        statement = select(schema.account, table.c.used).where(of_session)
        row = await self._database.read(lambda connection: connection.execute(statement).first())
        if row is None:
            return None
        if row.used < moment - _USED:
            use = update(table).where(table.c.token_hash == token_hash(token)).values(used=moment)
            await self._database.write(lambda connection: connection.execute(use).rowcount)
        return to_account(row)

    async def end(self, token: str) -> None:
        """End a session."""
        statement = delete(schema.session).where(schema.session.c.token_hash == token_hash(token))
        await self._database.write(lambda connection: connection.execute(statement).rowcount)

    async def end_all(self, account: Account) -> None:
        """End all sessions of an account."""
        statement = delete(schema.session).where(schema.session.c.account_id == account.id)
        await self._database.write(lambda connection: connection.execute(statement).rowcount)

    async def token_hashes(self) -> frozenset[bytes]:
        """Return the hashes of all sessions."""
        statement = select(schema.session.c.token_hash)
        return await self._database.read(lambda connection: frozenset(connection.execute(statement).scalars()))
