"""Who may not play or be seen: bots and accounts that are suspended, bots that are hidden, results that were struck."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, or_, select, update

from farfalia_server.contract.errors import NotFound
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, log_of_event, subject_of_bot
from farfalia_server.store.changes import Topic
from farfalia_server.store.events.values import ARENA
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema

_bot, _account = schema.bot, schema.account


def barred() -> ColumnElement[bool]:
    """Return the condition that a bot, or its account, is suspended."""
    of_account = exists().where(_account.c.id == _bot.c.account_id, _account.c.suspended.is_not(None))
    return or_(_bot.c.suspended.is_not(None), of_account)


class Moderation(Part):
    """Keeps bots and accounts from playing, and out of sight; `who` does so, for a `reason`, and both are logged."""

    async def suspend_bot(self, name: str, *, suspended: bool, who: str, reason: str = "") -> None:
        """Suspend a bot, which ends its streams, or let it play again; NotFound."""
        values = {"suspended": now() if suspended else None}
        act = Act.SUSPEND if suspended else Act.LET_BACK
        await self._change_bot(name, values, act, who, reason)

    async def hide_bot(self, name: str, *, hidden: bool, who: str, reason: str = "") -> None:
        """Leave a bot out of lists and ladders, or show it again; NotFound."""
        await self._change_bot(name, {"hidden": hidden}, Act.HIDE if hidden else Act.SHOW, who, reason)

    async def set_challengers(self, name: str, challengers: str) -> None:
        """Set who may ask a bot for a match; NotFound."""
        await self._change_bot(name, {"challengers": challengers})

    async def strike(self, name: str, *, who: str, reason: str = "") -> int:
        """Let no match of a bot count on a ladder, and return how many those are; NotFound.

        The matches, their records and the tournaments that they belong to stay. The rater rebuilds the ratings.
        """
        match, seated = schema.match, schema.match_bot

        def work(connection: Connection) -> int:
            bot = _one(connection, name)
            of_bot = select(seated.c.match_id).where(seated.c.bot_id == bot.id)
            uncounted = update(match).where(match.c.id.in_(of_bot), match.c.ladder != "").values(ladder="")
            struck = connection.execute(uncounted).rowcount
            log_of_event(connection, ARENA, Act.STRIKE, who, subject_of_bot(name), reason)
            return struck

        struck = await self._database.write(work)
        self._changes.tell(Topic.RATING, 0)
        return struck

    async def suspend_account(self, name: str, *, suspended: bool, who: str, reason: str = "") -> None:
        """Suspend an account, which ends its sessions and the streams of its bots, or let it back in; NotFound."""
        session = schema.session

        def work(connection: Connection) -> tuple[int, list[int]]:
            change = update(_account).where(_account.c.name == name).values(suspended=now() if suspended else None)
            account = connection.execute(change.returning(_account.c.id)).scalar()
            if account is None:
                raise NotFound(said("there is no account %(name)s", name=repr(name)), "ACCOUNT_UNKNOWN")
            if suspended:
                connection.execute(delete(session).where(session.c.account_id == account))
            log_of_event(connection, ARENA, Act.SUSPEND if suspended else Act.LET_BACK, who, name, reason)
            bots = select(_bot.c.id).where(_bot.c.account_id == account)
            return account, list(connection.execute(bots).scalars())

        account, bots = await self._database.write(work)
        self._changes.tell(Topic.ACCOUNT, account)
        for bot in bots:
            self._changes.tell(Topic.BOT, bot)

    async def _change_bot(
        self, name: str, values: dict[str, Any], act: Act | None = None, who: str = "", reason: str = ""
    ) -> None:
        def work(connection: Connection) -> int:
            bot = _one(connection, name)
            connection.execute(update(_bot).where(_bot.c.id == bot.id).values(values))
            if act is not None:
                log_of_event(connection, ARENA, act, who, subject_of_bot(name), reason)
            return int(bot.id)

        self._changes.tell(Topic.BOT, await self._database.write(work))


def _one(connection: Connection, name: str) -> Any:
    """Return the row of a bot that is not the house's; NotFound."""
    row = connection.execute(select(_bot).where(_bot.c.name == name, _bot.c.house == "")).first()
    if row is None:
        raise NotFound(said("there is no bot %(name)r of anybody but the house", name=name), "BOT_UNKNOWN")
    return row
