"""A few facts about the server itself."""

import hmac
import secrets

from sqlalchemy import ColumnElement, Connection, delete, select, update

from farfalia_server.contract.errors import StoreError
from farfalia_server.store.part import Part
from farfalia_server.store.people.tokens import new_token, token_hash
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import insert_into

_ADMIN, _SEALING = "admin_token_hash", "sealing_key"
#: Prefix of the keys under which each node keeps the hash of the token for the host that it has started itself.
_HOST = "host_token_hash:"
#: Prefix of the hash of an admin token that perhaps nobody has seen yet.
_UNSEEN = "unseen:"
DATABASE = "database"  # written by the migration that creates the table


class Meta(Part):
    """Keys and values."""

    async def get(self, key: str) -> str | None:
        """Return the value of a key."""
        statement = select(schema.meta.c.value).filter_by(key=key)
        return await self._database.read(lambda connection: connection.execute(statement).scalar())

    async def put(self, key: str, value: str) -> None:
        """Give a key its value."""
        await self._database.write(lambda connection: _put(connection, key, value))

    async def put_new(self, key: str, value: str) -> bool:
        """Give a key its value unless it has one; False if it has."""
        table = schema.meta

        def work(connection: Connection) -> bool:
            insert = insert_into(connection, table).values(key=key, value=value).on_conflict_do_nothing()
            return connection.execute(insert.returning(table.c.key)).first() is not None

        return await self._database.write(work)

    async def replace(self, key: str, old: str, new: str) -> bool:
        """Give a key a new value if it still has the old one; False if it has not."""
        table = schema.meta

        def work(connection: Connection) -> bool:
            change = update(table).where(table.c.key == key, table.c.value == old).values(value=new)
            return connection.execute(change).rowcount == 1

        return await self._database.write(work)

    async def remove(self, key: str, value: str) -> None:
        """Remove a key if it has this value."""
        table = schema.meta
        statement = delete(table).where(table.c.key == key, table.c.value == value)
        await self._database.write(lambda connection: connection.execute(statement))

    async def database(self) -> str:
        """Return the unique name that this database got when it was created, 16 hexadecimal digits."""
        name = await self.get(DATABASE)
        if name is None:
            raise StoreError("the database has no name, so another version made it; start with a new database")
        return name

    async def sealing_key(self) -> bytes:
        """Return the key with which all nodes seal what browsers keep; made at the first call."""
        await self.put_new(_SEALING, secrets.token_hex(32))
        kept = await self.get(_SEALING)
        assert kept is not None
        return bytes.fromhex(kept)

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
        made = await self._database.write(lambda connection: _put(connection, _ADMIN, value, unseen))
        return token if made else None

    async def admin_token_seen(self, token: str) -> bool:
        """Confirm a token that `first_admin_token` returned; False if it is no longer the admin token."""
        kept = token_hash(token).hex()
        return await self.replace(_ADMIN, _UNSEEN + kept, kept)

    async def is_admin_token(self, token: str) -> bool:
        """Return whether this is the admin token."""
        kept = await self.admin_token_hash()
        return kept is not None and hmac.compare_digest(kept, token_hash(token))

    async def new_host_token(self, node: str) -> str:
        """Return a token for the host that a node has started, in place of the one before."""
        token = new_token()
        await self.put(_HOST + node, token_hash(token).hex())
        return token

    async def is_host_token(self, token: str) -> bool:
        """Return whether this is the token of a host that a node has started."""
        table = schema.meta
        own = (table.c.key.startswith(_HOST, autoescape=True), table.c.value == token_hash(token).hex())
        statement = select(table.c.key).where(*own)
        return await self._database.read(lambda connection: connection.execute(statement).first() is not None)

    async def admin_token_hash(self) -> bytes | None:
        """Return the hash of the admin token; None if there is none yet."""
        kept = await self.get(_ADMIN)
        return None if kept is None else bytes.fromhex(kept.removeprefix(_UNSEEN))


def _put(connection: Connection, key: str, value: str, instead: ColumnElement[bool] | None = None) -> bool:
    """Give a key its value, in place of any or of such a value; return whether it has it now."""
    table = schema.meta
    insert = insert_into(connection, table).values(key=key, value=value)
    put = insert.on_conflict_do_update(index_elements=["key"], set_={"value": value}, where=instead)
    return connection.execute(put.returning(table.c.key)).first() is not None
