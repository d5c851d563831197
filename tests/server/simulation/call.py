"""A bot's call of `Play` without gRPC: both ends, and the way between them, which takes time and can be lost."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

import grpc.aio

from farfalia.v1 import play_pb2

_EOF = vars(grpc.aio)["EOF"]


class Lost(Exception):
    """Nothing comes any more on this call."""


class Call:
    """One call; the server's end is a `ServicerContext`, as far as it is used."""

    def __init__(self, token: str, latency: float) -> None:
        self.token = token
        self._latency = latency
        self._loop = asyncio.get_running_loop()
        self._up: asyncio.Queue[Any] = asyncio.Queue()
        self._down: asyncio.Queue[play_pb2.PlayResponse | None] = asyncio.Queue()
        self._cut = False
        #: Messages on their way, first in, first out: timers that are due at the same time come in any order.
        self._rising: deque[bytes] = deque()
        self._falling: deque[play_pb2.PlayResponse | None] = deque()

    # -- the bot's end ---------------------------------------------------------------------

    def send(self, message: play_pb2.PlayRequest | bytes) -> None:
        """Send a message, which is lost if the connection is."""
        data = message if isinstance(message, bytes) else message.SerializeToString()
        if not self._cut:
            self._rising.append(data)
            self._loop.call_later(self._latency, self._raise)

    async def receive(self) -> play_pb2.PlayResponse:
        """Return the next message; Lost when there is none."""
        message = await self._down.get()
        if message is None:
            raise Lost
        return message

    def lose(self, noticed_after: float) -> None:
        """Lose the connection: the bot notices at once, the server after some seconds."""
        if not self._cut:
            self._cut = True
            self._down.put_nowait(None)
            self._loop.call_later(noticed_after, self._up.put_nowait, _EOF)

    # -- the server's end ------------------------------------------------------------------

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),)

    def peer(self) -> str:
        return "memory:1"

    async def send_initial_metadata(self, _: object) -> None:
        pass

    async def read(self) -> Any:
        return await self._up.get()

    async def write(self, data: bytes) -> None:
        if not self._cut:
            self._falling.append(play_pb2.PlayResponse.FromString(data))
            self._loop.call_later(self._latency, self._deliver)

    async def abort_with_status(self, status: Any) -> None:
        raise grpc.aio.AbortError(status.details)

    def end(self) -> None:
        """Tell the bot that the server has ended the call, after what it has written; the server reads no more."""
        self._up.put_nowait(_EOF)
        if not self._cut:
            self._falling.append(None)
            self._loop.call_later(self._latency, self._deliver)

    def _raise(self) -> None:
        if not self._cut:
            self._up.put_nowait(self._rising.popleft())

    def _deliver(self) -> None:
        if not self._cut:
            message = self._falling.popleft()
            self._down.put_nowait(message)
            self._cut = message is None
