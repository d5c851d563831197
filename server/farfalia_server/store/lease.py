"""The database as a place where a server keeps its lease."""

from __future__ import annotations

from farfalia_server.net.lease import LEASE_KEY
from farfalia_server.store.store import Store


class StoreLeasePlace:
    """The name in the database."""

    part = "database lease"

    def __init__(self, store: Store) -> None:
        self._meta = store.meta
        self.address = f"the database at {store.address}"

    async def read(self) -> str:
        """Return what is there."""
        return await self._meta.get(LEASE_KEY) or ""

    async def replace(self, old: str, new: str) -> bool:
        """Write it if the old one is still there."""
        if not new:
            await self._meta.remove(LEASE_KEY, old)
            return True
        return await (self._meta.replace(LEASE_KEY, old, new) if old else self._meta.put_new(LEASE_KEY, new))
