"""A bot's connection without gRPC, and tables that ask it: its stream is in memory."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any

from farfalia.v1 import play_pb2
from farfalia_engine import Cause, TimeControl
from farfalia_server.net.measures import Measures
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.questions import Answer, PendingQuestion, Seating
from farfalia_tools.testing import RecordingStream

LEGAL = (3, 7, 20)


def lobby_of(**settings: Any) -> Lobby:
    """A lobby that nobody has entered."""
    given = {"linger": 0.02, "reconnect_grace": 60, "schedule_flush": next_turn}
    return Lobby(**{**given, "changed": lambda: None, "measures": Measures(), **settings})


def connection_of(bot: int = 1, **settings: Any) -> BotConnection:
    """A connection with nothing at its other end."""
    given = {"linger": 0.02, "reconnect_grace": 30, "schedule_flush": next_turn}
    return BotConnection(bot, **{**given, "changed": lambda: None, "measures": Measures(), **settings})


class Connected:
    """A connection with a stream, `seats` at matches 1, 2 and so on, and the answers that tables were given."""

    def __init__(self, control: TimeControl, *, linger: float = 0.02, grace: float = 10.0, seats: int = 9) -> None:
        self.measures = Measures()
        self.outage_end = -math.inf
        self.clock = LoopClock(Measures(), asyncio.get_running_loop().time)
        self.connection = connection_of(
            linger=linger,
            reconnect_grace=grace,
            measures=self.measures,
            outage_end=lambda: self.outage_end,
            clock=self.clock,
        )
        self.stream = RecordingStream()
        self.connection.attach(self.stream)
        self.connection.set_capacity(play_pb2.Capacity(matches=seats, questions=seats))
        self.answers: dict[int, Answer] = {}
        self.failed: dict[int, Exception] = {}
        self.seatings = {match: self._seat(match, control) for match in range(1, seats + 1)}

    def _seat(self, match: int, control: TimeControl) -> Seating:
        seating = Seating(match, 0, SeatClock(control), play_pb2.Seated(match=match))
        self.connection.take_seat(seating)
        return seating

    def ask(self, match: int, after: float = 0.0) -> None:
        seating = self.seatings[match]
        seating.asked = True
        message = play_pb2.Question(match=match, number=seating.questions, legal=LEGAL)

        def answered(answer: Answer) -> None:
            self.answers[match] = answer
            strike = answer.cause is not Cause.BOT
            seating.settle(answer.cause, answer.took_ms, seating.clock.strikes + strike)

        self.connection.ask(
            PendingQuestion(
                seating,
                seating.questions,
                message.SerializeToString(),
                LEGAL,
                answered,
                lambda error: self.failed.update({match: error}),
                after,
            )
        )

    async def put(self, *matches: int) -> None:
        """Ask at these matches, and let the questions leave."""
        for match in matches:
            self.ask(match)
        await soon()

    def receive(self, match: int, action: int = LEGAL[0], number: int = 1, failure: str = "") -> None:
        self.connection.receive([play_pb2.Action(match=match, number=number, action=action, failure=failure)])


EASY = TimeControl(limit_ms=5000, bank_ms=0, grace=3)
HASTY = TimeControl(limit_ms=20, bank_ms=0, grace=3)


def next_turn(callback: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_soon(callback)


async def soon() -> None:
    """Let everything that is ready happen."""
    for _ in range(5):
        await asyncio.sleep(0)


def asked(stream: RecordingStream) -> list[list[int]]:
    """The matches asked, message by message."""
    return [[question.match for question in message.questions] for message in stream.sent if message.questions]
