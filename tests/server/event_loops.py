"""The event loops that a server may run on."""

from __future__ import annotations

from typing import Any

import uvloop
from tests.event_loop import ASYNCIO, ForgivingLoop


class UvloopEventLoop(ForgivingLoop, uvloop.Loop):  # type: ignore[misc]  # uvloop has no types
    """The loop of a server where uvloop installs."""


#: What AnyIO's plugin is told, by a loop's name.
LOOPS: dict[str, tuple[str, dict[str, Any]]] = {
    "asyncio": ASYNCIO,
    "uvloop": ("asyncio", {"loop_factory": UvloopEventLoop}),
}
