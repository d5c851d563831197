"""A stream of a bot that sends what it is told to, right or wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from secrets import token_bytes
from types import TracebackType
from typing import Any, Self

import grpc
import grpc.aio

from farfalia.channels import open_channel
from farfalia.settings import Server
from farfalia.stream_end import StreamEnd, stream_end
from farfalia.v1 import play_pb2

#: A connection of its own for each stream, as each bot has one; only the server decides what is too long.
_OPTIONS: list[tuple[str, Any]] = [
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", 16 << 20),
    ("grpc.max_send_message_length", -1),
]

#: What gRPC says in place of a stream's status if the stream ends while a message is being written.
_LOST = "Internal error from Core"


class DidNotHold(Exception):
    """Raised when the server does not do what it must; the message is what was seen instead."""


class StatusLost(DidNotHold):
    """Raised when gRPC has lost the status of a stream on this side, which says nothing of the server."""


class TormentStream:
    """One stream of a bot. Everything that comes is kept in `messages`; pings are answered and nonces given.

    `play` is started with each question. `patience` is how many seconds are waited for what must come, `pong_after`
    after how many a ping is answered, None for never. Unless it `reads`, a stream never looks at what comes; unless
    it `speaks`, it says no hello. `via` is another address to dial.
    """

    def __init__(
        self,
        server: Server,
        token: str,
        *,
        patience: float,
        hello: play_pb2.Hello | None = None,
        speaks: bool = True,
        instance: bytes = b"",
        take_over: bool = False,
        play: Play | None = None,
        pong_after: float | None = 0.0,
        reads: bool = True,
        via: str = "",
    ) -> None:
        self.messages: list[play_pb2.PlayResponse] = []
        #: The status of the stream, once it is over; None if it ended well.
        self.end: StreamEnd | None = None
        self.over = False
        #: The first answer to each question, by match and number.
        self.given: dict[tuple[int, int], int] = {}
        self._server, self._token, self._patience = server, token, patience
        self._hello = hello or _hello(instance, take_over)
        self._speaks = speaks
        self._play = play
        self._pong_after, self._reads, self._via = pong_after, reads, via
        self._news, self._writing = asyncio.Condition(), asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        """Dial and say hello."""
        return await self.open()

    async def open(self) -> Self:
        """Dial and say hello."""
        options = list(_OPTIONS)
        if self._server.tls and self._via:
            options.append(("grpc.ssl_target_name_override", self._server.target.rpartition(":")[0]))
        self._channel = open_channel(self._server, options, self._via)
        metadata = (("authorization", f"Bearer {self._token}"),) if self._token else ()
        # No serializers: what is sent need not be a message.
        play: Any = self._channel.stream_stream("/farfalia.v1.PlayService/Play")
        self._call = play(metadata=metadata)
        if self._reads:
            self._start(self._read())
        if self._speaks:
            await self.send(play_pb2.PlayRequest(hello=self._hello))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Break off, as a killed process does."""
        await self.close()

    def cancel(self) -> None:
        """Break the call off; the connection stays."""
        self._call.cancel()

    async def close(self) -> None:
        """Break off, as a killed process does."""
        self._call.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._channel.close()

    # -- up ----------------------------------------------------------------------------------

    async def send(self, message: play_pb2.PlayRequest) -> bool:
        """Send a message; return False if the stream is over."""
        return await self.send_bytes(message.SerializeToString())

    async def send_bytes(self, data: bytes) -> bool:
        """Send bytes, a message or not; return False if the stream is over."""
        try:
            async with self._writing:  # of two writes at once gRPC loses one
                await self._call.write(data)
        except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            return False
        return True

    async def act(self, match: int, number: int, action: int) -> bool:
        """Answer a question, and remember the answer; return False if the stream is over."""
        self.given.setdefault((match, number), action)
        return await self.send_action(match, number, action)

    async def send_action(self, match: int, number: int, action: int) -> bool:
        """Send an action, whatever it answers; return False if the stream is over."""
        answer = play_pb2.Action(match=match, number=number, action=action)
        return await self.send(play_pb2.PlayRequest(actions=[answer]))

    # -- down --------------------------------------------------------------------------------

    def questions(self) -> Iterator[play_pb2.Question]:
        """Iterate over the questions that came."""
        return (question for message in self.messages for question in message.questions)

    def results(self) -> Iterator[play_pb2.Result]:
        """Iterate over the results that came."""
        return (result for message in self.messages for result in message.results)

    def reasons(self) -> set[str]:
        """Return the reasons of the notices that came."""
        return {notice.reason for message in self.messages for notice in message.notices}

    async def until(self, what: str, found: Callable[[], Any]) -> Any:
        """Wait until `found` finds something in what has come, and return it; DidNotHold if it never comes."""

        def settled() -> bool:
            return bool(found()) or self.over

        try:
            async with asyncio.timeout(self._patience), self._news:
                await self._news.wait_for(settled)
        except TimeoutError:
            raise DidNotHold(f"{what} did not come within {self._patience:g} s") from None
        if result := found():
            return result
        raise DidNotHold(f"{what} did not come; the stream ended: {self.end or 'OK'}")

    async def welcome(self) -> play_pb2.Welcome:
        """Wait for the welcome."""
        await self.until("a welcome", lambda: self.messages)
        return self.messages[0].welcome

    async def question(self, after: int = 0) -> play_pb2.Question:
        """Wait for the first question with a number above `after`."""
        found: play_pb2.Question = await self.until(
            "a question", lambda: next((one for one in self.questions() if one.number > after), None)
        )
        return found

    async def result(self, status: play_pb2.ResultStatus) -> play_pb2.Result:
        """Wait for the first result with this status."""
        name = play_pb2.ResultStatus.Name(status).removeprefix("RESULT_STATUS_")
        found: play_pb2.Result = await self.until(
            f"a result {name}", lambda: next((one for one in self.results() if one.status == status), None)
        )
        return found

    async def ended(self, *expected: str) -> str:
        """Wait for the end of the stream and return its reason; DidNotHold unless it is among the expected ones.

        The reason of a status that brings none is the status itself. StatusLost if gRPC does not know the status.
        """
        await self.until(f"the stream's end ({' or '.join(expected)})", lambda: self.over)
        reason = self.end.reason if self.end else "OK"
        if self.end is not None and self.end.text == _LOST:
            raise StatusLost(f"gRPC lost the status of a stream that should end with {' or '.join(expected)}")
        if reason not in expected:
            raise DidNotHold(f"the stream ended with {self.end or 'OK'}, not with {' or '.join(expected)}")
        return reason

    async def _read(self) -> None:
        try:
            async for data in self._call:
                message = play_pb2.PlayResponse.FromString(data)
                self.messages.append(message)
                async with self._news:
                    self._news.notify_all()
                await self._react(message)
        except grpc.aio.AioRpcError as error:
            self.end = stream_end(error, self._server)
        except asyncio.CancelledError:
            if not self._call.cancelled():  # it is this task that is cancelled
                raise
        self.over = True
        async with self._news:
            self._news.notify_all()

    async def _react(self, message: play_pb2.PlayResponse) -> None:
        if message.HasField("ping") and self._pong_after is not None:
            self._start(self._pong(message.ping.nonce, self._pong_after))
        given = [
            play_pb2.Nonce(tournament=entered.tournament, match=entered.match, nonce=token_bytes(16))
            for entered in message.entered
        ]
        if given:
            await self.send(play_pb2.PlayRequest(nonces=given))
        if self._play is not None:
            for question in message.questions:
                self._start(self._play(self, question))

    async def _pong(self, nonce: int, after: float) -> None:
        await asyncio.sleep(after)
        await self.send(play_pb2.PlayRequest(pong=play_pb2.Pong(nonce=nonce)))

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _hello(instance: bytes, take_over: bool) -> play_pb2.Hello:
    return play_pb2.Hello(
        client="torment",
        instance=instance or token_bytes(16),
        take_over=take_over,
        features=["results"],
        capacity=play_pb2.Capacity(matches=64, questions=64),
    )


#: What a bot does with a question.
Play = Callable[[TormentStream, play_pb2.Question], Coroutine[Any, Any, None]]


async def first_legal(stream: TormentStream, question: play_pb2.Question) -> None:
    """Answer with the first legal action."""
    await stream.act(question.match, question.number, question.legal[0])
