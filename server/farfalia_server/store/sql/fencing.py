"""The database as the place that checks tokens of roles."""

from __future__ import annotations

from farfalia_server.store.sql.database import Database
from farfalia_server.store.sql.fences import Fence, acting, raised


class Fencing:
    """The newest token of each role."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def raise_to(self, role: str, token: int) -> int:
        """Refuse older tokens of a role from now on, if this one is newer than the newest before, which it returns."""
        fence = Fence(role, token)
        return await self._database.write(lambda connection: raised(connection, fence))

    def act(self, role: str, token: int) -> None:
        """From now on refuse writes of the current context as soon as there is a newer token."""
        acting.set(Fence(role, token))
