"""An event loop whose clock moves on by itself whenever nothing is left to do: hours pass in a moment, exactly."""

from __future__ import annotations

import asyncio
import selectors
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context
from time import monotonic
from typing import Any


class _SkippingSelector(selectors.SelectSelector):
    """A selector that waits for nothing: what it would wait for is added to the clock."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise AssertionError("nothing will ever happen again: the test waits for something that nobody does")
        self.now += timeout
        return []


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time. It begins at 1000 s, and reads no socket, pipe or signal.

    Code that reads a clock of its own has to be given this one: `asyncio.get_running_loop().time`. A test that waits
    for what cannot happen any more fails with AssertionError.
    """

    def __init__(self) -> None:
        self._clock = _SkippingSelector()
        super().__init__(self._clock)

    def time(self) -> float:
        """Return the virtual time, in seconds."""
        return self._clock.now

    def stall(self, seconds: float) -> None:
        """Let time pass in which the loop does nothing, as if a call had blocked it."""
        self._clock.now += seconds

    def forget(self, dead: Callable[[Context], bool]) -> None:
        """Never make the calls that wait and whose context is `dead`: what a process leaves behind that was killed."""
        waiting: Any = self
        for handle in [*waiting._ready, *waiting._scheduled]:
            if dead(handle._context):
                handle.cancel()


@contextmanager
def virtual_monotonic() -> Iterator[None]:
    """Give the running loop's clock to all modules of `play` that have imported `monotonic`."""

    def running() -> float:
        return asyncio.get_running_loop().time()

    prefix = "farfalia_server.play."
    modules = [module for name, module in sys.modules.items() if name.startswith(prefix)]
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
