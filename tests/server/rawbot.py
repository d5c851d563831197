"""A bot made of messages: it sends what it is told to, right or wrong."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Self

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from farfalia.v1 import play_pb2

#: Seconds that a test waits for what must come.
PATIENCE = 120.0


class RawBot:
    """One stream; every message of the server is kept in `messages` and handed to `react`, if there is one.

    With `redial` a stream that was broken off is followed by another of the same instance, as an SDK's would be.
    """

    def __init__(
        self,
        address: str,
        token: str,
        *,
        instance: bytes = b"raw",
        hello: bool = True,
        take_over: bool = False,
        requires: tuple[str, ...] = (),
        rulesets: tuple[str, ...] = (),
        features: tuple[str, ...] = ("results",),
        matches: int = 64,
        react: Callable[[RawBot, play_pb2.PlayResponse], None] | None = None,
        redial: bool = False,
    ) -> None:
        self.messages: list[play_pb2.PlayResponse] = []
        self.error: grpc.RpcError | None = None
        self._react = react
        self._redial = redial
        self._dialling = threading.Lock()
        self._news = threading.Condition()
        self.over = False
        self._channel = grpc.insecure_channel(address)
        self._play: Any = self._channel.stream_stream("/farfalia.v1.PlayService/Play")
        self._metadata = [("authorization", f"Bearer {token}")] if token else []
        capacity = play_pb2.Capacity(matches=matches, questions=64)
        self._hello = play_pb2.PlayRequest(
            hello=play_pb2.Hello(
                client="raw",
                instance=instance,
                take_over=take_over,
                requires=requires,
                rulesets=rulesets,
                features=features,
                capacity=capacity,
            )
        )
        self._dial(hello)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Break the stream off, as a killed process does."""
        with self._dialling:
            self._redial = False
            self._call.cancel()
        self._out.put(None)
        self._channel.close()
        self._reader.join(PATIENCE)

    def send(self, message: play_pb2.PlayRequest) -> None:
        self.send_bytes(message.SerializeToString())

    def send_bytes(self, data: bytes) -> None:
        self._out.put(data)

    def act(self, match: int, number: int, action: int) -> None:
        self.send(play_pb2.PlayRequest(actions=[play_pb2.Action(match=match, number=number, action=action)]))

    def until(self, found: Callable[[], Any]) -> Any:
        """Wait until `found` finds something in what has come, and return it."""
        deadline = time.monotonic() + PATIENCE
        with self._news:
            while not (result := found()):
                left = deadline - time.monotonic()
                assert left > 0, (
                    f"nothing of the kind came; the stream brought {self.messages} and ended with {self.error}"
                )
                self._news.wait(min(left, 0.5))
        return result

    def question(self) -> play_pb2.Question:
        """The first question that came."""
        found: play_pb2.Question = self.until(lambda: next(self.questions(), None))
        return found

    def questions(self) -> Iterator[play_pb2.Question]:
        return (question for message in list(self.messages) for question in message.questions)

    def results(self) -> list[play_pb2.Result]:
        return [result for message in list(self.messages) for result in message.results]

    def result(self, status: play_pb2.ResultStatus) -> play_pb2.Result:
        """The first result with this status."""
        found: play_pb2.Result = self.until(lambda: next((r for r in self.results() if r.status == status), None))
        return found

    def notice(self, reason: str) -> play_pb2.Notice:
        found: play_pb2.Notice = self.until(
            lambda: next((n for message in list(self.messages) for n in message.notices if n.reason == reason), None)
        )
        return found

    def finished(self) -> play_pb2.Finished:
        found: play_pb2.Finished = self.until(
            lambda: next((f for message in list(self.messages) for f in message.finished), None)
        )
        return found

    def ending(self) -> tuple[grpc.StatusCode, str, str]:
        """Code, stable reason and sentence with which the server ended the stream."""
        self.until(lambda: self.over)
        assert self.error is not None, "the stream ended well"
        call: Any = self.error
        status = rpc_status.from_call(call)
        info = error_details_pb2.ErrorInfo()
        for detail in status.details if status else ():
            if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
                detail.Unpack(info)
                assert info.domain == "farfalia"
        return call.code(), info.reason, call.details()

    def _dial(self, hello: bool) -> None:
        self._out: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._call = self._play(iter(self._out.get, None), metadata=self._metadata)
        if hello:
            self.send(self._hello)

    def _read(self) -> None:
        self._read_stream()
        while self._redial:
            self._out.put(None)
            time.sleep(0.1)
            with self._dialling:
                if self._redial:
                    self._dial(True)
            self._read_stream()
        with self._news:
            self.over = True
            self._news.notify_all()

    def _read_stream(self) -> None:
        try:
            for data in self._call:
                message = play_pb2.PlayResponse.FromString(data)
                if message.HasField("ping"):
                    self.send(play_pb2.PlayRequest(pong=play_pb2.Pong(nonce=message.ping.nonce)))
                if self._react is not None:
                    self._react(self, message)
                with self._news:
                    self.messages.append(message)
                    self._news.notify_all()
        except grpc.RpcError as error:
            self.error = error


def first_legal(bot: RawBot, message: play_pb2.PlayResponse) -> None:
    """Answer every question with the first legal action."""
    actions = [play_pb2.Action(match=q.match, number=q.number, action=q.legal[0]) for q in message.questions]
    if actions:
        bot.send(play_pb2.PlayRequest(actions=actions))
