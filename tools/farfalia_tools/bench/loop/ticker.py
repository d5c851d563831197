"""How long an event loop is blocked, and by what: a ticker in the loop, and a thread that looks at it meanwhile."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter, sleep, thread_time
from types import FrameType, TracebackType
from typing import Any, Self

from farfalia_server.net.measures import percentile

#: Seconds between two ticks, and between two looks at the loop.
_TICK, _LOOK = 0.001, 0.004
#: Seconds from which a gap counts as long; gaps that are told of.
LONG, _TOLD = 0.020, 5
#: A gap in which the loop has run for less than this, seconds, is the machine's.
_OURS = 0.005


@dataclass(frozen=True, slots=True)
class Gap:
    """A time in which nothing else could run in the loop, in seconds; `busy` is how long its thread ran meanwhile."""

    seconds: float
    busy: float
    #: Of that, garbage collection.
    collecting: float
    #: Where the loop's thread was most of the time.
    ran: str


@dataclass(frozen=True, slots=True)
class Gaps:
    """What a ticker has found, in seconds."""

    longest: float
    p999: float
    #: The same of the processor time of the loop's thread: what other processes take is left out.
    longest_busy: float
    p999_busy: float
    #: Gaps that are long.
    long: int
    #: The longest collection of garbage.
    longest_collection: float
    #: The longest gaps by processor time, longest first.
    worst: tuple[Gap, ...]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Gaps:
        """Return them from what `asdict` made of them."""
        return cls(**{**values, "worst": tuple(Gap(**gap) for gap in values["worst"])})


class Ticker:
    """Ticks each millisecond in the running loop, from `begin` to `end`; `async with` starts and stops it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._stopped = False
        self._due = self._cpu = 0.0
        self._collecting = self._began_collecting = self._longest_collection = 0.0
        self._generation = 0
        self._gaps: list[float] = []
        self._busy: list[float] = []
        self._worst: list[Gap] = []
        #: Where the loop's thread was seen since the tick was due.
        self._seen: Counter[str] = Counter()

    async def __aenter__(self) -> Self:
        gc.callbacks.append(self._on_collection)
        self.begin()
        self._schedule()
        threading.Thread(target=self._watch, name="loop-watcher", daemon=True).start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped = True
        gc.callbacks.remove(self._on_collection)

    def begin(self) -> None:
        """Forget what was found."""
        self._gaps, self._busy, self._worst = [], [], []
        self._longest_collection = 0.0

    def end(self) -> Gaps:
        """Return what was found since the beginning."""
        return Gaps(
            max(self._gaps, default=0.0),
            percentile(self._gaps, 0.999),
            max(self._busy, default=0.0),
            percentile(self._busy, 0.999),
            sum(gap >= LONG for gap in self._busy),
            self._longest_collection,
            tuple(sorted(self._worst, key=lambda gap: -gap.busy)[:_TOLD]),
        )

    def _schedule(self) -> None:
        self._seen.clear()
        self._collecting = 0.0
        self._cpu = thread_time()
        self._due = perf_counter() + _TICK
        self._loop.call_later(_TICK, self._tick)

    def _tick(self) -> None:
        seconds, busy = max(0.0, perf_counter() - self._due), thread_time() - self._cpu
        busy = min(seconds, busy)
        self._gaps.append(seconds)
        self._busy.append(busy)
        if seconds >= LONG / 2:
            self._worst.append(Gap(seconds, busy, self._collecting, self._what_ran(busy)))
        if not self._stopped:
            self._schedule()

    def _what_ran(self, busy: float) -> str:
        if busy < _OURS:
            return "other processes"
        if self._collecting > busy / 2:
            return f"garbage collection of generation {self._generation}"
        return self._seen.most_common(1)[0][0] if self._seen else "not seen"

    def _on_collection(self, phase: str, about: Mapping[str, int]) -> None:
        if threading.get_ident() != self._thread:
            return
        if phase == "start":
            self._began_collecting = perf_counter()
        else:
            took = perf_counter() - self._began_collecting
            self._collecting += took
            self._generation = about["generation"]
            self._longest_collection = max(self._longest_collection, took)

    def _watch(self) -> None:
        while not self._stopped:
            sleep(_LOOK)
            if perf_counter() > self._due + _LOOK:
                frame = sys._current_frames().get(self._thread)
                if frame is not None:
                    self._seen[_place(frame)] += 1


def _place(frame: FrameType) -> str:
    """Return the innermost function, and by which of ours, from the loop inwards, it was called."""
    ours = [f"{_module(one)}.{one.f_code.co_name}" for one in _outwards(frame) if "farfalia" in _module(one)]
    inner = f"{_module(frame)}.{frame.f_code.co_name}"
    ours.reverse()
    names = ours if ours and ours[-1] == inner else [*ours, inner]
    return " > ".join(name.replace("farfalia_server.", "") for name in names[-4:])


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "?"))
