"""How much CPU time a piece of work takes: in its own steps on the event loop, and in threads that read for it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from functools import partial
from time import thread_time
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class CpuMeter:
    """Adds up CPU seconds; after each step of the work, `spend` is called with what has come since the last one."""

    def __init__(self, spend: Callable[[float], None] | None = None) -> None:
        self.seconds = 0.0
        self._spend, self._spent = spend, 0.0

    def settle(self) -> None:
        """Call `spend` with what has come; on the event loop only."""
        if self._spend is not None:
            self._spend(self.seconds - self._spent)
            self._spent = self.seconds


_meter: ContextVar[CpuMeter | None] = ContextVar("cpu_meter", default=None)


async def metered(meter: CpuMeter, work: Coroutine[Any, Any, T]) -> T:
    """Return what `work` returns, and add the CPU time of it to the meter; what runs between its steps is not added."""
    before = _meter.set(meter)
    try:
        return await _Steps(meter, work)
    finally:
        _meter.reset(before)


def charged(work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
    """Return work for a task of its own whose CPU time goes to the meter of the present context, if there is one."""
    meter = _meter.get()
    return work if meter is None else metered(meter, work)


def in_thread(work: Callable[P, T]) -> Callable[P, T]:
    """Return work for a thread that adds its CPU time to the meter of the present context, if there is one."""
    meter = _meter.get()
    if meter is None:
        return work

    def timed(*args: P.args, **named: P.kwargs) -> T:
        began = thread_time()
        try:
            return work(*args, **named)
        finally:
            meter.seconds += thread_time() - began

    return timed


class _Steps(Generic[T]):
    """A coroutine whose steps, from one wait to the next, are timed."""

    def __init__(self, meter: CpuMeter, work: Coroutine[Any, Any, T]) -> None:
        self._meter, self._work = meter, work

    def __await__(self) -> Generator[Any, None, T]:
        step: Callable[[], Any] = partial(self._work.send, None)
        while True:
            began = thread_time()
            try:
                waits_for = step()
            except StopIteration as end:
                answer: T = end.value
                return answer
            finally:
                self._meter.seconds += thread_time() - began
                self._meter.settle()
            try:
                yield waits_for
            except BaseException as error:  # a cancellation, mostly, which is for the work to handle
                step = partial(self._work.throw, error)
            else:
                step = partial(self._work.send, None)
