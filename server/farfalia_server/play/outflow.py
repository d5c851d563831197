"""Spreads sending to bots over the turns of the event loop, so that a full server still answers everybody soon.

Bots answer what they are sent: if hundreds of tables send their questions in one turn of the loop, a later turn lasts
until all answers are handled, and any other call waits for several such turns. Waiting here is not charged to any bot:
the clock of a question starts when it is sent.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from time import perf_counter

import structlog

log = structlog.get_logger(__name__)

#: Seconds per turn of the loop for sending. Handling the answers takes some ten times as long, and every other call
#: needs several turns: grpc.aio accepts one call in two of them, so at 80 turns a second 50 calls a second wait longer
#: and longer.
_BUDGET = 0.0003


class Outflow:
    """Makes calls in order: at once while the turn has time left, otherwise in one of the next turns."""

    def __init__(self, now: Callable[[], float] = perf_counter) -> None:
        self._now = now
        self._loop = asyncio.get_running_loop()
        #: Not the submitter's context: log lines for one match would have the number of another.
        self._context = copy_context()
        self._waiting: deque[Callable[[], None]] = deque()
        self._left = _BUDGET
        self._scheduled = False

    def submit(self, send: Callable[[], None]) -> None:
        """Call `send` once, soon."""
        if self._waiting or self._left <= 0:
            self._waiting.append(send)
        else:
            self._send(send)
        self._schedule()

    def _send(self, send: Callable[[], None]) -> None:
        began = self._now()
        try:
            send()
        except Exception:  # of one bot; those of other bots wait here, too
            log.exception("flush_failed")
        self._left -= self._now() - began

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._turn, context=self._context)

    def _turn(self) -> None:
        self._scheduled = False
        self._left = _BUDGET
        while self._waiting and self._left > 0:
            self._send(self._waiting.popleft())
        if self._left < _BUDGET:
            self._schedule()
