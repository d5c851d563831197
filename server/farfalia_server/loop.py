"""Runs the event loop of a server: uvloop where it is installed, and a collector that does not get in the way."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

new_event_loop: Callable[[], asyncio.AbstractEventLoop]
try:
    from uvloop import new_event_loop
except ImportError:  # no wheel for this platform
    new_event_loop = asyncio.new_event_loop

T = TypeVar("T")

#: Allocations between two looks of the collector at young objects. A table makes hundreds of short-lived ones for each
#: decision and no cycles, so the default of 700 looks far too often.
_YOUNG = 20_000


def run(main: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine to its end, as `asyncio.run` does."""
    gc.freeze()  # what was imported stays for good and need not be looked at
    gc.set_threshold(_YOUNG, 20, 50)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(main)
