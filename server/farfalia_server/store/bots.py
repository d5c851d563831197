"""Bots and their tokens."""

import hashlib
import secrets
from collections.abc import Iterable

from sqlalchemy import exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from farfalia_server.errors import AlreadyExists, NotFound
from farfalia_server.store import schema
from farfalia_server.store.changes import Changes, Topic
from farfalia_server.store.database import Database
from farfalia_server.store.rows import now, to_bot, to_rating
from farfalia_server.store.values import Bot, BotVersion, LadderRating

_TOKEN_PREFIX = "farfalia_"  # noqa: S105  (not a secret: lets scanners of repositories recognise what follows)


def new_token() -> str:
    """Return a token of 256 random bits."""
    return _TOKEN_PREFIX + secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """Return what is kept of a token.

    One round of SHA-256 is enough: nobody guesses 256 random bits, so there is no dictionary that a slow hash
    would have to hold up.
    """
    return hashlib.sha256(token.encode()).digest()


class Bots:
    """Registered bots."""

    def __init__(self, database: Database, changes: Changes) -> None:
        self._database = database
        self._changes = changes

    async def register(self, name: str, version: str = "1", owner: str = "") -> tuple[Bot, str]:
        """Make a bot that connects, and the only copy of its token; AlreadyExists if the name is."""
        token = new_token()
        return await self._insert(name, version, owner, "", token_hash(token)), token

    async def register_house(self, name: str, house: str, version: str = "1", owner: str = "") -> Bot:
        """Make a bot that the house bot `house` plays for; it has no token. AlreadyExists if the name is."""
        return await self._insert(name, version, owner, house, None)

    async def ensure_house(self, name: str, house: str, version: str = "1") -> Bot:
        """Return the house bot of that name, made if it is not there yet; AlreadyExists if another bot has the name."""
        try:
            return await self.register_house(name, house, version)
        except AlreadyExists:
            bot = await self.by_name(name)
            if bot.house != house:
                raise
            return bot

    async def renew(self, name: str, version: str) -> Bot:
        """Give a bot a new version; AlreadyExists (VERSION_TAKEN) if it has had that one."""
        table = schema.bot
        try:
            async with self._database.write() as connection:
                change = update(table).where(table.c.name == name).values(version=version).returning(table)
                row = (await connection.execute(change)).first()
                if row is None:
                    raise NotFound(f"there is no bot {name!r}", "BOT_UNKNOWN")
                await connection.execute(
                    insert(schema.bot_version).values(bot_id=row.id, version=version, created=now())
                )
        except IntegrityError:
            raise AlreadyExists(
                f"{name} has had a version {version!r} already; expected a new one", "VERSION_TAKEN"
            ) from None
        self._changes.tell(Topic.BOT, row.id)
        return to_bot(row)

    async def versions(self, bot_id: int) -> list[BotVersion]:
        """Return the versions of a bot, newest first."""
        table = schema.bot_version
        newest = table.c.version == select(schema.bot.c.version).where(schema.bot.c.id == bot_id).scalar_subquery()
        statement = select(table).filter_by(bot_id=bot_id).order_by(newest.desc(), table.c.created.desc())
        async with self._database.read() as connection:
            return [BotVersion(row.version, row.created) for row in await connection.execute(statement)]

    async def rotate_token(self, name: str) -> str:
        """Give a bot a new token, which ends the old one; NotFound for house bots too."""
        token = new_token()
        statement = (
            update(schema.bot)
            .where(schema.bot.c.name == name, schema.bot.c.house == "")
            .values(token_hash=token_hash(token))
            .returning(schema.bot.c.id)
        )
        async with self._database.write() as connection:
            bot_id = (await connection.execute(statement)).scalar()
        if bot_id is None:
            raise NotFound(f"there is no bot {name!r} with a token", "BOT_UNKNOWN")
        self._changes.tell(Topic.BOT, bot_id)
        return token

    async def by_token(self, token: str) -> Bot | None:
        """Return the bot whose token this is."""
        statement = select(schema.bot).filter_by(token_hash=token_hash(token))
        row = await self._database.fetch(lambda connection: connection.execute(statement).first())
        return None if row is None else to_bot(row)

    async def token_hashes(self) -> frozenset[bytes]:
        """Return what is kept of the tokens of all bots."""
        column = schema.bot.c.token_hash
        async with self._database.read() as connection:
            return frozenset((await connection.execute(select(column).where(column.is_not(None)))).scalars())

    async def by_name(self, name: str) -> Bot:
        """Return the bot of that name; NotFound."""
        async with self._database.read() as connection:
            row = (await connection.execute(select(schema.bot).filter_by(name=name))).first()
        if row is None:
            raise NotFound(f"there is no bot {name!r}", "BOT_UNKNOWN")
        return to_bot(row)

    async def by_ids(self, bot_ids: Iterable[int]) -> dict[int, Bot]:
        """Return those of the bots that exist, by id."""
        statement = select(schema.bot).where(schema.bot.c.id.in_(set(bot_ids)))
        bots = await self._database.fetch(lambda connection: list(map(to_bot, connection.execute(statement))))
        return {bot.id: bot for bot in bots}

    async def page(self, limit: int, after: str = "") -> list[Bot]:
        """Return bots by name, beginning after a name."""
        table = schema.bot
        statement = select(table).where(table.c.name > after).order_by(table.c.name).limit(limit)
        async with self._database.read() as connection:
            return [to_bot(row) for row in await connection.execute(statement)]

    async def named(self, names: Iterable[str]) -> list[Bot]:
        """Return those of the bots that exist, by name."""
        table = schema.bot
        statement = select(table).where(table.c.name.in_(set(names))).order_by(table.c.name)
        async with self._database.read() as connection:
            return [to_bot(row) for row in await connection.execute(statement)]

    async def unrated(self, ladder: str, limit: int) -> list[Bot]:
        """Return bots by name, house bots apart, that have not been rated on a ladder."""
        table, rating = schema.bot, schema.rating
        rated = exists().where(rating.c.bot_id == table.c.id, rating.c.ladder == ladder)
        statement = select(table).where(table.c.house == "", ~rated).order_by(table.c.name).limit(limit)
        async with self._database.read() as connection:
            return [to_bot(row) for row in await connection.execute(statement)]

    async def all(self) -> list[Bot]:
        """Return all bots, by name."""
        async with self._database.read() as connection:
            rows = await connection.execute(select(schema.bot).order_by(schema.bot.c.name))
            return [to_bot(row) for row in rows]

    async def ratings(self, bot_id: int) -> list[LadderRating]:
        """Return the ratings of all versions of a bot, by ladder, the one that was rated last first."""
        table = schema.rating
        statement = select(table).filter_by(bot_id=bot_id).order_by(table.c.ladder, table.c.last_seq.desc())
        return await self._database.fetch(lambda connection: list(map(to_rating, connection.execute(statement))))

    async def _insert(self, name: str, version: str, owner: str, house: str, hashed: bytes | None) -> Bot:
        values = {"name": name, "version": version, "owner": owner, "house": house, "created": now()}
        statement = insert(schema.bot).values(token_hash=hashed, **values).returning(schema.bot)
        try:
            async with self._database.write() as connection:
                bot = to_bot((await connection.execute(statement)).one())
                first = {"bot_id": bot.id, "version": version, "created": bot.created}
                await connection.execute(insert(schema.bot_version).values(first))
        except IntegrityError:
            raise AlreadyExists(
                f"there is a bot {name!r} already; a new token: farfalia bot rotate-token {name}"
            ) from None
        self._changes.tell(Topic.BOT, bot.id)
        return bot
