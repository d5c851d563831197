"""Plays the house bots' decisions of all tables, for a moment in each turn of the event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

#: Seconds per turn of the loop for house bots, while bots with clocks play and while none does. A turn itself costs
#: some hundredths of a millisecond.
_BESIDE_BOTS, _ALONE = 0.0005, 0.002


class HouseScheduler:
    """Schedules house bots, one instance per node, so that their tables cannot delay connected bots.

    Tables are called in turn: those with connected bots first, then those with house bots only, of which at least one
    is called in each turn of the loop. `now` is in seconds.
    """

    def __init__(self, now: Callable[[], float] = perf_counter) -> None:
        self._now = now
        self._loop = asyncio.get_running_loop()
        self._with_bots: deque[Callable[[], None]] = deque()
        self._house_only: deque[Callable[[], None]] = deque()
        self._tables = 0
        self._scheduled = False

    @contextmanager
    def table_with_bots(self) -> Iterator[None]:
        """Note that a table with connected bots is in play during the block."""
        self._tables += 1
        try:
            yield
        finally:
            self._tables -= 1

    def add(self, play: Callable[[], None], *, with_bots: bool) -> None:
        """Call `play` once, soon; it makes a few decisions and adds itself again if there are more."""
        (self._with_bots if with_bots else self._house_only).append(play)
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        end = self._now() + (_BESIDE_BOTS if self._tables else _ALONE)
        for queue in (self._with_bots, self._house_only):
            while queue:
                queue.popleft()()
                if self._now() >= end:
                    break
        # `call_soon` runs after the loop has polled, so input never waits for more than a turn.
        self._scheduled = bool(self._with_bots or self._house_only)
        if self._scheduled:
            self._loop.call_soon(self._turn)
