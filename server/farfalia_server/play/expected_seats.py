"""The seats that a server will hand out again after a restart: a bot that is back early keeps them."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class ExpectedSeats:
    """Matches of one bot that were open when the server ended and have not been resumed yet."""

    __slots__ = ("_matches", "_none")

    def __init__(self) -> None:
        self._matches: set[int] = set()
        self._none = asyncio.Event()
        self._none.set()

    def __bool__(self) -> bool:
        return bool(self._matches)

    def add(self, match: int) -> None:
        """Expect the bot's seat in this match."""
        self._matches.add(match)
        self._none.clear()

    def discard(self, match: int) -> None:
        """Stop expecting it: the bot has it, or the match is over for the bot."""
        self._matches.discard(match)
        if not self._matches:
            self._none.set()

    async def none_left(self, seconds: float) -> None:
        """Wait until no seat is expected any more, at most this long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._none.wait()
