"""Long computing in a process of its own: in this one, bots with clocks would wait for it."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self, TypeVar

from farfalia_server.errors import FarfaliaServerError

T = TypeVar("T")

#: How much the process stands back behind those that play.
_NICE = 10


class Aside:
    """A process that computes one thing after another; `async with` starts and ends it.

    It ends at once with the block, whatever it is doing, and by itself if this process is killed.
    """

    async def __aenter__(self) -> Self:
        # Spawned, not forked: this process has threads, and sockets that must not be held open.
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there,), name="aside", daemon=True)
        await asyncio.to_thread(self._process.start)
        there.close()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        await asyncio.to_thread(self._process.join)
        self._here.close()

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """What a function of some module gives for these arguments; raises what it raises."""
        done, value = await asyncio.to_thread(self._exchange, function, arguments)
        if not done:
            raise value
        result: T = value
        return result

    def _exchange(self, function: Callable[..., Any], arguments: tuple[object, ...]) -> tuple[bool, Any]:
        try:
            self._here.send((function, arguments))
            answer: tuple[bool, Any] = self._here.recv()
        except (EOFError, OSError):
            raise FarfaliaServerError("the process that computes aside has ended before it was ready") from None
        return answer


def _serve(connection: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal
    os.nice(_NICE)
    while True:
        try:
            function, arguments = connection.recv()
        except EOFError:
            return
        try:
            answer = (True, function(*arguments))
        except Exception as error:
            answer = (False, error)
        connection.send(answer)
