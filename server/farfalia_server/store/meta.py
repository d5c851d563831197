"""A few facts about the server itself."""

import hmac

from sqlalchemy import Connection, Table, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from farfalia_server.contract.errors import StoreError
from farfalia_server.store import schema
from farfalia_server.store.database import Database
from farfalia_server.store.tokens import new_token, token_hash

_ADMIN = "admin_token_hash"
#: Prefix of the hash of an admin token that perhaps nobody has seen yet.
_UNSEEN = "unseen:"
DATABASE = "database"  # written by the migration that creates the table


class Meta:
    """Keys and values."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, key: str) -> str | None:
        """Return the value of a key."""
        statement = select(schema.meta.c.value).filter_by(key=key)
        return await self._database.fetch(lambda connection: connection.execute(statement).scalar())

    async def put(self, key: str, value: str) -> None:
        """Give a key its value."""
        insert = self._insert(key, value)
        async with self._database.write() as connection:
            await connection.execute(insert.on_conflict_do_update(index_elements=["key"], set_={"value": value}))

    async def put_new(self, key: str, value: str) -> bool:
        """Give a key its value unless it has one; False if it has."""
        insert = self._insert(key, value).on_conflict_do_nothing().returning(schema.meta.c.key)
        async with self._database.write() as connection:
            return (await connection.execute(insert)).first() is not None

    async def replace(self, key: str, old: str, new: str) -> bool:
        """Give a key a new value if it still has the old one; False if it has not."""
        table = schema.meta

        def work(connection: Connection) -> bool:
            change = update(table).where(table.c.key == key, table.c.value == old).values(value=new)
            return connection.execute(change).rowcount == 1

        return await self._database.do(work)

    async def remove(self, key: str, value: str) -> None:
        """Remove a key if it has this value."""
        table = schema.meta
        async with self._database.write() as connection:
            await connection.execute(delete(table).where(table.c.key == key, table.c.value == value))

    def _insert(self, key: str, value: str) -> "sqlite.Insert | postgresql.Insert":
        table: Table = schema.meta
        insert = sqlite.insert(table) if self._database.is_sqlite else postgresql.insert(table)
        return insert.values(key=key, value=value)

    async def database(self) -> str:
        """Return the unique name that this database got when it was created, 16 hexadecimal digits."""
        name = await self.get(DATABASE)
        if name is None:
            raise StoreError("the database has no name, so another version made it; start with a new database")
        return name

    async def set_admin_token(self, token: str) -> None:
        """Make this the admin token, in place of the former one."""
        await self.put(_ADMIN, token_hash(token).hex())

    async def first_admin_token(self) -> str | None:
        """Create the admin token and return the only copy; None if there is one that somebody has seen or chosen.

        Each call replaces a token that was never confirmed by `admin_token_seen`: its copy may be lost.
        """
        token = new_token()
        value = _UNSEEN + token_hash(token).hex()
        unseen = schema.meta.c.value.startswith(_UNSEEN)
        insert = self._insert(_ADMIN, value).on_conflict_do_update(
            index_elements=["key"], set_={"value": value}, where=unseen
        )
        async with self._database.write() as connection:
            made = (await connection.execute(insert.returning(schema.meta.c.key))).first() is not None
        return token if made else None

    async def admin_token_seen(self, token: str) -> bool:
        """Confirm a token that `first_admin_token` returned; False if it is no longer the admin token."""
        kept = token_hash(token).hex()
        return await self.replace(_ADMIN, _UNSEEN + kept, kept)

    async def is_admin_token(self, token: str) -> bool:
        """Return whether this is the admin token."""
        kept = await self.admin_token_hash()
        return kept is not None and hmac.compare_digest(kept, token_hash(token))

    async def admin_token_hash(self) -> bytes | None:
        """Return the hash of the admin token; None if there is none yet."""
        kept = await self.get(_ADMIN)
        return None if kept is None else bytes.fromhex(kept.removeprefix(_UNSEEN))
