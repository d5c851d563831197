"""What a bot pays for questions that wait behind its own capacity, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.server.connection_world import connection_of, next_turn

from farfalia.v1 import play_pb2
from farfalia_engine import Cause, TimeControl
from farfalia_server.net.measures import Measures
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.questions import Answer, PendingQuestion, Seating
from farfalia_tools.testing import VIRTUAL_TIME, RecordingStream

LEGAL = (3, 7, 20)
CONTROL = TimeControl(limit_ms=1000, bank_ms=30_000, grace=3)


@dataclass
class Table:
    """A match whose other players need no time: it asks the bot again `pause` seconds after each answer."""

    room: Room
    seating: Seating
    pause: float = 0.0
    answers: list[Answer] = field(default_factory=list)

    def ask(self) -> None:
        self.seating.asked, number = True, self.seating.questions + 1
        question = play_pb2.Question(match=self.seating.match, number=number, legal=LEGAL)
        self.room.connection.ask(
            PendingQuestion(self.seating, number, question.SerializeToString(), LEGAL, self._answered, _fail)
        )

    def _answered(self, answer: Answer) -> None:
        self.answers.append(answer)
        clock = self.seating.clock
        self.seating.settle(answer.cause, answer.took_ms, clock.strikes + (answer.cause is not Cause.BOT))
        if clock.strikes > clock.control.grace:
            self.room.connection.leave(self.seating.match)  # a house bot plays on
        else:
            asyncio.get_running_loop().call_later(self.pause, self.ask)


def _fail(error: Exception) -> None:
    raise error


class Stream(RecordingStream):
    """A stream whose questions a bot can wait for."""

    def __init__(self) -> None:
        super().__init__()
        self.questions_sent: asyncio.Queue[play_pb2.Question] = asyncio.Queue()

    def send(self, message: bytes) -> None:
        super().send(message)
        for question in self.sent[-1].questions:
            self.questions_sent.put_nowait(question)


class Room:
    """A bot that thinks about one question after the other, `thinks` seconds each, and tables that fill its seats."""

    def __init__(
        self,
        matches: int,
        questions: int,
        thinks: float,
        schedule_flush: Callable[[Callable[[], None]], None] = next_turn,
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.connection = connection_of(schedule_flush=schedule_flush, clock=LoopClock(Measures(), self.loop.time))
        self.thinks = thinks
        self.stream = Stream()
        self.connection.attach(self.stream)
        self.connection.set_capacity(play_pb2.Capacity(matches=matches, questions=questions))
        self.tables: list[Table] = []

    def sit(self, pause: float = 0.0, control: TimeControl = CONTROL) -> Table:
        """A seat at one more match, without a question yet."""
        match = len(self.tables) + 1
        seating = Seating(match, 0, SeatClock(control), play_pb2.Seated(match=match))
        self.connection.take_seat(seating)
        self.tables.append(Table(self, seating, pause))
        return self.tables[-1]

    def fill(self, pause: float = 0.0) -> None:
        """Seats the bot wherever it may sit, as the seater does."""
        while len(self.connection.seatings) < self.connection.tables:
            self.sit(pause).ask()

    async def think(self) -> None:
        """The bot's own loop: answers whatever has been sent, in order."""
        while True:
            question = await self.stream.questions_sent.get()
            await asyncio.sleep(self.thinks)
            self.connection.receive([play_pb2.Action(match=question.match, number=question.number, action=LEGAL[0])])

    def banks(self) -> list[int]:
        return [table.seating.clock.bank_ms for table in self.tables]

    def answers(self) -> list[Answer]:
        return [answer for table in self.tables for answer in table.answers]


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


@pytest.fixture(autouse=True)
async def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farfalia_server.play.connection.monotonic", asyncio.get_running_loop().time)
    monkeypatch.setattr("farfalia_server.play.answers.monotonic", asyncio.get_running_loop().time)


@asynccontextmanager
async def room(*, matches: int, questions: int, thinks: float) -> AsyncIterator[Room]:
    here = Room(matches, questions, thinks)
    thinking = asyncio.create_task(here.think())
    yield here
    thinking.cancel()


async def test_waiting_behind_the_bots_own_capacity_beyond_the_limit_is_charged() -> None:
    async with room(matches=64, questions=1, thinks=0.9) as here:
        for _ in range(64):
            here.sit().ask()
        await asyncio.sleep(200)
        # However many seats it holds: none is lost any later than if it had not answered at all.
        last = max(answer.at for answer in here.answers() if answer.cause is Cause.TIMEOUT)
        assert len(here.connection.seatings) <= 3
        assert last - 1000 < 30 + 4 * 2 + 60 * 0.9


async def test_a_slow_bot_is_given_no_more_seats_than_it_can_keep_and_is_never_charged() -> None:
    async with room(matches=64, questions=1, thinks=0.9) as here:
        for _ in range(600):
            here.fill()
            await asyncio.sleep(0.1)
        assert len(here.tables) == 2
        assert {answer.cause for answer in here.answers()} == {Cause.BOT}
        assert set(here.banks()) == {30_000}


@pytest.mark.parametrize("thinks", [0.002, 0.02, 0.049, 0.2, 0.5])
async def test_whatever_an_honest_bot_takes_for_a_decision_its_bank_is_untouched(thinks: float) -> None:
    async with room(matches=64, questions=1, thinks=thinks) as here:
        for _ in range(200):
            here.fill()
            await asyncio.sleep(thinks * 5)
        assert set(here.banks()) == {30_000}
        assert abs(len(here.tables) - min(64, 1 + int(1 / thinks))) <= 1


async def test_a_bot_that_grew_slow_after_it_was_given_its_seats_pays_from_its_banks() -> None:
    async with room(matches=64, questions=1, thinks=0.001) as here:
        while len(here.tables) < 64:
            here.fill(pause=0.5)
            await asyncio.sleep(0.01)
        here.thinks = 0.9
        turned = here.loop.time()
        await asyncio.sleep(400)
        slow = [answer for answer in here.answers() if answer.at > turned]
        assert any(answer.cause is Cause.TIMEOUT and "waited behind" in answer.text for answer in slow)
        assert len(here.connection.seatings) <= 3
        # A table waits for at most its bank and, for each strike, twice the limit.
        for table in here.tables[8:]:
            lost = [answer.at for answer in table.answers if answer.cause is Cause.TIMEOUT]
            assert lost[-1] - turned < 30 + 2 * 4 + 60


async def test_what_waits_leaves_when_the_bot_is_idle_even_if_no_other_table_asks() -> None:
    async with room(matches=64, questions=1, thinks=0.03) as here:
        tables = [here.sit(pause=10_000) for _ in range(64)]
        for table in tables[:3]:
            table.ask()
        await asyncio.sleep(0.5)
        assert [len(table.answers) for table in tables[:3]] == [1, 1, 1]


async def test_a_short_loss_of_the_connection_starts_no_clock_of_an_unsent_question() -> None:
    control = TimeControl(limit_ms=5000, bank_ms=5000, grace=0)

    async with room(matches=8, questions=1, thinks=0.5) as here:
        tables = [here.sit(pause=10_000, control=control) for _ in range(8)]
        for table in tables:
            table.ask()
        await asyncio.sleep(0.1)
        here.connection.detach()
        await asyncio.sleep(0.01)
        here.connection.attach(here.stream)
        await asyncio.sleep(10)
        assert here.banks() == [5000] * 8
        assert max(answer.took_ms for answer in here.answers()) <= 2 * 510 + 110


async def test_connecting_again_and_again_does_not_make_waiting_free() -> None:
    async with room(matches=8, questions=1, thinks=10000) as here:
        first, second = here.sit(), here.sit()
        first.ask()
        second.ask()
        for _ in range(50):
            await asyncio.sleep(0.9)
            here.connection.detach()
            await asyncio.sleep(0.1)
            here.connection.attach(here.stream)
        assert second.answers[0].cause in (Cause.TIMEOUT, Cause.ABSENT)
        assert second.answers[0].at - 1000 <= 1 + 1 + 30.1


@pytest.mark.parametrize(("limit_ms", "forgiven_ms"), [(50, 12), (100, 25), (1000, 100)])
async def test_late_pongs_gain_a_quarter_of_the_limit_and_100_ms_at_most(limit_ms: int, forgiven_ms: int) -> None:
    async with room(matches=1, questions=1, thinks=1.0) as here:
        here.stream.round_trip = 5000.0
        table = here.sit(10_000, TimeControl(limit_ms=limit_ms, bank_ms=5000, grace=0))
        table.ask()
        await asyncio.sleep(2)
        assert 1000 - forgiven_ms - 1 <= table.answers[0].took_ms <= 1002 - forgiven_ms
        assert here.stream.questions()[-1].clock.round_trip_us == 2**32 - 1


@pytest.mark.parametrize("busy", [0.5, 40.0])
async def test_what_waits_for_a_busy_server_costs_its_bot_nothing(busy: float) -> None:
    def late(flush: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_later(busy, flush)

    room = Room(matches=1, questions=1, thinks=0.05, schedule_flush=late)
    thinking = asyncio.create_task(room.think())
    table = room.sit(control=TimeControl(limit_ms=100, bank_ms=0, grace=0))
    table.ask()
    while len(table.answers) < 3:
        await asyncio.sleep(1)
    thinking.cancel()
    assert [answer.cause for answer in table.answers[:3]] == [Cause.BOT] * 3
    assert all(49 <= answer.took_ms <= 50 for answer in table.answers[:3])
    assert table.seating.clock.strikes == 0
