"""Streams of bots in memory: what the server sends is kept, and one of them answers."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field

from farfalia.v1 import play_pb2
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.stream import StreamStatus


@dataclass
class RecordingStream:
    """A `Stream` that keeps what it is sent; `status` is set if the server ended it, `closed` in any case."""

    instance: bytes = b""
    round_trip: float = 0.0
    features: frozenset[str] = frozenset()
    sent: list[play_pb2.PlayResponse] = field(default_factory=list)
    closed: bool = False
    status: StreamStatus | None = None

    def send(self, message: bytes) -> None:
        """Keep a message."""
        self.sent.append(play_pb2.PlayResponse.FromString(message))

    def heard_since(self, moment: float) -> bool:
        """Return True: the bot is there."""
        return True

    def probe(self) -> None:
        """Do nothing: nobody is at the other end."""

    def close(self) -> None:
        """Note that the server closed it gracefully."""
        self.closed = True

    def end(self, status: StreamStatus) -> None:
        """Note that the server ended it, and with which status."""
        self.closed = True
        self.status = self.status or status

    def questions(self) -> list[play_pb2.Question]:
        """Return all questions so far."""
        return [question for message in self.sent for question in message.questions]

    def results(self) -> list[play_pb2.Result]:
        """Return all results so far."""
        return [result for message in self.sent for result in message.results]

    def notices(self) -> list[play_pb2.Notice]:
        """Return all notices so far."""
        return [notice for message in self.sent for notice in message.notices]


@dataclass
class FirstLegalStream(RecordingStream):
    """The stream of a bot that takes the first legal action; it attaches itself to its connection.

    It says that it failed at the questions whose numbers are in `failing`, and falls silent after question
    `silent_after`.
    """

    connection: BotConnection = field(kw_only=True)
    failing: Collection[int] = ()
    silent_after: int | None = None

    def __post_init__(self) -> None:
        self.connection.attach(self)

    def send(self, message: bytes) -> None:
        """Keep a message, and answer its questions in the next turn of the loop."""
        super().send(message)
        for question in self.sent[-1].questions:
            if self.silent_after is None or question.number <= self.silent_after:
                action = play_pb2.Action(match=question.match, number=question.number, action=question.legal[0])
                if question.number in self.failing:
                    action.failure = "out of ideas"
                asyncio.get_running_loop().call_soon(self.connection.receive, [action])
