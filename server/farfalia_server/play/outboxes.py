"""What a table sends once its journal has certain entries."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

Send = Callable[[], None]


class Outboxes:
    """The outboxes that wait for entries of a journal, which are written in the order of their calls."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, list[Send]]] = deque()

    def wait(self, number: int, outbox: Sequence[Send]) -> None:
        """Let an outbox wait for the entry of this number, whose call comes after all others so far."""
        self._waiting.append((number, list(outbox)))

    def join(self, outbox: Sequence[Send]) -> bool:
        """Let an outbox wait for the newest entry, too; False if none is waited for."""
        if self._waiting:
            self._waiting[-1][1].extend(outbox)
        return bool(self._waiting)

    def take(self, number: int) -> Sequence[Send]:
        """Return what waited for the oldest entry of this number; what waited for ones before it, which have failed, is
        forgotten.
        """
        while self._waiting and self._waiting[0][0] <= number:
            at, outbox = self._waiting.popleft()
            if at == number:
                return outbox
        return ()
