"""An event loop whose clock moves on by itself whenever nothing is left to do: hours pass in a moment, exactly."""

from __future__ import annotations

import asyncio
import heapq
import selectors
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any

#: Seconds by which a timer of a process that was frozen comes after what else has happened meanwhile.
_MOMENT = 1e-6


class _SkippingSelector(selectors.SelectSelector):
    """A selector that waits for nothing: what it would wait for is added to the clock."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise AssertionError("nothing will ever happen again: the test waits for something that nobody does")
        self.now += timeout
        return []


@dataclass
class _Sleep:
    """Calls of a process that is frozen, held back until then."""

    frozen: Callable[[Context], bool]
    until: float
    held: list[asyncio.Handle] = field(default_factory=list)


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time. It begins at 1000 s, and reads no socket, pipe or signal.

    Code that reads a clock of its own has to be given this one: `asyncio.get_running_loop().time`. A test that waits
    for what cannot happen any more fails with AssertionError.
    """

    def __init__(self) -> None:
        self._clock = _SkippingSelector()
        self._sleeps: list[_Sleep] = []
        super().__init__(self._clock)

    def time(self) -> float:
        """Return the virtual time, in seconds."""
        return self._clock.now

    def stall(self, seconds: float) -> None:
        """Let time pass in which the loop does nothing, as if a call had blocked it."""
        self._clock.now += seconds

    def freeze(self, frozen: Callable[[Context], bool], seconds: float) -> Callable[[], None]:
        """Make no calls whose context is `frozen` for this time, as if their process was stopped, and all of them then,
        or when the returned function is called.
        """
        until = self.time() + seconds
        nothing = asyncio.Handle(int, (), self)
        nothing.cancel()
        sleep = _Sleep(frozen, until)
        waiting: Any = self
        for handle in waiting._scheduled:
            if frozen(handle._context):
                handle._when = max(handle._when, until + _MOMENT)  # what arrived meanwhile comes first
        heapq.heapify(waiting._scheduled)
        sleep.held = [handle for handle in waiting._ready if frozen(handle._context)]
        # A turn of the loop has counted its calls before the first of them, which may be this one: none may be missing.
        for at, handle in enumerate(waiting._ready):
            if frozen(handle._context):
                waiting._ready[at] = nothing
        self._sleeps.append(sleep)
        self.call_at(until, self._wake, sleep, context=Context())
        return partial(self._wake, sleep)

    def _wake(self, sleep: _Sleep) -> None:
        if sleep in self._sleeps:
            self._sleeps.remove(sleep)
            waiting: Any = self
            waiting._ready.extend(handle for handle in sleep.held if not handle.cancelled())

    def call_soon(  # type: ignore[override]  # without the types of the arguments
        self, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Call in the next turn, or once the process is awake."""
        if self._sleeps:
            own = copy_context() if context is None else context
            for sleep in self._sleeps:
                if sleep.frozen(own):
                    handle = asyncio.Handle(callback, args, self, own)
                    sleep.held.append(handle)
                    return handle
        return super().call_soon(callback, *args, context=context)

    def call_at(  # type: ignore[override]  # without the types of the arguments
        self, when: float, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Call at this time, or once the process is awake."""
        if self._sleeps:
            own = copy_context() if context is None else context
            for sleep in self._sleeps:
                if sleep.frozen(own):
                    when = max(when, sleep.until + _MOMENT)
        return super().call_at(when, callback, *args, context=context)

    def waiting(self, own: Callable[[Context], bool]) -> list[str]:
        """Return the calls that wait and whose context is `own`."""
        waiting: Any = self
        handles = [*waiting._ready, *waiting._scheduled]
        return [f"{handle!r}, {handle._args}" for handle in handles if not handle.cancelled() and own(handle._context)]

    def forget(self, dead: Callable[[Context], bool]) -> None:
        """Never make the calls that wait and whose context is `dead`: what a process leaves behind that was killed."""
        waiting: Any = self
        for handle in [*waiting._ready, *waiting._scheduled, *(held for sleep in self._sleeps for held in sleep.held)]:
            if dead(handle._context):
                handle.cancel()


@contextmanager
def virtual_monotonic() -> Iterator[None]:
    """Give the running loop's clock to all modules of `play`, `queue` and `nodes` that have imported `monotonic`."""

    def running() -> float:
        return asyncio.get_running_loop().time()

    rooms = ("farfalia_server.play.", "farfalia_server.queue.", "farfalia_server.nodes.")
    modules = [module for name, module in sys.modules.items() if name.startswith(rooms)]
    patched = [module for module in modules if getattr(module, "monotonic", None) is monotonic]
    for module in patched:
        vars(module)["monotonic"] = running
    try:
        yield
    finally:
        for module in patched:
            vars(module)["monotonic"] = monotonic


#: What the fixture `anyio_backend` returns in a test file that plays in virtual time.
VIRTUAL_TIME: tuple[str, dict[str, Any]] = ("asyncio", {"loop_factory": VirtualTimeLoop})
