"""Who may do what: the admin token, and each bot's own."""

from __future__ import annotations

from farfalia_server.errors import PermissionDenied
from farfalia_server.store import Store


class Access:
    """What a call may do, by the token that it shows; an empty token is nobody's."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def is_admin(self, token: str) -> bool:
        """Return whether it is the admin token."""
        return bool(token) and await self._store.meta.is_admin_token(token)

    async def is_owner(self, token: str, name: str) -> bool:
        """Return whether it is this bot's token, or the admin token."""
        if not token:
            return False
        bot = await self._store.bots.by_token(token)
        return (bot is not None and bot.name == name) or await self.is_admin(token)

    async def admin_only(self, token: str) -> None:
        """Raise PermissionDenied (ADMIN_ONLY) unless it is the admin token."""
        if not await self.is_admin(token):
            if token:
                raise PermissionDenied("the admin token is not this server's")
            raise PermissionDenied("this call needs the admin token (metadata authorization: Bearer TOKEN)")

    async def owner_only(self, token: str, name: str) -> None:
        """Raise PermissionDenied (ADMIN_ONLY) unless it is this bot's token or the admin token."""
        if not await self.is_owner(token, name):
            if token:
                raise PermissionDenied(f"the token is neither that of {name} nor this server's admin token")
            raise PermissionDenied(f"this call needs the token of {name}, or the admin token")
