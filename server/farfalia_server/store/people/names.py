"""The names of bots, accounts and tournaments, for those who remember a part of one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import exists, func, or_, select

from farfalia_server.store.part import Part
from farfalia_server.store.people.bots import SHOWN
from farfalia_server.store.sql import schema

_bot, _account, _event, _member = schema.bot, schema.account, schema.event, schema.event_member
_tournament = schema.tournament
_HAS_BOTS = exists().where(_bot.c.account_id == _account.c.id, _bot.c.owner == _account.c.name, *SHOWN)
_EVENT = (
    select(func.min(_event.c.name))
    .join(_member, _member.c.event == _event.c.name)
    .where(_member.c.account_id == _account.c.id, _event.c.published.is_not(None))
    .correlate(_account)
    .scalar_subquery()
)


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """An account that pages name: as the owner of bots, or as a member of an event, empty if it is in none."""

    name: str
    has_bots: bool
    event: str


class Names(Part):
    """The names, of bots and accounts from an index alone, and what is behind a few of them."""

    async def of_bots(self) -> list[str]:
        """Return the names of all bots, also of those that are hidden."""
        statement = select(_bot.c.name)
        return await self._database.read(lambda connection: list(connection.execute(statement).scalars()))

    async def of_accounts(self) -> list[str]:
        """Return the names of all accounts, also of those that no page names."""
        statement = select(_account.c.name)
        return await self._database.read(lambda connection: list(connection.execute(statement).scalars()))

    async def of_tournaments(self, limit: int) -> list[tuple[int, str, str]]:
        """Return number, name and ruleset of the newest tournaments, newest first."""
        columns = (_tournament.c.id, _tournament.c.name, _tournament.c.ruleset)
        statement = select(*columns).order_by(_tournament.c.id.desc()).limit(limit)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [(row.id, row.name, row.ruleset) for row in rows]

    async def owners(self, bots: Collection[str]) -> dict[str, str]:
        """Return the owners of those of these bots that pages show, by the name of the bot."""
        statement = select(_bot.c.name, _bot.c.owner).where(_bot.c.name.in_(bots), *SHOWN)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.name: row.owner for row in rows}

    async def people(self, names: Collection[str]) -> dict[str, NamedPerson]:
        """Return those of these accounts that pages name, by name."""
        statement = select(_account.c.name, _HAS_BOTS.label("has_bots"), _EVENT.label("event")).where(
            _account.c.name.in_(names),
            _account.c.revoked.is_(None),
            _account.c.removed.is_(None),
            or_(_HAS_BOTS, _EVENT.is_not(None)),
        )
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.name: NamedPerson(row.name, bool(row.has_bots), row.event or "") for row in rows}
