"""The hashes of all valid tokens, by which a wrong one is known without asking the database for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

#: Seconds between two reads of all tokens.
_BETWEEN = 1.0


class TokenHashes:
    """What `read` returns, the hashes of all tokens: kept in memory, and read at most once per second."""

    def __init__(self, read: Callable[[], Awaitable[frozenset[bytes]]]) -> None:
        self._read = read
        self._known: frozenset[bytes] = frozenset()
        self._read_at = -_BETWEEN
        self._reading = asyncio.Lock()

    async def has(self, key: bytes) -> bool:
        """Return whether a token with this hash existed when this was called; waits for the next read if it must."""
        return key in self._known or key in await self._all()

    async def _all(self) -> frozenset[bytes]:
        called_at = monotonic()
        async with self._reading:
            if self._read_at <= called_at:
                await asyncio.sleep(max(0.0, self._read_at + _BETWEEN - monotonic()))
                read_at = monotonic()
                self._known = await self._read()
                self._read_at = read_at
        return self._known
