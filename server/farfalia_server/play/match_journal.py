"""What tables, their runner and the batching of messages need of the journal of matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from farfalia_server.play.journal import JournalEntry


class MatchJournal(Protocol):
    """The journal of running matches: entries in order, numbered from 1 in each attempt, fenced by epochs."""

    def append(self, entry: JournalEntry) -> None:
        """Queue an entry; its author is told what became of it."""

    def after_flush(self, callback: Callable[[], None]) -> None:
        """Call back when what waits to be written now is written, or soon if nothing waits."""

    async def claim(self, match: int, epoch: int, node: str) -> int:
        """Make `epoch` the one that may write, unless there is a higher one; return the one before, 0 for none."""

    async def knows(self, match: int, epoch: int, node: str) -> bool:
        """Return whether this claim was made here: False if the journals were lost since."""

    async def read(self, match: int, attempt: int) -> list[bytes]:
        """Return all entries of an attempt, oldest first. Raises JournalCorrupt if one is missing."""

    async def forget(self, match: int, attempt: int) -> None:
        """Delete the entries of this attempt and of those before it; the match's epochs stay."""

    async def drop(self, match: int, attempt: int) -> None:
        """Delete everything of a match that is over, and was at this attempt."""
