"""A bot's call of `Play` in memory, for the server's end of a stream."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc.aio

from farfalia.v1 import play_pb2

#: What is read at the end of a call.
EOF = vars(grpc.aio)["EOF"]
HELLO = play_pb2.PlayRequest(hello=play_pb2.Hello(instance=b"one"))


class Call:
    """A call in memory: what the bot sends, and what it is sent."""

    def __init__(self) -> None:
        self._sent: asyncio.Queue[Any] = asyncio.Queue()
        self.read_messages = 0
        self.got: list[play_pb2.PlayResponse] = []
        self.reads = asyncio.Event()
        self.reads.set()

    def send(self, *messages: play_pb2.PlayRequest) -> None:
        for message in messages:
            self.send_bytes(message.SerializeToString())

    def send_bytes(self, data: bytes) -> None:
        self._sent.put_nowait(data)

    def fail(self, error: Exception) -> None:
        self._sent.put_nowait(error)

    async def read(self) -> Any:
        message = await self._sent.get()
        if isinstance(message, Exception):
            raise message
        self.read_messages += 1
        return message

    async def write(self, message: bytes) -> None:
        await self.reads.wait()
        self.got.append(play_pb2.PlayResponse.FromString(message))
