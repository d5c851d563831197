"""A table whose journal and whose bots' streams are in memory, so that a test can stop at any card."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from tests.server.connection_world import connection_of
from tests.server.runner_world import opening

from farfalia.v1 import play_pb2, record_pb2
from farfalia_engine import Deals, TimeControl, ruleset
from farfalia_server.contract.conduct import ASKED
from farfalia_server.net.measures import Measures
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.journal import JournalCorrupt
from farfalia_server.play.match_journal import MatchJournal
from farfalia_server.play.questions import Seating
from farfalia_server.play.seats import BotSeat
from farfalia_server.play.table import StaleEpoch, Table
from farfalia_server.records.house_bot import HouseBot
from farfalia_tools.testing import FirstLegalStream, MemoryJournal

MATCH = 12
CONTROL = TimeControl(limit_ms=5000, bank_ms=1000, grace=2)


class Scene:
    """Five bots at a table."""

    def __init__(self, journal: MatchJournal) -> None:
        self.journal = journal
        self.connections = [
            connection_of(bot, linger=0.001, reconnect_grace=60, schedule_flush=journal.after_flush) for bot in range(5)
        ]
        self.streams = [
            FirstLegalStream(connection=connection, features=frozenset({"results"})) for connection in self.connections
        ]

    def table(self, epoch: int) -> Table:
        seatings = [
            Seating(MATCH, seat, SeatClock(CONTROL), play_pb2.Seated(match=MATCH, seat=seat))
            for seat in range(len(self.connections))
        ]
        state = ruleset("chinkway").new_match(Deals(bytes(32)))
        return Table(
            MATCH,
            1,
            epoch,
            state,
            seatings,
            {seat: BotSeat(self.connections[seat], seating) for seat, seating in enumerate(seatings)},
            self.journal,
            house=lambda: HouseBot("greedy", Deals(bytes(32))),
            measures=Measures(),
            now=lambda: datetime.now(UTC),
        )

    async def stand_up(self, table: Table) -> None:
        for seat in table.bots.values():
            seat.leave()


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    scene = Scene(MemoryJournal())
    await scene.journal.claim(MATCH, 1, "node")
    yield scene
    assert not any(stream.closed for stream in scene.streams), "nobody said goodbye"


def said(table: Table) -> list[tuple[int, int, record_pb2.Cause]]:
    return [(action.seat, action.action, action.cause) for action in table.pieces.joined().actions]


async def test_a_match_is_played_to_its_end_and_stands_in_the_journal(scene: Scene) -> None:
    table = scene.table(1)
    await table.play([])
    assert table.core.state.outcome is not None
    copy = scene.table(2)
    copy.resume(await scene.journal.read(MATCH, 1))
    assert said(copy) == said(table)
    assert copy.core.state.outcome == table.core.state.outcome
    assert copy.pieces.joined() == table.pieces.joined()


async def test_questions_are_numbered_without_gaps_and_forced_cards_are_not_asked(scene: Scene) -> None:
    table = scene.table(1)
    await table.play([])
    for seat, stream in enumerate(scene.streams):
        numbers = [question.number for question in stream.questions()]
        assert numbers == list(range(1, len(numbers) + 1))
        asked = [a for a in table.pieces.joined().actions if a.seat == seat and a.cause in ASKED]
        assert len(asked) == len(numbers)
        assert all(len(question.legal) >= 2 for question in stream.questions())
    assert record_pb2.CAUSE_FORCED in {action.cause for action in table.pieces.joined().actions}


@pytest.mark.parametrize("silent_after", [0, 1, 17, 60])
async def test_a_match_is_resumed_at_the_same_card(scene: Scene, silent_after: int) -> None:
    undisturbed = scene.table(1)
    await undisturbed.play([])
    await scene.journal.drop(MATCH, 1)
    await scene.journal.claim(MATCH, 1, "node")
    await scene.stand_up(undisturbed)
    stream = scene.streams[2]
    stream.sent.clear()

    stream.silent_after = silent_after
    first = scene.table(1)
    playing = asyncio.create_task(first.play([]))
    while not any(question.number == silent_after + 1 for question in stream.questions()):
        await asyncio.sleep(0.002)
    playing.cancel()
    await asyncio.wait([playing])
    await scene.stand_up(first)
    open_question = stream.questions()[-1]

    stream.silent_after = None
    stream.sent.clear()
    await scene.journal.claim(MATCH, 2, "node")
    second = scene.table(2)
    await second.play(await scene.journal.read(MATCH, 1))
    again = stream.questions()[0]
    assert again.clock.resent
    assert (again.number, again.legal, again.view) == (
        open_question.number,
        open_question.legal,
        open_question.view,
    )
    assert said(second) == said(undisturbed)


async def test_a_table_whose_match_has_a_newer_owner_stops_without_a_word_to_the_bots(scene: Scene) -> None:
    stream = scene.streams[0]
    stream.silent_after = 3
    old = scene.table(1)
    playing = asyncio.create_task(old.play([]))
    while len(stream.questions()) < 4:
        await asyncio.sleep(0.002)
    await scene.journal.claim(MATCH, 2, "node")
    asked = [len(other.questions()) for other in scene.streams]
    last = stream.questions()[-1]
    scene.connections[0].receive([play_pb2.Action(match=MATCH, number=last.number, action=last.legal[0])])
    with pytest.raises(StaleEpoch):
        await playing
    assert [len(other.questions()) for other in scene.streams] == asked


async def test_strikes_and_banks_are_as_before_when_a_match_is_resumed(scene: Scene) -> None:
    stream = scene.streams[3]
    stream.failing = {2, 5}
    table = scene.table(1)
    await table.play([])
    assert [(i.seat, i.cause, i.strikes) for i in table.pieces.joined().incidents] == [
        (3, record_pb2.CAUSE_FAILURE, 1),
        (3, record_pb2.CAUSE_FAILURE, 2),
    ]
    seating = table.bots[3].seating
    copy = scene.table(2)
    copy.resume(await scene.journal.read(MATCH, 1))
    again = copy.bots[3].seating
    assert (again.questions, again.clock.strikes, again.clock.bank_ms) == (
        seating.questions,
        seating.clock.strikes,
        seating.clock.bank_ms,
    )


async def test_past_its_grace_a_seat_is_taken_over_and_stays_so_when_the_match_is_resumed(scene: Scene) -> None:
    scene.streams[3].failing = {1, 2, 3}
    table = scene.table(1)
    await table.play([])
    assert table.core.forfeits == [3]
    assert table.pieces.joined().incidents[-1].taken_over
    assert len(scene.streams[3].questions()) == 3
    assert [notice.reason for notice in scene.streams[3].notices()] == ["SEAT_TAKEN_OVER"]
    copy = scene.table(2)
    copy.resume(await scene.journal.read(MATCH, 1))
    assert copy.core.forfeits == [3]
    assert copy.core.seats[3].house is not None


async def test_accepted_answers_are_reported_after_they_were_written_if_asked_for(scene: Scene) -> None:
    await scene.table(1).play([])
    for stream in scene.streams:
        results = stream.results()
        assert {result.status for result in results} == {play_pb2.RESULT_STATUS_ACCEPTED}
        assert len(results) >= len(stream.questions()) - 1


async def test_a_journal_without_its_beginning_is_not_believed(scene: Scene) -> None:
    await scene.table(1).play([])
    entries = await scene.journal.read(MATCH, 1)
    with pytest.raises(JournalCorrupt):
        await scene.table(2).play(entries[1:])


async def test_a_match_that_is_resumed_goes_on_at_the_millisecond_at_which_it_stopped(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.play.table.monotonic", lambda: 1000.0)
    table = scene.table(epoch=1)
    pending = table.core.state.pending
    assert pending is not None
    seat = pending.seats[0]
    action = table.core.state.legal_actions(seat)[0]
    stopped_at = next(ms for ms in range(1, 100) if int((1000.0 - (1000.0 - ms / 1000)) * 1000) < ms)
    entry = opening()
    entry.actions.add(seat=seat, action=action, at_ms=stopped_at, cause=record_pb2.CAUSE_HOUSE)
    await scene.journal.claim(MATCH, 1, "node")
    await table.play([entry.SerializeToString()])
    assert {one.at_ms for one in table.pieces.joined().actions} == {stopped_at}
