"""Other names for bots and accounts, and placeholders for those that were removed.

A bot's name is in many rows: those change at once. It is in the records of its matches, too, under their digests, and
those in the chains of ladders: records are written anew in batches, and the rater then rebuilds the chains. Whoever
kept a copy of a chain sees from the log who was renamed or removed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, exists, insert, select, true, update
from sqlalchemy.exc import IntegrityError

from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import AlreadyExists, NotFound, RecordDamaged
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, instead_of, log_act, log_of_event, subject_of_bot
from farfalia_server.store.changes import Topic
from farfalia_server.store.events.values import ARENA
from farfalia_server.store.matches.archive import pack, unpack
from farfalia_server.store.matches.values import MatchState
from farfalia_server.store.part import Part
from farfalia_server.store.people.registrations import check_similar_name
from farfalia_server.store.people.values import removed_name
from farfalia_server.store.programs.programs import remove_programs
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import in_parts
from farfalia_server.store.webhooks.webhooks import remove_webhook

_bot, _account, _match, _seated, _act = schema.bot, schema.account, schema.match, schema.match_bot, schema.act
#: Needed every few seconds, so it is built once.
_PENDING = (
    select(schema.renaming.c.bot_id)
    .where(
        ~exists()
        .where(
            _seated.c.bot_id == schema.renaming.c.bot_id,
            _seated.c.match_id == _match.c.id,
            _match.c.state == MatchState.RUNNING,
        )
        .correlate(schema.renaming)
    )
    .order_by(schema.renaming.c.bot_id)
)
#: Acts whose subject is a bot by its bare name: those in tournaments.
_BY_BOTS = _act.c.act.in_([Act.ENTER, Act.REPLACE, Act.WITHDRAW, Act.RENAME, Act.REMOVE]) & _act.c.tournament_id.is_not(
    None
)


@dataclass(frozen=True, slots=True)
class NamedRecord:
    """A record, None if it is damaged, and by seat the names of entrant and bot that it should have there."""

    match: int
    record: record_pb2.Record | None
    names: dict[int, tuple[str, str]]


class Renaming(Part):
    """Changes names; `who` does so, which is logged."""

    async def rename_bot(self, name: str, new: str, *, who: str, reason: str = "") -> None:
        """Give a bot another name, everywhere; NotFound, AlreadyExists."""

        def work(connection: Connection) -> int:
            bot = _bot_row(connection, name)
            check_similar_name(connection, _bot, new)
            _rename(connection, bot, new, Act.RENAME, who, reason)
            return int(bot.id)

        try:
            number = await self._database.write(work)
        except IntegrityError:
            raise AlreadyExists(said("there is already a bot %(name)r; choose another name", name=new)) from None
        self._changes.tell(Topic.BOT, number)

    async def remove_bot(self, name: str, *, who: str, reason: str = "") -> str:
        """Take a bot away from everybody, and return the placeholder that it is called from now on; NotFound.

        Its token, its log and its programs are deleted. Its matches stay.
        """

        def work(connection: Connection) -> tuple[int, str]:
            bot = _bot_row(connection, name)
            return int(bot.id), _remove(connection, bot, who, reason)

        number, placeholder = await self._database.write(work)
        self._changes.tell(Topic.BOT, number)
        return placeholder

    async def rename_account(self, name: str, new: str, *, who: str, reason: str = "") -> None:
        """Give an account another name, also as owner of its bots; NotFound, AlreadyExists."""

        def work(connection: Connection) -> tuple[int, list[int]]:
            account = _account_row(connection, name)
            check_similar_name(connection, _account, new)
            return _rename_account(connection, account, new, Act.RENAME, who, reason)

        try:
            number, bots = await self._database.write(work)
        except IntegrityError:
            raise AlreadyExists(said("there is already an account %(name)r; choose another name", name=new)) from None
        self._tell(number, bots)

    async def remove_account(self, name: str, *, who: str, reason: str = "") -> str:
        """Take an account and its bots away from everybody, and return the placeholder for its name; NotFound.

        Its tokens, its password, its e-mail address, its identities, its sessions and its memberships are deleted.
        """

        def work(connection: Connection) -> tuple[int, list[int], str]:
            account = _account_row(connection, name)
            for bot in connection.execute(select(_bot).where(_bot.c.account_id == account.id)).all():
                _remove(connection, bot, who, reason)
            placeholder = removed_name(account.id)
            number, bots = _rename_account(connection, account, placeholder, Act.REMOVE, who, reason)
            gone = {"token_hash": None, "password_hash": None, "email": None, "source": "", "removed": now()}
            gone["revoked"] = gone["removed"]
            connection.execute(update(_account).where(_account.c.id == account.id).values(gone))
            for table in (schema.session, schema.event_member, schema.api_token, schema.identity):
                connection.execute(delete(table).where(table.c.account_id == account.id))
            return number, bots, placeholder

        number, bots, placeholder = await self._database.write(work)
        self._tell(number, bots)
        return placeholder

    async def pending(self) -> list[int]:
        """Return the bots whose records have old names; none that plays, since its match is recorded with one."""
        return await self._database.read(lambda connection: list(connection.execute(_PENDING).scalars()))

    async def records(self, bot_id: int, after: int, limit: int) -> list[NamedRecord]:
        """Return up to `limit` records of a bot's matches after one, with the names that they should have."""
        statement = (
            select(_match.c.id, _match.c.seats, schema.record.c.data)
            .select_from(_seated.join(_match, _match.c.id == _seated.c.match_id).join(schema.record))
            .where(_seated.c.bot_id == bot_id, _match.c.id > after)
            .order_by(_match.c.id)
            .limit(limit)
        )
        of_bot = select(_bot.c.name).where(_bot.c.id == bot_id)

        def read(connection: Connection) -> list[NamedRecord]:
            name = connection.execute(of_bot).scalar_one()
            return [
                NamedRecord(
                    row.id,
                    _read(row.id, row.data),
                    {at: (seat["name"], name) for at, seat in enumerate(row.seats) if seat["bot"] == bot_id},
                )
                for row in connection.execute(statement)
            ]

        return await self._database.read(read)

    async def replace(self, records: Mapping[int, record_pb2.Record]) -> None:
        """Store these records, by match, in place of those with old names."""
        record = schema.record

        def work(connection: Connection) -> int:
            for match_id, message in records.items():
                connection.execute(update(record).where(record.c.match_id == match_id).values(data=pack(message)))
            return len(records)

        await self._database.write(work)

    async def done(self, bot_ids: list[int]) -> None:
        """Note that the records of these bots have their names."""
        statement = delete(schema.renaming).where(schema.renaming.c.bot_id.in_(bot_ids))
        await self._database.write(lambda connection: connection.execute(statement).rowcount)

    def _tell(self, account: int, bots: list[int]) -> None:
        self._changes.tell(Topic.ACCOUNT, account)
        for bot in bots:
            self._changes.tell(Topic.BOT, bot)


def _remove(connection: Connection, bot: Row[*tuple[Any, ...]], who: str, reason: str) -> str:
    placeholder = removed_name(bot.id)
    _rename(connection, bot, placeholder, Act.REMOVE, who, reason)
    gone = {"token_hash": None, "owner": "", "source": "", "removed": now()}
    connection.execute(update(_bot).where(_bot.c.id == bot.id).values(gone))
    for table in (schema.bot_log, schema.api_token):
        connection.execute(delete(table).where(table.c.bot_id == bot.id))
    remove_programs(connection, bot.id)
    remove_webhook(connection, bot.id)
    return placeholder


def _rename(connection: Connection, bot: Row[*tuple[Any, ...]], new: str, act: Act, who: str, reason: str) -> None:
    """Change the name of a bot in all rows but the records."""
    entrant, old = schema.entrant, bot.name
    connection.execute(update(_bot).where(_bot.c.id == bot.id).values(name=new))
    of_bot = (entrant.c.bot_id == bot.id, entrant.c.name == old)
    entered = update(entrant).where(*of_bot).values(name=new).returning(entrant.c.tournament_id)
    tournaments = sorted(set(connection.execute(entered).scalars()))
    seats = select(_match.c.id, _match.c.seats).join(_seated).where(_seated.c.bot_id == bot.id)
    for rows in list(in_parts(connection, seats)):
        for row in rows:
            named = [
                seat | {"name": new} if seat["bot"] == bot.id and seat["name"] == old else seat for seat in row.seats
            ]
            connection.execute(update(_match).where(_match.c.id == row.id).values(seats=named))
    _rename_in_log(connection, old, new, _BY_BOTS)
    _rename_in_log(connection, subject_of_bot(old), subject_of_bot(new), true())
    replaced = (_act.c.act == Act.REPLACE, _act.c.reason == instead_of(old))
    connection.execute(update(_act).where(*replaced).values(reason=instead_of(new)))
    log_of_event(connection, ARENA, act, who, subject_of_bot(new), reason)
    for tournament in tournaments:  # standings are made again from the newest act
        log_act(connection, tournament, act, who, new, reason)
    if not connection.execute(select(schema.renaming).filter_by(bot_id=bot.id)).first():
        connection.execute(insert(schema.renaming).values(bot_id=bot.id))


def _rename_account(
    connection: Connection, account: Row[*tuple[Any, ...]], new: str, act: Act, who: str, reason: str
) -> tuple[int, list[int]]:
    connection.execute(update(_account).where(_account.c.id == account.id).values(name=new))
    owned = update(_bot).where(_bot.c.account_id == account.id, _bot.c.removed.is_(None)).values(owner=new)
    connection.execute(owned)
    _rename_in_log(connection, account.name, new, ~_BY_BOTS)
    connection.execute(update(_act).where(_act.c.who == account.name).values(who=new))
    log_of_event(connection, ARENA, act, new if who == account.name else who, new, reason)
    bots = select(_bot.c.id).where(_bot.c.account_id == account.id)
    return int(account.id), list(connection.execute(bots).scalars())


def _rename_in_log(connection: Connection, old: str, new: str, of_bot: ColumnElement[bool]) -> None:
    """Change the name of a bot, or of an account, in the log; both may have the same one."""
    for column in (_act.c.who, _act.c.subject):
        connection.execute(update(_act).where(column == old, of_bot).values({column: new}))


def _read(match_id: int, data: bytes) -> record_pb2.Record | None:
    try:
        return unpack(match_id, data)
    except RecordDamaged:
        return None


def _bot_row(connection: Connection, name: str) -> Row[*tuple[Any, ...]]:
    row = connection.execute(select(_bot).where(_bot.c.name == name, _bot.c.house == "")).first()
    if row is None:
        raise NotFound(said("there is no bot %(name)r of anybody but the house", name=name), "BOT_UNKNOWN")
    return row


def _account_row(connection: Connection, name: str) -> Row[*tuple[Any, ...]]:
    row = connection.execute(select(_account).where(_account.c.name == name)).first()
    if row is None:
        raise NotFound(said("there is no account %(name)s", name=repr(name)), "ACCOUNT_UNKNOWN")
    return row
