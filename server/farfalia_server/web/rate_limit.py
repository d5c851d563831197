"""A rate limit that makes callers wait their turn."""

from __future__ import annotations

import asyncio

from farfalia_server.contract.errors import ResourceExhausted
from farfalia_server.contract.said import said


class RateLimit:
    """Lets `rate` calls a second through, in order, and as many at once after a quiet second.

    Raises ResourceExhausted for a call that would have to wait longer than `patience` seconds.
    """

    def __init__(self, rate: float, patience: float) -> None:
        self._interval = 1 / rate
        self._patience = patience
        self._next = 0.0

    async def turn(self) -> None:
        """Wait for the caller's turn."""
        now = asyncio.get_running_loop().time()
        at = max(self._next, now - 1.0)
        wait = at + self._interval - now
        if wait > self._patience:
            raise ResourceExhausted(
                said("the server is busy with other readers; try again in a moment"), "TOO_MANY_READERS"
            )
        self._next = at + self._interval
        if wait > 0:
            await asyncio.sleep(wait)
