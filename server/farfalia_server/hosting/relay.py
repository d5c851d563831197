"""What a process of a handed-in program connects to: the contract's stream for one match, on a Unix socket."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from farfalia.v1 import play_pb2
from farfalia_server import __version__
from farfalia_server.play import limits
from farfalia_server.play.play_service import bearer_token

#: What a stream reads at its end; grpcio's types leave it out.
_EOF: object = vars(grpc.aio)["EOF"]
#: Largest message of a process, in bytes, and messages that may wait for it to read.
_LARGEST, _QUEUED = 256 << 10, 256


class Relay:
    """Serves one process with this token; `take` is called with each of its messages.

    `seats` returns the seats that it is welcomed with, `again` the questions that it has not answered.
    """

    def __init__(
        self,
        bot: str,
        token: str,
        *,
        take: Callable[[play_pb2.PlayRequest], None],
        seats: Callable[[], Iterable[play_pb2.Seated]],
        again: Callable[[], Iterable[play_pb2.Question]],
    ) -> None:
        self._bot = bot
        self._token = token
        self._take = take
        self._seats = seats
        self._again = again
        #: Set when a process has said hello, and its hello.
        self.connected = asyncio.Event()
        self.hello = play_pb2.Hello()
        self._queue: asyncio.Queue[bytes] | None = None
        self._server: grpc.aio.Server | None = None

    async def open(self, socket: Path) -> None:
        """Listen on a socket, which every user may connect to."""
        server = self._server = grpc.aio.server(options=[("grpc.max_receive_message_length", _LARGEST)])
        play: Any = grpc.stream_stream_rpc_method_handler(self._play)
        handler = grpc.method_handlers_generic_handler("farfalia.v1.PlayService", {"Play": play})
        server.add_generic_rpc_handlers((handler,))
        server.add_insecure_port(f"unix:{socket}")
        await server.start()
        await asyncio.to_thread(socket.chmod, 0o666)

    async def close(self) -> None:
        """End the stream, and listen no more."""
        if self._server is not None:
            await self._server.stop(0.0)

    @property
    def has_stream(self) -> bool:
        """Whether the process is connected now."""
        return self._queue is not None

    def send(self, message: play_pb2.PlayResponse) -> None:
        """Send the process a message; without a stream it is lost. One that does not read loses its stream."""
        if self._queue is not None:
            with suppress(asyncio.QueueFull):
                self._queue.put_nowait(message.SerializeToString())

    async def _play(self, _: object, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        if not hmac.compare_digest(bearer_token(context).encode(), self._token.encode()):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "this is the socket of another program")
        first = await self._read(context)
        if first is None or not first.HasField("hello"):
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the first message must hold a hello")
            return
        queue = self._queue = asyncio.Queue(_QUEUED)
        self.hello = first.hello
        await context.write(self._welcome(first.hello).SerializeToString())
        again = list(self._again())
        if again:
            self.send(play_pb2.PlayResponse(questions=again))
        self.connected.set()
        first.ClearField("hello")
        self._take(first)
        writing = asyncio.create_task(self._write(queue, context))
        try:
            while (message := await self._read(context)) is not None:
                self._take(message)
        finally:
            writing.cancel()
            if self._queue is queue:
                self._queue = None

    async def _write(self, queue: asyncio.Queue[bytes], context: grpc.aio.ServicerContext[Any, Any]) -> None:
        with suppress(grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            while True:
                await context.write(await queue.get())

    async def _read(self, context: grpc.aio.ServicerContext[Any, Any]) -> play_pb2.PlayRequest | None:
        try:
            data = await context.read()
            return None if data is _EOF else play_pb2.PlayRequest.FromString(data)
        except DecodeError:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "a message is no PlayRequest")
        except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            return None
        return None

    def _welcome(self, hello: play_pb2.Hello) -> play_pb2.PlayResponse:
        features = [name for name in hello.features[: limits.NAMES_IN_HELLO] if name == "results"]
        welcome = play_pb2.Welcome(
            bot=self._bot,
            server="farfalia",
            server_version=__version__,
            features=features,
            reconnect_grace_ms=30_000,
            open=self._seats(),
            capacity=play_pb2.Capacity(matches=1, questions=max(1, min(hello.capacity.questions, 64))),
        )
        return play_pb2.PlayResponse(welcome=welcome)
