"""A writer of a match's entries, and how they are appended."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque

from farfalia_server.play.match_journal import MatchJournal


class Writer:
    """Writes a match's entries: they are `entry 1`, `entry 2` and so on."""

    def __init__(self, match: int, epoch: int = 1, attempt: int = 1) -> None:
        self.match = match
        self.attempt = attempt
        self.epoch = epoch
        self.failed: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        #: By number, those who wait for an entry, in the order of its calls.
        self.waiting: defaultdict[int, deque[asyncio.Future[bool]]] = defaultdict(deque)

    def payloads(self, count: int) -> list[bytes]:
        return [b"entry %d" % number for number in range(1, count + 1)]

    def written(self, number: int, ok: bool) -> None:
        if self.waiting[number]:
            self.waiting[number].popleft().set_result(ok)

    def fail(self, error: Exception) -> None:
        self.failed.set_result(error)


async def append(journal: MatchJournal, writer: Writer, number: int, payload: bytes = b"") -> bool:
    written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    writer.waiting[number].append(written)
    journal.append(writer, number, payload or b"entry %d" % number)
    return await written


async def append_all(journal: MatchJournal, writer: Writer, last: int) -> None:
    for number in range(1, last + 1):
        assert await append(journal, writer, number)
