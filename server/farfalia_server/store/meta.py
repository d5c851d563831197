"""A few facts about the server itself."""

import hmac

from sqlalchemy import delete, insert, select

from farfalia_server.store import schema
from farfalia_server.store.bots import new_token, token_hash
from farfalia_server.store.database import Database

_ADMIN = "admin_token_hash"
_DATABASE = "database"  # written by the migration that makes the table


class Meta:
    """Keys and values."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, key: str) -> str | None:
        """The value of a key."""
        async with self._database.read() as connection:
            return (await connection.execute(select(schema.meta.c.value).filter_by(key=key))).scalar()

    async def put(self, key: str, value: str) -> None:
        """Gives a key its value."""
        async with self._database.write() as connection:
            await connection.execute(delete(schema.meta).where(schema.meta.c.key == key))
            await connection.execute(insert(schema.meta).values(key=key, value=value))

    async def database(self) -> str:
        """The name that this database was given when it was made, 16 hexadecimal digits; no other one has it."""
        name = await self.get(_DATABASE)
        assert name is not None
        return name

    async def set_admin_token(self, token: str) -> None:
        """Makes this the admin token; the one before ends."""
        await self.put(_ADMIN, token_hash(token).hex())

    async def new_admin_token(self) -> str:
        """Makes a new admin token; this is the only copy."""
        token = new_token()
        await self.set_admin_token(token)
        return token

    async def has_admin_token(self) -> bool:
        """Whether an admin token has ever been made."""
        return await self.get(_ADMIN) is not None

    async def is_admin_token(self, token: str) -> bool:
        """Whether this is the admin token."""
        kept = await self.get(_ADMIN)
        return kept is not None and hmac.compare_digest(kept, token_hash(token).hex())
