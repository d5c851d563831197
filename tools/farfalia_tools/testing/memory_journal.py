"""The journal of matches in memory."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress

import structlog

from farfalia_server.play.journal import Author, EarlierPlay, JournalCorrupt, JournalLost

log = structlog.get_logger(__name__)


class MemoryJournal:
    """A `MatchJournal` in memory, with the rules of the one in Redis: one contract test runs against both.

    Entries are written in the next turn of the loop, all that wait at once.
    """

    def __init__(self) -> None:
        self._epochs: dict[int, int] = {}
        self._ended: dict[int, tuple[int, int]] = {}
        self._claims: defaultdict[int, set[tuple[int, str]]] = defaultdict(set)
        self._logs: defaultdict[tuple[int, int], list[bytes]] = defaultdict(list)
        self._queue: list[tuple[Author, int, bytes]] = []
        self._after_flush: list[Callable[[], None]] | None = None

    def append(self, author: Author, number: int, payload: bytes) -> None:
        """Queue an entry; entries of one match stay in order."""
        if not self._queue:
            asyncio.get_running_loop().call_soon(self._flush)
        self._queue.append((author, number, payload))

    def after_flush(self, callback: Callable[[], None]) -> None:
        """Call back once all authors of a call know its outcome, so that their questions share messages; else soon."""
        if self._after_flush is None:
            asyncio.get_running_loop().call_soon(callback)
        else:
            self._after_flush.append(callback)

    async def claim(self, match: int, epoch: int, node: str) -> EarlierPlay:
        """Make `epoch` the one that may write, unless there is a higher one; return what was known before."""
        before = self._epochs.get(match, 0)
        self._epochs[match] = max(before, epoch)
        if node:
            self._claims[match].add((epoch, node))
        attempt, last = self._ended.get(match, (0, 0))
        return EarlierPlay(max(before, last), attempt)

    async def knows(self, match: int, epoch: int, node: str) -> bool:
        """Return whether the match was claimed so, and not dropped since."""
        return (epoch, node) in self._claims.get(match, ())

    async def read(self, match: int, attempt: int) -> list[bytes]:
        """Return all entries of an attempt, oldest first; empty if there is none."""
        return list(self._logs.get((match, attempt), ()))

    async def forget(self, match: int, attempt: int) -> None:
        """Delete the entries of this attempt and of those before it, and let the next claims know that these have
        ended; the match's epochs stay.
        """
        before, last = self._ended.get(match, (0, 0))
        self._ended[match] = max(attempt, before), max(last, self._epochs.get(match, 0))
        for number in range(1, attempt + 1):
            self._logs.pop((match, number), None)

    async def drop(self, match: int, attempt: int) -> None:
        """Delete everything of a match that ended at this attempt, and let the next claims know that it did."""
        await self.forget(match, attempt)
        self._epochs.pop(match, None)
        self._claims.pop(match, None)

    def _flush(self) -> None:
        batch, self._queue = self._queue, []
        self._after_flush = after_flush = list[Callable[[], None]]()
        for author, number, payload in batch:
            try:
                self._write(author, number, payload)
            except Exception as error:
                log.exception("entry_report_failed", match=author.match, entry=number)
                with suppress(Exception):
                    author.fail(error)
        self._after_flush = None
        for callback in after_flush:
            try:
                callback()
            except Exception:
                log.exception("after_flush_failed")

    def _write(self, author: Author, number: int, payload: bytes) -> None:
        what = f"entry {number} cannot be written"
        owner = self._epochs.get(author.match)
        if owner is None:
            author.fail(JournalLost(f"{what}: redis does not know the match"))
        elif owner < author.epoch:
            author.fail(JournalLost(f"{what}: redis does not know this claim of the match"))
        elif owner > author.epoch:
            author.written(number, False)
        elif not self._repaired(author, number - 1):
            author.fail(JournalCorrupt(f"{what}: the journal lacks entries before this one"))
        elif self._kept(author, number, payload):
            author.written(number, True)
        else:
            author.fail(JournalCorrupt(f"{what}: the journal has another entry in its place"))

    def _kept(self, author: Author, number: int, payload: bytes) -> bool:
        """Write an entry that comes next; return whether it is in its place, since now or since an earlier time."""
        entries = self._logs[author.match, author.attempt]
        if len(entries) == number - 1:
            entries.append(payload)
        return entries[number - 1] == payload

    def _repaired(self, author: Author, upto: int) -> bool:
        """Return whether the entries up to this number are there, after the author has given those that lack."""
        entries = self._logs[author.match, author.attempt]
        if len(entries) < upto:
            log.warning("journal_repaired", matches=[author.match])
            with suppress(Exception):  # then the gap stays, and is told
                for number, payload in enumerate(author.payloads(upto), 1):
                    self._kept(author, number, payload)
        return len(entries) >= upto
