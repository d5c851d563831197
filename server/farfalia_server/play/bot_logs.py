"""The log lines of bots: queued at once, and written to the store in batches."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Sequence
from functools import partial

import structlog

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.net.service import Service
from farfalia_server.play.limits import LOG_LINES_KEPT
from farfalia_server.store import NewLogLine, Store

log = structlog.get_logger(__name__)

#: Seconds between two writes.
_INTERVAL = 0.5
#: Replaces a line that the database does not take.
_UNWRITABLE = "(a line that could not be stored)"


class BotLogWriter(Service):
    """Writes log lines to the store; while the database is unreachable, the newest of each bot are kept."""

    def __init__(self, store: Store) -> None:
        super().__init__("bot log writer")
        self._store = store
        self._lines: defaultdict[int, deque[NewLogLine]] = defaultdict(partial(deque, maxlen=LOG_LINES_KEPT))

    def write(self, bot: int, line: NewLogLine) -> None:
        """Queue a line for the bot's owner."""
        self._lines[bot].append(line)
        self.wake()

    async def _run(self) -> None:
        while await self._goes_on(None):
            self._woken.clear()
            await self._write_all()
            if not self._stopping:
                await asyncio.sleep(_INTERVAL)
        await self._write_all()

    async def _write_all(self) -> None:
        for bot in list(self._lines):
            lines = list(self._lines.pop(bot))
            try:
                await self._store.logs.add(bot, lines)
            except StoreUnavailable as error:
                log.warning("bot_logs_delayed", bot_id=bot, lines=len(lines), error=str(error))
                newer = self._lines.pop(bot, ())
                self._lines[bot].extend([*lines, *newer])
                self.wake()
            except Exception as error:  # one bot's lines must not end the task that writes those of all bots
                log.warning("bot_logs_unstorable", bot_id=bot, lines=len(lines), error=repr(error))
                await self._write_without_text(bot, lines)

    async def _write_without_text(self, bot: int, lines: Sequence[NewLogLine]) -> None:
        try:
            await self._store.logs.add(bot, [NewLogLine(0, _UNWRITABLE) for _ in lines])
        except Exception as error:  # as when the lines themselves are written
            log.warning("bot_logs_lost", bot_id=bot, lines=len(lines), error=repr(error))
