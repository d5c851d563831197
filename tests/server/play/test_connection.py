"""The connection of a bot, without gRPC and in virtual time: messages are collected by a stream in memory."""

from __future__ import annotations

import asyncio
import math
from time import monotonic
from typing import Any

import pytest
from tests.server.connection_world import EASY, HASTY, LEGAL, Connected, asked, soon

from farfalia.v1 import play_pb2
from farfalia_engine import Cause, TimeControl
from farfalia_server.play.questions import Answer, Seating
from farfalia_tools.testing import VIRTUAL_TIME, RecordingStream

#: So many seats that a bot's questions wait for each other, two of them at least.
MANY = 14


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


@pytest.fixture(autouse=True)
async def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("farfalia_server.play.connection", __name__):
        monkeypatch.setattr(f"{module}.monotonic", asyncio.get_running_loop().time)


async def test_questions_of_one_moment_leave_in_one_message() -> None:
    table = Connected(EASY)
    await table.put(1, 2, 3)
    assert asked(table.stream) == [[1, 2, 3]]


async def test_a_question_that_cannot_be_put_fails_its_own_table_and_the_others_are_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Connected(EASY)

    broken, encoded = table.seatings[2], Seating.encoded_clock

    def failing(seating: Seating, round_trip_us: int, spent_ms: int, resent: bool) -> bytes:
        if seating is broken:
            raise ZeroDivisionError
        return encoded(seating, round_trip_us, spent_ms, resent)

    monkeypatch.setattr(Seating, "encoded_clock", failing)
    await table.put(1, 2, 3)
    assert asked(table.stream) == [[1, 3]]
    assert [(match, type(error)) for match, error in table.failed.items()] == [(2, ZeroDivisionError)]
    table.receive(1)
    assert table.answers[1].cause is Cause.BOT


async def test_the_next_message_waits_until_the_last_one_is_answered() -> None:
    table = Connected(EASY, linger=60, seats=MANY)
    await table.put(1, 2)
    table.ask(3)
    table.receive(1)
    await soon()
    assert asked(table.stream) == [[1, 2]]
    table.ask(4)
    table.receive(2)
    await soon()
    assert asked(table.stream) == [[1, 2], [3, 4]]


async def test_a_bot_with_few_seats_is_asked_at_once_whatever_it_has_not_answered() -> None:
    table = Connected(EASY, linger=60)
    await table.put(1)
    await table.put(2)
    await table.put(3, 4)
    assert asked(table.stream) == [[1], [2], [3, 4]]
    assert not table.answers


async def test_a_slow_answer_holds_other_questions_back_for_a_moment_only() -> None:
    table = Connected(EASY, linger=0.01, seats=MANY)
    await table.put(1, 2)
    table.ask(3)
    while len(asked(table.stream)) < 2:
        await asyncio.sleep(0.005)
    assert asked(table.stream) == [[1, 2], [3]]
    assert not table.answers


@pytest.mark.parametrize(("load", "seconds"), [(0.9, 40), (0.3, 4)])
async def test_a_question_waits_for_others_the_shorter_the_less_the_server_has_to_do(
    load: float, seconds: float
) -> None:
    table = Connected(TimeControl(limit_ms=600_000, bank_ms=0, grace=3), linger=40, seats=MANY)
    table.clock.load = load
    await table.put(1, 2)
    table.ask(3)
    await asyncio.sleep(seconds - 0.1)
    assert asked(table.stream) == [[1, 2]]
    await asyncio.sleep(0.2)
    assert asked(table.stream) == [[1, 2], [3]]


async def test_questions_beyond_the_capacity_are_held_back_uncharged() -> None:
    table = Connected(EASY, linger=0.001)
    table.connection.set_capacity(play_pb2.Capacity(matches=9, questions=1))
    await table.put(1, 2)
    await asyncio.sleep(0.01)
    assert asked(table.stream) == [[1]]
    table.receive(1)
    await soon()
    table.receive(2)
    assert table.answers[2].cause is Cause.BOT
    assert table.answers[2].took_ms == 0


async def test_an_answer_in_time_is_taken() -> None:
    table = Connected(EASY)
    await table.put(1)
    table.receive(1, LEGAL[1])
    assert table.answers[1] == Answer(LEGAL[1], Cause.BOT, 0)
    assert table.seatings[1].clock.strikes == 0


async def test_no_answer_in_time_is_a_strike() -> None:
    table = Connected(HASTY)
    table.ask(1)
    while 1 not in table.answers:
        await asyncio.sleep(0.005)
    assert table.answers[1].cause is Cause.TIMEOUT
    assert table.answers[1].text == "no answer within 20 ms"
    assert table.seatings[1].clock.strikes == 1
    table.receive(1)
    await soon()
    (result,) = table.stream.results()
    assert result.status == play_pb2.RESULT_STATUS_TOO_LATE
    assert result.strikes == 1


async def test_the_bank_pays_for_what_goes_beyond_the_limit() -> None:
    table = Connected(TimeControl(limit_ms=1, bank_ms=5000, grace=0))
    table.ask(1)
    await asyncio.sleep(0.05)
    table.receive(1)
    answer = table.answers[1]
    assert answer.cause is Cause.BOT
    assert answer.took_ms > 1
    assert table.seatings[1].clock.bank_ms == 5000 - (answer.took_ms - 1)


async def test_an_illegal_action_is_a_strike_and_says_what_was_legal() -> None:
    table = Connected(EASY)
    await table.put(1)
    table.receive(1, 4)
    answer = table.answers[1]
    assert (answer.action, answer.cause) == (None, Cause.ILLEGAL)
    assert answer.text == "action 4 is not legal; legal were 3, 7, 20"


async def test_a_bot_can_say_that_it_failed() -> None:
    table = Connected(EASY)
    await table.put(1)
    table.receive(1, failure="KeyError: 'S'")
    assert table.answers[1].cause is Cause.FAILURE
    assert table.answers[1].text == "the bot said that it failed; its owner's log has what it said"


async def test_a_second_answer_changes_nothing() -> None:
    table = Connected(EASY)
    await table.put(1)
    table.receive(1, LEGAL[0])
    table.receive(1, LEGAL[1])
    await soon()
    assert table.answers[1].action == LEGAL[0]
    assert [result.status for result in table.stream.results()] == [play_pb2.RESULT_STATUS_DUPLICATE]


async def test_an_answer_before_the_question_or_for_another_match_is_not_asked_for() -> None:
    table = Connected(EASY)
    table.receive(1)
    table.receive(77)
    await soon()
    statuses = [(result.match, result.status) for result in table.stream.results()]
    assert statuses == [(1, play_pb2.RESULT_STATUS_NOT_ASKED), (77, play_pb2.RESULT_STATUS_NOT_ASKED)]
    await table.put(1)
    table.receive(1)
    assert table.answers[1].cause is Cause.BOT


async def test_a_new_stream_is_asked_again_by_the_same_number_while_the_clock_goes_on() -> None:
    table = Connected(EASY)
    await table.put(1)
    table.connection.detach()
    await asyncio.sleep(0.0305)
    other = RecordingStream()
    table.connection.attach(other)
    await soon()
    (question,) = other.sent[0].questions
    assert (question.match, question.number) == (1, 1)
    assert question.clock.resent
    assert question.clock.spent_ms == 30
    table.receive(1)
    assert table.answers[1].took_ms == 30


async def test_a_question_to_an_absent_bot_runs_out_of_time() -> None:
    table = Connected(HASTY)
    table.connection.detach()
    table.ask(1)
    while 1 not in table.answers:
        await asyncio.sleep(0.005)
    assert table.answers[1].cause is Cause.ABSENT


async def test_seats_are_given_up_when_the_bot_does_not_come_back() -> None:
    table = Connected(EASY, grace=0.02)
    await table.put(1)
    table.connection.detach()
    while not table.seatings[9].absence:
        await asyncio.sleep(0.005)
    assert table.answers[1].cause is Cause.ABSENT


@pytest.mark.parametrize("seen", [True, False])
async def test_a_bot_that_leaves_with_a_question_is_charged_however_little_time_it_had(seen: bool) -> None:
    """By the charge its match knows that it may have seen its cards."""
    table = Connected(EASY)
    if not seen:
        table.connection.detach()
    await table.put(1)
    table.connection.detach()
    table.connection._give_up_seats()
    assert (table.answers[1].cause, table.answers[1].took_ms) == (Cause.ABSENT, int(seen))


async def test_a_bot_that_was_gone_in_earlier_matches_has_the_whole_grace_in_the_next() -> None:
    table = Connected(EASY, grace=10)
    table.connection.detach()
    for match in table.seatings:  # which goes on with the bot at another node
        table.connection.hand_over(match)
    await asyncio.sleep(9)
    table.connection.take_seat(table.seatings[1])  # whose node is dead
    table.connection.suspend_clocks()
    table.ask(1)
    await asyncio.sleep(9)
    assert not table.answers
    await asyncio.sleep(2)
    assert table.answers[1].cause is Cause.ABSENT


async def test_clocks_that_are_suspended_again_give_the_bot_the_whole_time_again() -> None:
    table = Connected(EASY, grace=10)
    table.connection.detach()
    table.ask(1)
    await asyncio.sleep(4)
    table.connection.suspend_clocks()
    table.ask(2)
    await asyncio.sleep(9)
    assert 2 not in table.answers


async def test_seats_are_kept_while_bots_cannot_be_let_in_and_for_the_grace_afterwards() -> None:
    table = Connected(EASY, grace=0.02)
    table.outage_end = math.inf
    await table.put(1)
    looked = 0

    def outage_end() -> float:
        nonlocal looked
        looked += 1
        return min(table.outage_end, monotonic())

    table.connection._outage_end = outage_end
    table.connection.detach()
    while looked < 3:
        await asyncio.sleep(0.005)
    assert not table.seatings[9].absence
    table.outage_end = monotonic()
    while not table.seatings[9].absence:
        await asyncio.sleep(0.005)
    assert looked > 3


async def test_clocks_are_suspended_until_the_bot_had_time_to_reconnect_after_an_outage() -> None:
    table = Connected(HASTY, grace=5)
    table.connection.detach()
    table.connection.suspend_clocks()
    table.ask(1)
    await asyncio.sleep(0.06)
    assert 1 not in table.answers
    table.connection.attach(table.stream)
    await soon()
    table.receive(1)
    assert table.answers[1].cause is Cause.BOT
    assert table.answers[1].took_ms == 0


async def test_a_bot_that_said_goodbye_keeps_its_seats_and_gets_no_new_ones() -> None:
    table = Connected(EASY)
    table.connection.set_capacity(play_pb2.Capacity(matches=100, questions=9))
    await table.put(1)
    table.receive(1)
    assert table.connection.tables == 100
    table.connection.close_when_idle()
    assert table.connection.tables == 0
    for match in range(1, 10):
        assert not table.stream.closed
        table.connection.leave(match)
    assert table.stream.closed


async def test_a_goodbye_holds_over_a_lost_connection_of_the_same_process_only() -> None:
    table = Connected(EASY)
    table.connection.close_when_idle()
    table.connection.detach()
    table.connection.attach(table.stream, resumed=True)
    assert table.connection.leaving
    for match in range(1, 10):
        table.connection.leave(match)
    assert table.stream.closed
    table.connection.detach()
    table.connection.attach(RecordingStream(), resumed=True)
    assert not table.connection.leaving  # it had left, and has come anew
    table.connection.close_when_idle()
    table.connection.attach(RecordingStream())
    assert not table.connection.leaving


async def test_after_a_goodbye_a_new_stream_ends_at_once_if_all_matches_have_ended() -> None:
    table = Connected(EASY)
    table.connection.close_when_idle()
    table.connection.detach()
    for match in range(1, 10):
        table.connection.leave(match)
    stream = RecordingStream()
    table.connection.attach(stream, resumed=True)
    assert stream.closed


async def test_capacity_out_of_bounds_becomes_the_nearest_that_is_not() -> None:
    table = Connected(EASY)
    table.connection.set_capacity(play_pb2.Capacity(matches=0, questions=10**6))
    assert (table.connection.capacity_matches, table.connection._batcher.capacity) == (1, 1024)


async def test_the_way_of_a_question_is_measured_once_and_only_if_the_bot_could_take_it() -> None:
    table, began = Connected(EASY), monotonic()
    table.ask(1, after=began)
    await soon()
    assert len(table.measures.handed) == 1
    # Sent again, to a bot that was disconnected: that time is not the server's.
    table.connection.detach()
    table.ask(2, after=began)
    await asyncio.sleep(0.01)
    table.connection.attach(RecordingStream())
    await soon()
    assert set(table.connection._batcher.outstanding) == {(1, 1), (2, 1)}
    assert len(table.measures.handed) == 1
    # Behind what the bot takes at once.
    table.connection.set_capacity(play_pb2.Capacity(matches=9, questions=2))
    table.ask(3, after=began)
    table.receive(1)
    await asyncio.sleep(0.05)
    assert (3, 1) in table.connection._batcher.outstanding
    assert len(table.measures.handed) == 1
    table.receive(2)
    table.receive(3)
    table.ask(4, after=began)
    await soon()
    assert len(table.measures.handed) == 2


async def test_of_a_match_that_is_over_no_more_is_kept_than_late_answers_need() -> None:
    table = Connected(EASY)
    seating = table.seatings[1]
    seating.message.nonces.extend([b"n" * 32] * 500)  # as many as a tournament has entrants
    await table.put(1)
    table.receive(1)
    table.connection.leave(1)
    assert seating.message.ByteSize() == 0
    table.receive(1)
    await soon()
    assert [result.status for result in table.stream.results()] == [play_pb2.RESULT_STATUS_DUPLICATE]
