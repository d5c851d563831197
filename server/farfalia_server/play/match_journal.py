"""What tables, the match runner and batchers need of the journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from farfalia_server.play.journal import Author, EarlierPlay


class MatchJournal(Protocol):
    """The journal of running matches: entries in order, numbered from 1 in each attempt, fenced by epochs."""

    def append(self, author: Author, number: int, payload: bytes) -> None:
        """Queue an entry, numbered from 1; its author is told what has become of it."""

    def after_flush(self, callback: Callable[[], None]) -> None:
        """Call back once all authors of a call know its outcome, so that their questions share messages; else soon."""

    async def claim(self, match: int, epoch: int, node: str) -> EarlierPlay:
        """Make `epoch` the one that may write, unless there is a higher one; return what was known before.

        Without a `node` the claim is not known afterwards: its entries are to be written again.
        """

    async def knows(self, match: int, epoch: int, node: str) -> bool:
        """Return whether the journal has seen this claim: False if it has lost its data since."""

    async def read(self, match: int, attempt: int) -> list[bytes]:
        """Return all entries of an attempt, oldest first. Raises JournalCorrupt if one is missing."""

    async def forget(self, match: int, attempt: int) -> None:
        """Delete the entries of this attempt and of earlier ones, and let the next claims know that these have ended;
        the match's epochs stay.
        """

    async def drop(self, match: int, attempt: int) -> None:
        """Delete everything of a match that ended at this attempt, and let the next claims know that it did."""
