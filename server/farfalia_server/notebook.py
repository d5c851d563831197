"""Takes the log lines of bots at once, and writes them to the store in its own time."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from types import TracebackType

import structlog

from farfalia_server.errors import StoreError
from farfalia_server.store import Store
from farfalia_server.supervision import supervised

log = structlog.get_logger(__name__)

#: Seconds between two writes.
_INTERVAL = 0.5


class Notebook:
    """Log lines on their way; what the store does not take is dropped, since it is worth no match."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lines: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
        self._wake = asyncio.Event()
        self._closing = False
        self._writer: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Notebook:
        self._writer = supervised(self._write_on(), "notebook")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        self._wake.set()
        if self._writer is not None:
            await self._writer

    def write(self, bot: int, match: int, text: str) -> None:
        """Keeps a line for the bot's owner."""
        self._lines[bot].append((match, text))
        self._wake.set()

    async def _write_on(self) -> None:
        while not self._closing:
            await self._wake.wait()
            self._wake.clear()
            lines, self._lines = self._lines, defaultdict(list)
            for bot, of_bot in lines.items():
                try:
                    await self._store.logs.add(bot, of_bot)
                except StoreError as error:
                    log.warning("log lines of a bot were lost", bot=bot, lines=len(of_bot), why=str(error))
            if not self._closing:
                await asyncio.sleep(_INTERVAL)
