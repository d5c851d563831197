"""One stream of a process, from its hello to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from farfalia.v1 import play_pb2
from farfalia_server.contract import statuses
from farfalia_server.play.stream import StreamStatus

#: What a stream reads at its end; grpcio's types leave it out.
_EOF: object = vars(grpc.aio)["EOF"]
#: Messages that may wait for a process to read.
_QUEUED: Final = 256

Context = grpc.aio.ServicerContext[Any, Any]


class RelayStream:
    """What a process is sent and says on one stream."""

    def __init__(self, context: Context, hello: play_pb2.Hello) -> None:
        self.hello = hello
        #: What it says is read, but nobody hears it: it is about to be lost.
        self.deaf = False
        #: Seconds of the event loop's clock at which it ended; None while it lives.
        self.ended: float | None = None
        self._context = context
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(_QUEUED)
        self._told_to_end: asyncio.Future[StreamStatus] = asyncio.get_running_loop().create_future()

    def send(self, message: play_pb2.PlayResponse) -> None:
        """Send the process a message; one that does not read loses it."""
        with suppress(asyncio.QueueFull):
            self._queue.put_nowait(message.SerializeToString())

    def end(self, status: StreamStatus) -> None:
        """End it from this side; what waits to be written is lost."""
        if not self._told_to_end.done():
            self._told_to_end.set_result(status)

    async def serve(self, take: Callable[[play_pb2.PlayRequest], None]) -> None:
        """Write what is sent, and pass on what the process says, until either side ends the stream."""
        writing = asyncio.create_task(self._write())
        reading = asyncio.create_task(self._read(take))
        try:
            either: set[asyncio.Future[Any]] = {reading, self._told_to_end}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._told_to_end.done():
                # Not after it: a process may be back before this loop hears that the status was written.
                self.ended = asyncio.get_running_loop().time()
                await _end(self._context, self._told_to_end.result())
            else:
                reading.result()
        finally:
            writing.cancel()
            reading.cancel()
            if self.ended is None:
                self.ended = asyncio.get_running_loop().time()

    async def _read(self, take: Callable[[play_pb2.PlayRequest], None]) -> None:
        while (message := await read(self._context)) is not None:
            if not self.deaf and not self._told_to_end.done():
                take(message)

    async def _write(self) -> None:
        with suppress(grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            while True:
                await self._context.write(await self._queue.get())


async def read(context: Context) -> play_pb2.PlayRequest | None:
    """Return the next message of a process; None at the end of its stream, which garbage ends at once."""
    try:
        data = await context.read()
        return None if data is _EOF else play_pb2.PlayRequest.FromString(data)
    except DecodeError:
        await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "a message is no PlayRequest")
    except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
        return None
    return None


async def _end(context: Context, status: StreamStatus) -> None:
    if status.code is None:
        return
    if status.reason:
        await statuses.end(context, status.code, status.reason, status.text)
    await context.abort(status.code, status.text)
