"""The database as a place for a server's lease."""

from __future__ import annotations

from farfalia_server.cluster.lease import LEASE_KEY
from farfalia_server.contract.errors import AnotherServer
from farfalia_server.store.meta import DATABASE
from farfalia_server.store.store import Store


class StoreLeasePlace:
    """The lease in the database whose own name is `database`; any database if that is empty."""

    part = "database lease"

    def __init__(self, store: Store, database: str = "") -> None:
        self._meta = store.meta
        self._database = database
        self.address = f"the database at {store.address}"

    async def read(self) -> str:
        """Return what is there; AnotherServer if it is no longer the same database."""
        if self._database and await self._meta.get(DATABASE) != self._database:
            raise AnotherServer(f"{self.address} was restored from a backup while this server ran; start it again")
        return await self._meta.get(LEASE_KEY) or ""

    async def replace(self, old: str, new: str) -> bool:
        """Write it if the old one is still there."""
        if not new:
            await self._meta.remove(LEASE_KEY, old)
            return True
        return await (self._meta.replace(LEASE_KEY, old, new) if old else self._meta.put_new(LEASE_KEY, new))
