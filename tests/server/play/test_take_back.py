"""One bot among house bots takes decisions back: it is asked the same again, and nothing that followed is left."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random

import pytest
from tests.server.connection_world import connection_of

from farfalia.v1 import cards_pb2, play_pb2, record_pb2
from farfalia_engine import Cause, Deals, TimeControl, ruleset
from farfalia_server.contract.conduct import ASKED
from farfalia_server.net.measures import Measures
from farfalia_server.play.attendance import Attendance
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.match_core import SeatState
from farfalia_server.play.questions import Seating
from farfalia_server.play.record_pieces import standing
from farfalia_server.play.seats import BotSeat
from farfalia_server.play.table import Table, TakenBack
from farfalia_server.records.house_bot import HouseBot
from farfalia_tools.testing import MemoryJournal, RecordingStream

MATCH, SEAT = 12, 1
CONTROL = TimeControl(limit_ms=60_000, bank_ms=1000, grace=2)
DEALS = Deals(bytes(32))


class Wavering(RecordingStream):
    """Takes the first legal action, and takes it back now and then: at least once of each kind.

    `asked` are the questions that stand. It never answers without a number for how `often` it takes back, and never
    takes back if that is 0.
    """

    def __init__(self, often: float | None) -> None:
        super().__init__(features=frozenset({"results"}))
        self.connection = connection_of(SEAT, linger=0.001, reconnect_grace=60)
        self.connection.attach(self)
        self.asked: list[play_pb2.Question] = []
        self.numbers: list[int] = []
        #: The question that has to come next, if a decision was taken back.
        self.due: play_pb2.Question | None = None
        self.kinds: set[cards_pb2.DecisionKind] = set()
        self.back = 0
        self._chance, self._often = Random(1), often

    def send(self, message: bytes) -> None:
        super().send(message)
        for question in self.sent[-1].questions:
            self.numbers.append(question.number)
            if self.due is not None:
                assert (question.view, question.legal) == (self.due.view, self.due.legal)
                self.due = None
            assert question.takes_back == bool(self.asked)
            action = play_pb2.Action(match=MATCH, number=question.number, action=question.legal[0])
            if self._often is None:
                continue
            if (
                self._often
                and self.asked
                and (self.asked[-1].kind not in self.kinds or self._chance.random() < self._often)
            ):
                action = play_pb2.Action(match=MATCH, number=question.number, take_back=True)
                self.due = self.asked.pop()
                self.kinds.add(self.due.kind)
                self.back += 1
            else:
                self.asked.append(question)
            asyncio.get_running_loop().call_soon(self.connection.receive, [action])


def table_of(game: str, stream: Wavering, journal: MemoryJournal, epoch: int) -> Table:
    rules = ruleset(game)
    seated = play_pb2.Seated(match=MATCH, seat=SEAT)
    seating = Seating(MATCH, SEAT, SeatClock(CONTROL), seated, epoch=epoch)
    states: list[SeatState] = [
        seating if seat == SEAT else SeatState(SeatClock(CONTROL), HouseBot("greedy", DEALS), Attendance.FILLS)
        for seat in range(rules.seats)
    ]
    return Table(
        MATCH,
        1,
        epoch,
        rules.new_match(DEALS),
        states,
        {SEAT: BotSeat(stream.connection, seating)},
        journal,
        takes_back=True,
        house=lambda: HouseBot("greedy", DEALS),
        measures=Measures(),
        now=lambda: datetime.now(UTC),
    )


async def played(game: str, stream: Wavering) -> Table:
    """Play to the end, at a new table after each decision that is taken back, from what the journal has."""
    journal, epoch = MemoryJournal(), 1
    while True:
        await journal.claim(MATCH, epoch, "node")
        table = table_of(game, stream, journal, epoch)
        try:
            await table.play(await journal.read(MATCH, 1))
        except TakenBack:
            for seat in table.bots.values():
                seat.leave()
            epoch += 1
        else:
            return table


def actions_of(record: record_pb2.Record) -> list[tuple[int, int]]:
    return [(one.seat, one.action) for one in record.actions]


@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        ("two", {"PLAY", "COLLECT"}),
        ("chinkway", {"PLAY", "COLLECT", "DISCARD", "DECLARE"}),
        ("farrago", {"PLAY", "PICK_TYPE"}),
    ],
)
async def test_any_kind_of_decision_is_asked_again_as_if_nothing_had_followed(game: str, kinds: Sequence[str]) -> None:
    quiet = await played(game, Wavering(0))
    stream = Wavering(0.4)
    table = await played(game, stream)
    record = table.pieces.joined()
    assert {cards_pb2.DecisionKind.Name(kind).removeprefix("DECISION_KIND_") for kind in stream.kinds} >= set(kinds)
    assert actions_of(record) == actions_of(quiet.pieces.joined()), "the same answers lead to the same match"
    assert stream.numbers == list(range(1, len(stream.numbers) + 1)), "questions are numbered without gaps"
    assert sum(one.decisions for one in record.taken_back) == stream.back > 10
    places = [one.action_index for one in record.taken_back]
    assert places == sorted(set(places))
    assert {record.actions[at].seat for at in places} == {SEAT}
    assert {record.actions[at].cause for at in places} <= ASKED
    times = [one.at_ms for one in record.actions]
    assert times == sorted(times)


async def test_where_the_question_does_not_offer_it_a_decision_is_not_taken_back_and_a_house_bot_answers() -> None:
    stream, journal = Wavering(None), MemoryJournal()
    await journal.claim(MATCH, 1, "node")
    playing = asyncio.create_task(table_of("two", stream, journal, 1).play([]))
    while not stream.questions():
        await asyncio.sleep(0.001)
    stream.connection.receive([play_pb2.Action(match=MATCH, number=1, take_back=True)])
    while not stream.results():
        await asyncio.sleep(0.001)
    (result,) = stream.results()
    assert result.status == play_pb2.RESULT_STATUS_ILLEGAL
    assert result.text == "there is no decision that could be taken back here, as the question said"
    playing.cancel()
    await asyncio.wait([playing])


def test_what_stands_has_neither_incidents_nor_hints_of_what_was_taken_back() -> None:
    def acted(*causes: Cause) -> list[record_pb2.RecordAction]:
        return [record_pb2.RecordAction(seat=SEAT, action=at, cause=int(cause)) for at, cause in enumerate(causes)]  # type: ignore[arg-type]

    def back(at: int) -> record_pb2.Record:
        return record_pb2.Record(taken_back=[record_pb2.TakenBack(action_index=at, decisions=1)])

    late = record_pb2.Incident(seat=SEAT, action_index=3)
    first = record_pb2.Record(
        actions=acted(Cause.BOT, Cause.HOUSE, Cause.BOT, Cause.TIMEOUT), incidents=[late], hinted=[0, 2]
    )
    assert standing([first]) == first
    found = standing([first, back(3), back(2), record_pb2.Record(actions=acted(Cause.BOT))])
    assert len(found.actions) == 3
    assert not found.incidents
    assert list(found.hinted) == [0, 2], "the hint is still known"
    assert [(one.action_index, one.decisions) for one in found.taken_back] == [(2, 2)]
    again = standing([first, back(2), record_pb2.Record(actions=acted(Cause.TIMEOUT)), back(0)])
    assert not again.actions
    assert [(one.action_index, one.decisions) for one in again.taken_back] == [(0, 2)]
