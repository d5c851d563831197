"""Ends streams at once whose token was replaced or revoked, on any node."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar, Protocol

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.net.service import PeriodicService
from farfalia_server.play.stream import TOKEN_REPLACED, StreamStatus


class EndableStream(Protocol):
    """A stream that can be ended."""

    def end(self, status: StreamStatus) -> None:
        """End it."""


class TokenWatch(PeriodicService):
    """The service that checks the tokens of streams again; `hashes` returns those of all valid tokens.

    It checks when it is told that a bot has changed, and retries until the store has answered.
    """

    unavailable: ClassVar[tuple[type[Exception], ...]] = (StoreUnavailable,)

    def __init__(self, hashes: Callable[[], Awaitable[frozenset[bytes]]]) -> None:
        super().__init__("token watch", every=None)
        self._hashes = hashes
        self._streams: dict[EndableStream, tuple[int, bytes]] = {}
        self._suspects: set[int] = set()
        #: The number of changes so far: earlier lookups may be out of date.
        self.changes = 0

    def add(self, stream: EndableStream, bot: int, hashed: bytes, since: int) -> None:
        """Watch a stream whose token was looked up when `changes` was `since`."""
        self._streams[stream] = bot, hashed
        if since != self.changes:
            self._suspect({bot})

    def discard(self, stream: EndableStream) -> None:
        """Forget a stream that has ended."""
        self._streams.pop(stream, None)

    def changed(self, bot: int) -> None:
        """Look a bot's token up again."""
        self.changes += 1
        self._suspect({bot})

    def changed_all(self) -> None:
        """Look all tokens up again."""
        self.changes += 1
        self._suspect({bot for bot, _ in self._streams.values()})

    def _suspect(self, bots: set[int]) -> None:
        bots &= {bot for bot, _ in self._streams.values()}
        if bots:
            self._suspects |= bots
            self.wake()

    async def _tick(self) -> None:
        suspects = frozenset(self._suspects)
        if not suspects:
            return
        self._suspects -= suspects
        try:
            good = await self._hashes()
        except BaseException:
            self._suspects |= suspects
            raise
        for stream, (bot, hashed) in list(self._streams.items()):
            if bot in suspects and hashed not in good:
                stream.end(TOKEN_REPLACED)
