"""One stream: one task reads it, one task writes it, and neither is cancelled or timed out in the middle of a call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

import grpc
import grpc.aio

from farfalia import grpc_wakeups
from farfalia.channels import open_channel
from farfalia.outbox import Outbox
from farfalia.settings import Server
from farfalia.stream_end import StreamEnd, stream_end
from farfalia.v1 import play_pb2 as pb
from farfalia.v1.play_pb2_grpc import PlayServiceStub

# A frozen server or a cut cable is noticed by HTTP/2 within half a minute; without the third option, after more
# than a minute. A pool of its own lets each stream dial again: behind a balancer it may reach another server.
OPTIONS: list[tuple[str, Any]] = [
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", 16 << 20),
    ("grpc.use_local_subchannel_pool", 1),
]
WELCOME_WITHIN = 20.0
PINGS_MISSED = 3


class BotStream:
    """A stream from its hello to its end; `take` gets the server's messages, one after the other."""

    def __init__(self, server: Server, outbox: Outbox, take: Callable[[pb.PlayResponse], Awaitable[None]]) -> None:
        #: Set when the server wants a new stream to be opened.
        self.drained = asyncio.Event()
        #: How the stream ended; None while it lives and if the server ended it with OK.
        self.end: StreamEnd | None = None
        self._welcomed: float | None = None
        self._ping_interval = 0.0
        self._first: pb.PlayResponse | None = None
        self._heard = False
        self._pong: pb.Pong | None = None
        self._server = server
        self._outbox = outbox
        self._take = take
        grpc_wakeups.read_all(asyncio.get_running_loop())
        self._channel = open_channel(server, OPTIONS)
        stub: Any = PlayServiceStub(self._channel)  # type: ignore[no-untyped-call]  # generated without types
        self._call = stub.Play(metadata=(("authorization", f"Bearer {server.token}"),))

    @property
    def welcomed(self) -> bool:
        """Whether the server has accepted the bot."""
        return self._welcomed is not None

    @property
    def lived(self) -> float:
        """Seconds since the welcome."""
        return 0.0 if self._welcomed is None else monotonic() - self._welcomed

    async def open(self, hello: pb.Hello) -> bool:
        """Say hello and wait for the server's first message; false if there was none, and `end` says why."""
        timer = asyncio.get_running_loop().call_later(WELCOME_WITHIN, self.abandon, "no welcome came in time")
        # A task: a call that is cancelled before it is connected never lets go of its first write.
        greeting = asyncio.create_task(self._write(self._outbox.hello(hello)))
        try:
            self._first = await self._read()
        finally:
            timer.cancel()
            if self._first is None:
                greeting.cancel()
            await asyncio.wait((greeting,))
            if self._first is None:
                await self._channel.close()
        if self._first is None:
            return False
        self._welcomed = monotonic()
        return True

    async def serve(self) -> None:
        """Play until either side ends the stream; starts with the first message."""
        message, self._first = self._first, None
        assert message is not None
        self._ping_interval = message.welcome.ping_interval_ms / 1000
        self._outbox.drop_answers()
        others = [asyncio.create_task(self._write_all()), asyncio.create_task(self._watch())]
        try:
            while message is not None:
                await self._receive(message)
                message = await self._read()
        finally:
            for task in others:
                task.cancel()
            await asyncio.wait(others)
            await self._channel.close()

    async def serve_until_drained(self) -> None:
        """Play until either side ends the stream, or the server asks the bot to open another one; raises what `serve`
        does.
        """
        serving, draining = asyncio.create_task(self.serve()), asyncio.create_task(self.drained.wait())
        try:
            await asyncio.wait((serving, draining), return_when=asyncio.FIRST_COMPLETED)
        finally:
            draining.cancel()
            if not serving.done():
                self.abandon("a new stream takes its place")
            await asyncio.wait((serving,))
        if not serving.cancelled():
            serving.result()

    def abandon(self, why: str) -> None:
        """End the stream from this side; `serve` and `open` then return."""
        self.end = StreamEnd(grpc.StatusCode.CANCELLED, "ABANDONED", why)
        self._call.cancel()

    async def _receive(self, message: pb.PlayResponse) -> None:
        if message.HasField("ping"):
            self._pong = pb.Pong(nonce=message.ping.nonce)
            self._outbox.filled.set()
        if message.HasField("drain"):
            self.drained.set()
        await self._take(message)

    async def _read(self) -> pb.PlayResponse | None:
        try:
            message = await self._call.read()
        except grpc.aio.AioRpcError as error:
            self.end = stream_end(error, self._server)
            return None
        except asyncio.CancelledError:
            if _cancelled():
                raise
            self.end = self.end or StreamEnd(grpc.StatusCode.CANCELLED, "CANCELLED", "the call was cancelled")
            return None
        if not isinstance(message, pb.PlayResponse):  # grpc.aio.EOF
            return None
        self._heard = True
        return message

    async def _write_all(self) -> None:
        """Write, as the only task: whatever has gathered while the last message was on its way makes the next one."""
        while await self._outbox.filled.wait():
            message = self._outbox.message()
            if self._pong is not None:
                message.pong.CopyFrom(self._pong)
                self._pong = None
            await self._write(message)

    async def _write(self, message: pb.PlayRequest) -> None:
        # A stream that is over is noticed and explained by the reader.
        try:
            await self._call.write(message)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass
        except asyncio.CancelledError:
            if _cancelled():
                raise

    async def _watch(self) -> None:
        """Give up a server that is silent for several pings; time in which this loop was busy does not count."""
        missed = 0
        while self._ping_interval and missed < PINGS_MISSED:
            await asyncio.sleep(self._ping_interval)
            missed = 0 if self._heard else missed + 1
            self._heard = False
        if self._ping_interval:
            self.abandon("nothing was heard of the server for several pings")


def _cancelled() -> bool:
    """Return whether it is this task that was cancelled, and not the stream at which it waits."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
