"""What the process of a program connects to: the contract's stream for a few matches, on a socket or a port."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import grpc
import grpc.aio

from farfalia import grpc_wakeups
from farfalia.v1 import play_pb2
from farfalia_server import __version__
from farfalia_server.hosting.relay_stream import Context, RelayStream, read
from farfalia_server.play import limits
from farfalia_server.play.play_service import bearer_token

#: Largest message of a process, in bytes; questions that it is asked at once, at most.
_LARGEST, _QUESTIONS = 256 << 10, 64
_GRACE_MS: Final = 30_000


class Relay:
    """Serves one process with this token; `take` is called with each of its messages.

    `seats` returns the seats that it is welcomed with, `again` the questions that it has not answered. `opened` is told
    of each stream that is welcomed, `refused` why one was not.
    """

    def __init__(
        self,
        bot: str,
        token: str,
        *,
        take: Callable[[play_pb2.PlayRequest], None],
        seats: Callable[[], Iterable[play_pb2.Seated]],
        again: Callable[[], Iterable[play_pb2.Question]],
        opened: Callable[[RelayStream], None] = lambda stream: None,
        refused: Callable[[str], None] = lambda why: None,
        matches: int = 1,
        ping_interval_ms: int = 0,
    ) -> None:
        self._bot = bot
        self._token = token
        self._take = take
        self._seats = seats
        self._again = again
        self._opened = opened
        self._refused = refused
        self._matches = matches
        self._ping_interval_ms = ping_interval_ms
        #: Set when a process has said hello, and its hello.
        self.connected = asyncio.Event()
        self.hello = play_pb2.Hello()
        #: The newest stream; None if it has ended.
        self.stream: RelayStream | None = None
        self._offered = play_pb2.Capacity()
        self._server: grpc.aio.Server | None = None

    async def open(self, socket: Path) -> None:
        """Listen on a socket, which every user may connect to."""
        await self.listen(f"unix:{socket}")
        await asyncio.to_thread(socket.chmod, 0o666)

    async def listen(self, address: str) -> int:
        """Listen at an address, and return its port; RuntimeError if it cannot listen there."""
        grpc_wakeups.read_all(asyncio.get_running_loop())
        options = [("grpc.max_receive_message_length", _LARGEST), ("grpc.so_reuseport", 0)]
        server = self._server = grpc.aio.server(options=options)
        play: Any = grpc.stream_stream_rpc_method_handler(self._play)
        handler = grpc.method_handlers_generic_handler("farfalia.v1.PlayService", {"Play": play})
        server.add_generic_rpc_handlers((handler,))
        port = server.add_insecure_port(address)
        await server.start()
        return port

    async def close(self) -> None:
        """End the stream at once, and listen no more."""
        if self._server is not None:
            await self._server.stop(0.0)

    @property
    def has_stream(self) -> bool:
        """Whether the process is connected now."""
        return self.stream is not None

    @property
    def capacity(self) -> play_pb2.Capacity:
        """How much the process takes at once, of what it has offered."""
        return play_pb2.Capacity(
            matches=max(1, min(self._offered.matches, self._matches)),
            questions=max(1, min(self._offered.questions, _QUESTIONS)),
        )

    def send(self, message: play_pb2.PlayResponse) -> None:
        """Send the process a message; without a stream it is lost. One that does not read loses it, too."""
        if self.stream is not None:
            self.stream.send(message)

    async def _play(self, _: object, context: Context) -> None:
        if not hmac.compare_digest(bearer_token(context).encode(), self._token.encode()):
            self._refused("it has not shown its token, as the metadata `authorization: Bearer TOKEN`")
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "this is the socket of another program")
        first = await read(context)
        if first is None or not first.HasField("hello"):
            self._refused("its first message holds no hello")
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the first message must hold a hello")
            return
        stream = self.stream = RelayStream(context, first.hello)
        self.hello = first.hello
        self._offered = first.hello.capacity
        await context.write(self._welcome(first.hello).SerializeToString())
        self._opened(stream)
        again = list(self._again())
        if again:
            stream.send(play_pb2.PlayResponse(questions=again))
        self.connected.set()
        first.ClearField("hello")
        self._taken(first)
        try:
            await stream.serve(self._taken)
        finally:
            if self.stream is stream:
                self.stream = None

    def _taken(self, message: play_pb2.PlayRequest) -> None:
        if message.HasField("capacity"):
            self._offered = message.capacity
        self._take(message)

    def _welcome(self, hello: play_pb2.Hello) -> play_pb2.PlayResponse:
        features = [name for name in hello.features[: limits.NAMES_IN_HELLO] if name == "results"]
        welcome = play_pb2.Welcome(
            bot=self._bot,
            server="farfalia",
            server_version=__version__,
            features=features,
            ping_interval_ms=self._ping_interval_ms,
            reconnect_grace_ms=_GRACE_MS,
            open=self._seats(),
            capacity=self.capacity,
        )
        return play_pb2.PlayResponse(welcome=welcome)
