"""Works around a stall of grpc.aio: its handler reads one wake-up per turn of the event loop, however many wait.

A thread of gRPC writes a byte to a socket for every event. When the socket's buffer is full, the thread blocks, and all
streams of the process stand still until the loop has read most of the bytes, one per turn (docs/grpc-wakeups.md).
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any

try:
    from fcntl import ioctl
    from termios import FIONREAD
except ImportError:  # Windows
    _CAN_COUNT = False
else:
    _CAN_COUNT = True

#: Name of the method of grpc.aio that handles its events.
_HANDLER = "_handle_events"
_INT = struct.Struct("i")


def read_all(loop: asyncio.AbstractEventLoop, woken: Callable[[], None] | None = None) -> None:
    """Make a loop handle all wake-ups of grpc.aio in the turn in which they come, from now on.

    Call it before the first channel or server of grpc.aio in this loop; later it has no effect, and neither has a
    second call. `woken` is called before the events of a turn are handled. Where grpc.aio, the loop or the system
    works differently, everything stays as it is.
    """
    if not _CAN_COUNT or isinstance(loop.add_reader, _AddReader):
        return
    with suppress(AttributeError):  # a loop that takes no attributes
        # Its handler is the one to change: grpc.aio hands it over here and keeps the rest in compiled code.
        loop.add_reader = _AddReader(loop.add_reader, woken)  # type: ignore[method-assign,assignment]


def pending(socket: Any) -> int:
    """Return bytes that can be read from a socket; 0 if it is closed."""
    try:
        count: int = _INT.unpack(ioctl(socket, FIONREAD, bytes(_INT.size)))[0]
    except (OSError, ValueError):
        return 0
    return count


class _AddReader:
    """The `add_reader` of a loop that knows the handler of grpc.aio."""

    def __init__(self, add_reader: Callable[..., Any], woken: Callable[[], None] | None) -> None:
        self._add_reader = add_reader
        self._woken = woken

    def __call__(self, socket: Any, callback: Callable[..., object], *arguments: Any) -> Any:
        if getattr(getattr(callback, "func", callback), "__name__", "") == _HANDLER:
            callback = _all(socket, callback, self._woken)
        return self._add_reader(socket, callback, *arguments)


def _all(socket: Any, handle: Callable[..., object], woken: Callable[[], None] | None) -> Callable[..., None]:
    def handle_all(*arguments: Any) -> None:
        if woken is not None:
            woken()
        handle(*arguments)
        # Every byte is read by the handler itself, which handles all events each time: no wake-up can be lost.
        with suppress(BlockingIOError):  # a loop in another thread reads from the same socket
            for _ in range(pending(socket)):
                handle(*arguments)

    return handle_all
