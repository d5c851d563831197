"""The clock by which bots are timed: it stops while the event loop is stalled, and measures the loop's load."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf
from time import monotonic, thread_time
from types import TracebackType
from typing import Self

import structlog

from farfalia_server.net.measures import Measures

log = structlog.get_logger(__name__)

#: Seconds between two ticks, and the lateness that counts as a stall: timers have a resolution of a millisecond.
_TICK, _SLACK = 0.02, 0.002
#: Seconds that gRPC's threads get to hand over what has arrived, and turns of the loop until a reader has it: in uvloop
#: timers and ready callbacks run before the poll, and the reader that the poll wakes runs in the next turn.
_READING, _TURNS = 0.005, 3
#: The weight of the newest tick in the load, which then follows a change within some five ticks.
_WEIGHT = 0.3
#: Stalls of at least this many seconds are logged.
_LONG = 1.0


class Timer:
    """A scheduled call; `handle` is the next step towards it."""

    __slots__ = ("handle",)

    def __init__(self) -> None:
        self.handle: asyncio.Handle | None = None

    def cancel(self) -> None:
        """Cancel the call."""
        if self.handle is not None:
            self.handle.cancel()


class LoopClock:
    """Seconds, without those in which the event loop was stalled; `async with` starts and stops it.

    A ticker measures how late the loop is. From the moment at which a tick is late until it comes, the clock stops, so
    that a stall of the server, or of its machine, costs a bot 22 ms at most. Before it is started, the clock is
    `time`. `cpu` returns the CPU seconds of the loop's thread.
    """

    def __init__(
        self,
        measures: Measures,
        time: Callable[[], float] = monotonic,
        cpu: Callable[[], float] = thread_time,
    ) -> None:
        #: The recent share of time in which the loop was busy, 0 … 1; waiting for a busy processor counts. Before the
        #: clock is started it is 1.
        self.load = 1.0
        self._measures = measures
        self._time = time
        self._cpu = cpu
        #: `time` and `cpu` at the last tick.
        self._ticked = time(), cpu()
        self._loop = asyncio.get_running_loop()
        self._late_from = inf
        self._stalled = 0.0
        #: When gRPC handed something over last, by `time` and by this clock.
        self._woken: tuple[float, float] | None = None
        self._ticker: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> Self:
        self._schedule()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._ticker is not None:
            self._ticker.cancel()
        self._stalled += max(0.0, self._time() - self._late_from)
        self._late_from = inf

    def now(self) -> float:
        """Return seconds; never less than before."""
        return min(self._time(), self._late_from) - self._stalled

    def woken(self) -> None:
        """Note that gRPC is about to hand over all messages that have arrived."""
        self._woken = self._time(), self.now()

    def arrived(self) -> float:
        """Return when the message that a stream has just read arrived: when gRPC handed it over, if known."""
        if self._woken is None:
            return self.now()
        time, at = self._woken
        self._measures.answer_age.append(self._time() - time)
        return at

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call back when this clock shows `when` and all messages that arrived before have been read."""
        timer = Timer()
        timer.handle = self._loop.call_later(max(0.0, when - self.now()), self._wait, timer, when, callback)
        return timer

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call back after these seconds of this clock, once all messages that arrived before have been read."""
        return self.call_at(self.now() + seconds, callback)

    def _wait(self, timer: Timer, when: float, callback: Callable[[], None]) -> None:
        left = when - self.now()
        if left > 0.001:  # less: the timer came early
            timer.handle = self._loop.call_later(left, self._wait, timer, when, callback)
        else:
            timer.handle = self._loop.call_later(_READING, self._read_first, timer, _TURNS, callback)

    def _read_first(self, timer: Timer, turns: int, callback: Callable[[], None]) -> None:
        if turns:
            timer.handle = self._loop.call_soon(self._read_first, timer, turns - 1, callback)
        else:
            timer.handle = None  # it refers back to this timer: a cycle that only the garbage collector would find
            callback()

    def _schedule(self) -> None:
        self._late_from = self._time() + _TICK + _SLACK
        self._ticker = self._loop.call_later(_TICK, self._tick)

    def _tick(self) -> None:
        late = max(0.0, self._time() - self._late_from)
        self._weigh(late)
        self._stalled += late
        self._measures.lateness.append(late)
        self._measures.stalled += late
        if late >= _LONG:
            log.warning("event_loop_stalled", seconds=round(late, 1))
        self._schedule()

    def _weigh(self, late: float) -> None:
        ticked, self._ticked = self._ticked, (self._time(), self._cpu())
        passed, worked = self._ticked[0] - ticked[0], self._ticked[1] - ticked[1]
        if passed > 0:
            self.load += _WEIGHT * (min(1.0, (worked + late) / passed) - self.load)
