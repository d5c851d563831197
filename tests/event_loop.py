"""The event loop of tests."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    _Loop = asyncio.AbstractEventLoop
else:
    _Loop = object


class ForgivingLoop(_Loop):
    """A mixin for the loop of one test. gRPC has one queue for all loops of a process: what comes late for a loop that
    is closed is handled by this one, fails, and is no fault of this test."""

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not (isinstance(error, RuntimeError) and str(error) == "Event loop is closed"):
            super().call_exception_handler(context)


class EventLoop(ForgivingLoop, asyncio.SelectorEventLoop):
    """The loop of a test that does not say which."""


#: What AnyIO's plugin is told.
ASYNCIO: tuple[str, dict[str, Any]] = ("asyncio", {"loop_factory": EventLoop})
