"""Bots and their tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, exists, func, insert, literal_column, or_, select, union_all, update
from sqlalchemy.exc import IntegrityError

from farfalia_server.contract.errors import AlreadyExists, NotFound, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import look_of, quoted
from farfalia_server.net.wall_clock import now
from farfalia_server.store.changes import Topic
from farfalia_server.store.matches.values import ACTIVE
from farfalia_server.store.part import Part
from farfalia_server.store.people.moderation import barred
from farfalia_server.store.people.registrations import check_similar_name, count_registration
from farfalia_server.store.people.tokens import new_token, token_hash
from farfalia_server.store.people.values import Bot, BotVersion, Challengers
from farfalia_server.store.ratings.rows import to_rating
from farfalia_server.store.ratings.values import LadderRating
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.values import TournamentState


@dataclass(frozen=True, slots=True)
class Registrant:
    """For whom a bot is registered: an account with a quota, 0 for none; and the limit of registrations by source."""

    account: int | None = None
    quota: int = 0
    #: An address or an account, which may register `most` times an hour; empty for no limit.
    source: str = ""
    most: int = 0
    #: The address of a stranger who registers it, or who made its account without being invited; else empty.
    stranger: str = ""


_NOBODY = Registrant()
_RATED = exists().where(schema.rating.c.bot_id == schema.bot.c.id).correlate(schema.bot)
#: The conditions that a bot is in lists: a person only once it is rated.
SHOWN = (
    schema.bot.c.hidden.is_(False),
    schema.bot.c.removed.is_(None),
    or_(schema.bot.c.person.is_(False), _RATED),
)


class Bots(Part):
    """Registered bots."""

    async def register(
        self, name: str, version: str = "1", owner: str = "", registrant: Registrant = _NOBODY
    ) -> tuple[Bot, str]:
        """Create a bot and return it with the only copy of its token; AlreadyExists if the name is taken.

        Raises ResourceExhausted (QUOTA_REACHED, REGISTRATIONS_TOO_FAST) if the registrant may not have another.
        """
        token = new_token()
        return await self._insert(name, version, owner, "", token_hash(token), registrant), token

    async def register_person(self, name: str, registrant: Registrant = _NOBODY) -> str:
        """Create the bot as which a person plays, and return its token; errors as those of `register`."""
        token = new_token()
        await self._insert(name, "1", "", "", token_hash(token), registrant, person=True)
        return token

    async def retire_persons(self, before: datetime) -> int:
        """Revoke the tokens of persons who were seen last before a moment and play in nothing any more, and return of
        how many.
        """
        table = schema.bot
        entered = exists().where(
            schema.entrant.c.bot_id == table.c.id,
            schema.entrant.c.tournament_id == schema.tournament.c.id,
            schema.tournament.c.state.in_([TournamentState.PLANNED, TournamentState.RUNNING]),
        )
        playing = exists().where(
            schema.match_bot.c.bot_id == table.c.id,
            schema.match_bot.c.match_id == schema.match.c.id,
            schema.match.c.state.in_(ACTIVE),
        )
        gone = {"token_hash": None, "source": "", "seen": None}
        statement = update(table).where(table.c.seen < before, ~playing, ~entered).values(gone).returning(table.c.id)
        retired = await self._database.write(lambda connection: list(connection.execute(statement).scalars()))
        for bot in retired:
            self._changes.tell(Topic.BOT, bot)
        return len(retired)

    async def register_house(self, name: str, house: str, version: str = "1", owner: str = "") -> Bot:
        """Create a bot that the house bot `house` plays for; it has no token. AlreadyExists if the name is taken."""
        return await self._insert(name, version, owner, house, None)

    async def ensure_house(self, name: str, house: str, version: str = "1") -> Bot:
        """Return the house bot of that name, created if necessary; AlreadyExists if another bot has the name."""
        try:
            return await self.register_house(name, house, version)
        except AlreadyExists:
            bot = await self.by_name(name)
            if bot.house != house:
                raise
            return bot

    async def renew(self, name: str, version: str) -> Bot:
        """Give a bot a new version; AlreadyExists (VERSION_TAKEN) if it already had that one."""
        table = schema.bot

        def work(connection: Connection) -> Bot:
            _check_version(connection, name, version)
            change = update(table).where(table.c.name == name).values(version=version).returning(table)
            row = connection.execute(change).first()
            if row is None:
                raise NotFound(said("there is no bot %(name)s", name=repr(name)), "BOT_UNKNOWN")
            connection.execute(insert(schema.bot_version).values(bot_id=row.id, version=version, created=now()))
            return to_bot(row)

        try:
            bot = await self._database.write(work)
        except IntegrityError:
            raise AlreadyExists(
                said("%(name)s already has a version %(version)r; expected a new one", name=name, version=version),
                "VERSION_TAKEN",
            ) from None
        self._changes.tell(Topic.BOT, bot.id)
        return bot

    async def versions(self, bot_id: int) -> list[BotVersion]:
        """Return the versions of a bot, newest first."""
        table = schema.bot_version
        newest = table.c.version == select(schema.bot.c.version).where(schema.bot.c.id == bot_id).scalar_subquery()
        statement = select(table).filter_by(bot_id=bot_id).order_by(newest.desc(), table.c.created.desc())
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [BotVersion(row.version, row.created) for row in rows]

    async def rotate_token(self, name: str, quota: int = 0) -> str:
        """Give a bot a new token in place of the old one; NotFound, also for house bots.

        A bot whose token was revoked counts towards its account's quota (0 for none) again: ResourceExhausted
        (QUOTA_REACHED).
        """
        token = new_token()
        await self._set_token(name, token_hash(token), quota)
        return token

    async def revoke_token(self, name: str) -> None:
        """Revoke a bot's token; NotFound, also for house bots."""
        await self._set_token(name, None)

    async def _set_token(self, name: str, hashed: bytes | None, quota: int = 0) -> None:
        table = schema.bot

        def work(connection: Connection) -> int:
            of_person = (table.c.house == "", table.c.removed.is_(None))
            bot = connection.execute(select(table).where(table.c.name == name, *of_person)).first()
            if bot is None:
                raise NotFound(said("there is no bot %(name)r with a token", name=name), "BOT_UNKNOWN")
            if hashed is not None and bot.token_hash is None:
                _check_quota(connection, bot.account_id, quota)
            connection.execute(update(table).where(table.c.id == bot.id).values(token_hash=hashed))
            return int(bot.id)

        self._changes.tell(Topic.BOT, await self._database.write(work))

    async def by_token(self, token: str) -> Bot | None:
        """Return the bot whose token this is, or whose host's, and whether it is `barred`, or `hosted` by another."""
        hashed, hosted = token_hash(token), schema.hosted
        columns = (schema.bot, barred().label("barred"), hosted.c.bot_id)
        joined = select(*columns).outerjoin(hosted, hosted.c.bot_id == schema.bot.c.id)

        def work(connection: Connection) -> Bot | None:
            for column in (schema.bot.c.token_hash, hosted.c.token_hash):
                row = connection.execute(joined.where(column == hashed)).first()
                if row is not None:
                    by_host = column is hosted.c.token_hash
                    return replace(to_bot(row), barred=bool(row.barred), hosted=row.bot_id is not None, by_host=by_host)
            return None

        return await self._database.read(work)

    async def token_hashes(self) -> frozenset[bytes]:
        """Return the hashes of all tokens of bots that may connect, and of the hosts that play for them."""
        own, of_host = schema.bot.c.token_hash, schema.hosted.c.token_hash
        statement = select(own).where(own.is_not(None), ~barred())
        joined = select(of_host).join(schema.bot, schema.bot.c.id == schema.hosted.c.bot_id)
        by_hosts = joined.where(of_host.is_not(None), ~barred())
        both = union_all(statement, by_hosts)
        return await self._database.read(lambda connection: frozenset(connection.execute(both).scalars()))

    async def by_name(self, name: str) -> Bot:
        """Return the bot of that name; NotFound."""
        statement = select(schema.bot).filter_by(name=name)
        row = await self._database.read(lambda connection: connection.execute(statement).first())
        if row is None:
            raise NotFound(said("there is no bot %(name)s", name=repr(name)), "BOT_UNKNOWN")
        return to_bot(row)

    async def is_taken(self, name: str) -> bool:
        """Return whether a bot has this name, in upper or lower case."""
        column = schema.bot.c.name
        statement = select(column).where(func.lower(column) == name.lower()).limit(1)
        return await self._database.read(lambda connection: connection.execute(statement).first() is not None)

    async def beginning_like(self, name: str, limit: int) -> list[str]:
        """Return names of bots that begin with the same two letters, in upper or lower case."""
        column = schema.bot.c.name
        alike = func.lower(column).startswith(name[:2].lower(), autoescape=True)
        statement = select(column).where(alike).order_by(column).limit(limit)
        return await self._database.read(lambda connection: list(connection.execute(statement).scalars()))

    async def by_ids(self, bot_ids: Iterable[int]) -> dict[int, Bot]:
        """Return the bots with these ids that exist, by id."""
        statement = select(schema.bot).where(schema.bot.c.id.in_(set(bot_ids)))
        bots = await self._database.read(lambda connection: list(map(to_bot, connection.execute(statement))))
        return {bot.id: bot for bot in bots}

    async def of_accounts(self, accounts: Collection[int]) -> dict[int, list[str]]:
        """Return the names of these accounts' bots, in order, by account; without those that have no token."""
        table = schema.bot
        statement = (
            select(table.c.account_id, table.c.name)
            .where(table.c.account_id.in_(accounts), table.c.token_hash.is_not(None))
            .order_by(table.c.name)
        )
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        found: dict[int, list[str]] = {account: [] for account in accounts}
        for row in rows:
            found[row.account_id].append(row.name)
        return found

    async def page(self, limit: int, after: str = "", part: str = "", owner: str = "") -> list[Bot]:
        """Return bots by name, starting after a name: those with this part in theirs, in upper or lower case, and those
        of an owner; none that is hidden or removed.
        """
        table = schema.bot
        statement = select(table).where(table.c.name > after, *SHOWN).order_by(table.c.name).limit(limit)
        if part:
            statement = statement.where(func.lower(table.c.name).contains(part.lower(), autoescape=True))
        if owner:
            statement = statement.where(table.c.owner == owner)
        return await self._database.read(lambda connection: list(map(to_bot, connection.execute(statement))))

    async def named(self, names: Iterable[str]) -> list[Bot]:
        """Return the bots with these names that exist, by name."""
        table = schema.bot
        storable = {name for name in names if "\0" not in name}  # with one, PostgreSQL refuses the whole question
        statement = select(table).where(table.c.name.in_(storable)).order_by(table.c.name)
        return await self._database.read(lambda connection: list(map(to_bot, connection.execute(statement))))

    async def unrated(self, ladder: str, limit: int) -> list[Bot]:
        """Return bots by name that are not rated on a ladder, without those of the house, hidden or removed."""
        table, rating = schema.bot, schema.rating
        rated = exists().where(rating.c.bot_id == table.c.id, rating.c.ladder == ladder)
        statement = select(table).where(table.c.house == "", ~rated, *SHOWN).order_by(table.c.name).limit(limit)
        return await self._database.read(lambda connection: list(map(to_bot, connection.execute(statement))))

    async def fillers(self, ladder: str, limit: int) -> list[str]:
        """Return the names, in order, of house bots that filled tables in a ladder's last `limit` matches and are not
        on it.
        """
        table, rating, match, seat = schema.bot, schema.rating, schema.match, schema.seat_result
        finished = match.c.state == literal_column("'finished'")  # literally, as in the index
        last = (
            select(match.c.id).where(finished, match.c.ladder == ladder).order_by(match.c.finished.desc()).limit(limit)
        )
        filled = select(seat.c.bot_id).where(seat.c.match_id.in_(last), seat.c.filler)
        rated = exists().where(rating.c.bot_id == table.c.id, rating.c.ladder == ladder)
        statement = select(table.c.name).where(table.c.id.in_(filled), ~rated)
        return sorted(await self._database.read(lambda connection: connection.execute(statement).scalars().all()))

    async def all(self) -> list[Bot]:
        """Return all bots, by name."""
        statement = select(schema.bot).order_by(schema.bot.c.name)
        return await self._database.read(lambda connection: list(map(to_bot, connection.execute(statement))))

    async def ratings(self, bot_id: int) -> list[LadderRating]:
        """Return the ratings of all versions of a bot, by ladder, the last rated one first."""
        table = schema.rating
        statement = select(table).filter_by(bot_id=bot_id).order_by(table.c.ladder, table.c.last_seq.desc())
        return await self._database.read(lambda connection: list(map(to_rating, connection.execute(statement))))

    async def _insert(
        self,
        name: str,
        version: str,
        owner: str,
        house: str,
        hashed: bytes | None,
        registrant: Registrant | None = None,
        *,
        person: bool = False,
    ) -> Bot:
        by = registrant or Registrant()
        values: dict[str, Any] = {"name": name, "version": version, "owner": owner, "house": house, "created": now()}
        values |= {"source": by.stranger, "person": person}
        values["seen"] = values["created"] if person else None

        def work(connection: Connection) -> Bot:
            _check_quota(connection, by.account, by.quota)
            check_similar_name(connection, schema.bot, name)
            statement = insert(schema.bot).values(token_hash=hashed, account_id=by.account, **values)
            bot = to_bot(connection.execute(statement.returning(schema.bot)).one())
            first = {"bot_id": bot.id, "version": version, "created": bot.created}
            connection.execute(insert(schema.bot_version).values(first))
            if by.source:
                count_registration(connection, by.source, by.most)
            return bot

        try:
            bot = await self._database.write(work)
        except IntegrityError:
            raise AlreadyExists(
                said(
                    "there is already a bot %(name)r; for a new token, run farfalia bot rotate-token %(name)s",
                    name=name,
                )
            ) from None
        self._changes.tell(Topic.BOT, bot.id)
        return bot


def to_bot(row: Row[*tuple[Any, ...]]) -> Bot:
    """Return the bot of a row of `bot`."""
    return Bot(
        row.id,
        row.name,
        row.version,
        row.owner,
        row.house,
        row.created,
        row.account_id,
        row.source,
        has_token=row.token_hash is not None,
        hidden=row.hidden,
        barred=row.suspended is not None,
        removed=row.removed is not None,
        challengers=Challengers(row.challengers),
        person=row.person,
    )


def _check_version(connection: Connection, name: str, version: str) -> None:
    """Raise AlreadyExists (VERSION_TAKEN) if the bot has a version that looks like this one and is not the same."""
    table = schema.bot_version
    of_bot = (
        select(table.c.version).join(schema.bot, schema.bot.c.id == table.c.bot_id).where(schema.bot.c.name == name)
    )
    for other in connection.execute(of_bot).scalars():
        if other != version and look_of(other) == look_of(version):
            raise AlreadyExists(
                said(
                    "%(name)s already has a version %(other)s, which looks like %(version)s; expected a new one",
                    name=name,
                    other=quoted(other),
                    version=quoted(version),
                ),
                "VERSION_TAKEN",
            )


def _check_quota(connection: Connection, account: int | None, quota: int) -> None:
    """Raise ResourceExhausted if the account's quota of bots with a token is used up; 0 for no quota."""
    if account is None or not quota:
        return
    # Of two registrations of one account at once, the second waits for the first.
    connection.execute(select(schema.account.c.id).where(schema.account.c.id == account).with_for_update())
    table = schema.bot
    statement = select(func.count()).where(table.c.account_id == account, table.c.token_hash.is_not(None))
    number = connection.execute(statement).scalar_one()
    if number >= quota:
        raise ResourceExhausted(
            said(
                "the account has %(number)s bots; expected at most %(quota)s: `farfalia bot revoke-token` makes room",
                number=number,
                quota=quota,
            ),
            "QUOTA_REACHED",
            retry=0.0,
        )
