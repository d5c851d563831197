"""One bot and its streams, whose calls are in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from tests.server.connection_world import connection_of
from tests.server.stream_call import HELLO, Call

from farfalia.v1 import play_pb2
from farfalia_engine import TimeControl
from farfalia_server.net.measures import Measures
from farfalia_server.play.bot_stream import BotStream
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.questions import Answer, PendingQuestion, Seating
from farfalia_server.store import NewLogLine
from farfalia_tools.testing import VIRTUAL_TIME


class Scene:
    """One bot with as many streams as it likes, its log lines, and the nonces that were looked at."""

    def __init__(self, connection: BotConnection | None = None) -> None:
        self.lines: list[tuple[int, str]] = []
        self.nonces = 0
        self.clock = LoopClock(Measures(), asyncio.get_running_loop().time)
        self.connection = connection or connection_of(clock=self.clock)

    def stream(self, *messages: play_pb2.PlayRequest) -> tuple[BotStream, Call]:
        """A new stream, on which the bot has sent these messages."""
        call = Call()
        call.send(*messages)
        context: Any = call
        return BotStream(
            context, log_line=self._log_line, nonces=self._take, ping_interval=10.0, clock=self.clock
        ), call

    def ask(self, match: int, seconds: int) -> list[Answer]:
        """The answers to a question that the bot is asked now, with this much time and no bank."""
        answers: list[Answer] = []
        control = TimeControl(limit_ms=seconds * 1000, bank_ms=0, grace=3)
        seating = Seating(match, 0, SeatClock(control), play_pb2.Seated(match=match))
        self.connection.take_seat(seating)
        self.connection.set_capacity(play_pb2.Capacity(matches=9, questions=9))
        seating.asked = True
        question = play_pb2.Question(match=match, number=1, legal=[3]).SerializeToString()
        self.connection.ask(PendingQuestion(seating, 1, question, (3,), answers.append, lambda error: None, 0.0))
        return answers

    async def connect(self) -> tuple[BotStream, Call]:
        stream, call = self.stream(HELLO)
        assert await stream.first_message() is not None
        self.connection.attach(stream)
        stream.serve(self.connection)
        return stream, call

    def _log_line(self, bot: int, line: NewLogLine) -> None:
        self.lines.append((line.match_id, line.text))

    def _take(self, bot: int, nonces: Sequence[play_pb2.Nonce]) -> int:
        self.nonces += 1
        return len(nonces)


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    for module in ("bot_stream", "connection"):
        monkeypatch.setattr(f"farfalia_server.play.{module}.monotonic", asyncio.get_running_loop().time)
    here = Scene()
    yield here
    if here.connection.stream is not None:
        here.connection.stream.close()
        await asyncio.sleep(0)
