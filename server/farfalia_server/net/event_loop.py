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

#: When the garbage collector looks at young objects, at those that survived once, and at all: after this many new
#: objects, looks of the first kind, and looks of the second. A look stops the loop for a microsecond an object: looking
#: less often stopped full tables for a tenth of a second or more at a time, and one at everything takes half a second
#: on a full server. The default looks too often at what each decision makes and throws away.
_COLLECT = (2_000, 2, 12_500)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, as `asyncio.run` does."""
    gc.freeze()  # what was imported stays for good and need not be looked at
    gc.set_threshold(*_COLLECT)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(main)
