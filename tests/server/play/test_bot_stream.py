"""What a stream takes of a bot that sends too much: counted, since what is looked at is what costs time.

The call is one in memory, so that a test sees every entry that is looked at. Floods over real connections are in
`test_floods.py`.
"""

from __future__ import annotations

import asyncio

import grpc
import grpc.aio
import pytest
import structlog
from tests.server.play.stream_world import Scene, anyio_backend, here
from tests.server.stream_call import HELLO

from farfalia.v1 import play_pb2
from farfalia_engine import Cause
from farfalia_server.net.measures import Measures
from farfalia_server.play import limits
from farfalia_server.play.bot_stream import QUEUED_BYTES, QUEUED_MESSAGES
from farfalia_server.play.loop_clock import LoopClock

__all__ = ["anyio_backend", "here"]

ONE_LOG = play_pb2.PlayRequest(logs=[play_pb2.LogLine(text="x")], capacity=play_pb2.Capacity(matches=1, questions=1))


async def test_messages_of_log_lines_and_capacity_are_a_flood_as_well(here: Scene) -> None:
    stream, call = await here.connect()
    call.send(*[ONE_LOG] * 5000)
    assert (await stream.ended).reason == "MESSAGES_TOO_FAST"
    assert call.read_messages < limits.USELESS_BURST + 10
    assert len(here.lines) == limits.LOGS_BURST


async def test_of_a_message_of_130_000_log_lines_few_are_looked_at(here: Scene) -> None:
    stream, call = await here.connect()
    call.send(play_pb2.PlayRequest(logs=[play_pb2.LogLine()] * 130_000))
    assert (await stream.ended).reason == "MESSAGES_TOO_FAST"
    assert len(here.lines) <= limits.LOGS_IN_MESSAGE


async def test_of_a_message_of_40_000_useless_actions_few_are_answered(here: Scene) -> None:
    stream, call = await here.connect()
    told: list[play_pb2.Result] = []
    here.connection._answers.send_result = told.append  # type: ignore[method-assign, assignment]
    call.send(play_pb2.PlayRequest(actions=[play_pb2.Action(match=1, number=1)] * 40_000))
    assert (await stream.ended).reason == "MESSAGES_TOO_FAST"
    assert len(told) == limits.REFUSALS_IN_MESSAGE


@pytest.mark.parametrize(
    "message",
    [
        play_pb2.PlayRequest(),
        play_pb2.PlayRequest(pong=play_pb2.Pong(nonce=7)),
        play_pb2.PlayRequest(goodbye=play_pb2.Goodbye()),
        play_pb2.PlayRequest(capacity=play_pb2.Capacity(matches=3)),
        play_pb2.PlayRequest(nonces=[play_pb2.Nonce(match=1)]),
        play_pb2.PlayRequest(actions=[play_pb2.Action()]),
    ],
)
async def test_whatever_messages_that_change_nothing_hold_too_many_of_them_end_the_stream(
    here: Scene, message: play_pb2.PlayRequest
) -> None:
    stream, call = await here.connect()
    here.connection.expected.add(1)  # it has a seat to come, so that a goodbye does not end its stream
    call.send(*[message] * 5000)
    status = await asyncio.wait_for(stream.ended, 5)
    assert status.reason in ("MESSAGES_TOO_FAST", "")
    assert call.read_messages <= limits.USELESS_BURST + 10


async def test_a_new_number_of_matches_costs_more_since_the_server_looks_for_matches(here: Scene) -> None:
    stream, call = await here.connect()
    call.send(
        *(play_pb2.PlayRequest(capacity=play_pb2.Capacity(matches=1 + at % 2, questions=1)) for at in range(1, 500))
    )
    assert (await stream.ended).reason == "MESSAGES_TOO_FAST"
    assert call.read_messages <= limits.USELESS_BURST // limits.MATCHES_COST + 10


async def test_what_a_bot_says_of_a_failure_goes_to_its_log_and_not_to_the_table(here: Scene) -> None:
    stream, call = await here.connect()
    answers = here.ask(1, 5)
    await asyncio.sleep(0.1)
    failure = "FileNotFoundError: /home/ana/lookup.bin"
    call.send(play_pb2.PlayRequest(actions=[play_pb2.Action(match=1, number=1, failure=failure)]))
    await asyncio.sleep(0.1)
    (answer,) = answers
    assert (answer.cause, answer.text) == (
        Cause.FAILURE,
        "the bot said that it failed; its owner's log has what it said",
    )
    assert here.lines == [(1, f"question 1 failed: {failure}")]
    assert not stream.ended.done()


async def test_connecting_again_gives_nothing_new(here: Scene) -> None:
    stream, call = await here.connect()
    call.send(play_pb2.PlayRequest(logs=[play_pb2.LogLine(text="x")] * limits.LOGS_BURST))
    call.send(*[play_pb2.PlayRequest()] * (limits.USELESS_BURST - 100))
    await asyncio.sleep(0.001)
    assert not stream.ended.done()
    stream.close()
    again, call = await here.connect()
    call.send(play_pb2.PlayRequest(logs=[play_pb2.LogLine(text="x")] * 200))
    assert (await again.ended).reason == "MESSAGES_TOO_FAST"
    assert len(here.lines) == limits.LOGS_BURST


async def test_an_honest_bot_that_logs_and_changes_its_questions_all_the_time_is_not_ended(here: Scene) -> None:
    stream, call = await here.connect()
    for at in range(2000):
        message = play_pb2.PlayRequest(capacity=play_pb2.Capacity(matches=1, questions=1 + at % 2))
        if at % 10 == 0:
            message.logs.add(text="x")
        call.send(message)
        await asyncio.sleep(0.02)
        for got in call.got:
            if got.HasField("ping"):
                call.send(play_pb2.PlayRequest(pong=play_pb2.Pong(nonce=got.ping.nonce)))
        call.got.clear()
    assert not stream.ended.done()
    assert len(here.lines) == 200


async def test_log_lines_are_cleaned_and_cut_and_impossible_match_numbers_left_out(here: Scene) -> None:
    _, call = await here.connect()
    hostile = play_pb2.LogLine(match=2**64 - 1, text="a\0b\x1b[2J\u202e\ufffe")
    call.send(play_pb2.PlayRequest(logs=[hostile, play_pb2.LogLine(match=7, text="two\r\nlines" + "x" * 10_000)]))
    await asyncio.sleep(0.01)
    (none, first), (match, second) = here.lines
    assert (none, first) == (0, "a\ufffdb\ufffd[2J\ufffd\ufffd")
    assert (match, second[:10], len(second)) == (7, "two\nlinesx", limits.LOG_LINE_BYTES - 1)


async def test_a_pong_that_comes_after_three_intervals_tells_of_no_round_trip(here: Scene) -> None:
    stream, call = await here.connect()
    first: list[int] = []
    for _ in range(100):
        await asyncio.sleep(10)
        first += [got.ping.nonce for got in call.got if got.HasField("ping")]
        call.send(ONE_LOG)  # something is heard of it all the time
    assert len(stream._pings) <= 8
    call.send(play_pb2.PlayRequest(pong=play_pb2.Pong(nonce=first[0])))
    call.send(play_pb2.PlayRequest(pong=play_pb2.Pong(nonce=first[-5])))
    await asyncio.sleep(0.1)
    assert stream.round_trip == 0.0
    assert not stream.ended.done()


@pytest.mark.parametrize(("size", "waiting"), [(1, QUEUED_MESSAGES), (QUEUED_BYTES // 8, 8)])
async def test_a_bot_that_does_not_read_loses_its_stream_by_messages_or_by_bytes(
    here: Scene, size: int, waiting: int
) -> None:
    stream, call = await here.connect()
    await asyncio.sleep(0.01)
    call.reads.clear()
    stream.send(b"x")
    await asyncio.sleep(0.01)  # the writer has this one
    for _ in range(waiting):
        stream.send(bytes(size))
    assert not stream.ended.done()
    stream.send(bytes(size))
    status = await stream.ended
    assert (status.code, status.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "READS_TOO_SLOWLY")


async def test_one_message_may_be_larger_than_all_that_may_wait(here: Scene) -> None:
    stream, call = await here.connect()
    await asyncio.sleep(0.01)
    call.got.clear()
    large = play_pb2.PlayResponse(notices=[play_pb2.Notice(text="x" * (QUEUED_BYTES + 1))])
    for _ in range(3):
        stream.send(large.SerializeToString())
        await asyncio.sleep(0.01)
    assert not stream.ended.done()
    assert call.got == [large] * 3


async def test_pings_keep_coming_while_the_clock_of_the_bots_stands_still(here: Scene) -> None:
    here.clock = LoopClock(Measures(), lambda: 0.0)
    stream, call = await here.connect()
    await asyncio.sleep(50.5)
    assert sum(got.HasField("ping") for got in call.got) == 6
    assert not stream.ended.done()


async def test_what_comes_between_hello_and_welcome_is_taken_after_it(here: Scene) -> None:
    hello = play_pb2.PlayRequest(hello=play_pb2.Hello(instance=b"one"))
    hello.logs.add(text="with the hello")
    stream, _ = here.stream(hello, play_pb2.PlayRequest(logs=[play_pb2.LogLine(text="after it")]))
    await stream.first_message()
    await asyncio.sleep(5)  # the database takes its time
    assert here.lines == []
    here.connection.attach(stream)
    stream.serve(here.connection)
    assert [text for _, text in here.lines] == ["with the hello", "after it"]


async def test_no_more_than_a_few_messages_are_kept_until_the_welcome(here: Scene) -> None:
    stream, call = here.stream(HELLO, *[ONE_LOG] * 100)
    assert (await stream.ended).reason == "MESSAGES_TOO_FAST"
    assert call.read_messages <= limits.EARLY_MESSAGES + 2


async def test_a_hello_that_is_late_may_be_said_again(here: Scene) -> None:
    stream, _ = here.stream()
    status = await stream.ended
    assert (status.code, status.reason) == (grpc.StatusCode.UNAVAILABLE, "HELLO_LATE")


async def test_whatever_the_reader_dies_of_ends_the_stream(here: Scene) -> None:
    stream, call = await here.connect()
    here.connection.name = "ada"
    with structlog.testing.capture_logs() as logged:
        call.fail(KeyError("something nobody thought of"))
        status = await asyncio.wait_for(stream.ended, 5)
    assert (status.code, status.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert [(line["event"], line["bot"]) for line in logged] == [("stream_failed", "ada")]


async def test_a_message_that_cannot_be_sent_is_logged_with_its_bot(
    here: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream, _ = await here.connect()
    here.connection.name = "ada"

    def fail(message: bytes) -> None:
        raise ValueError("a number is wrong")

    monkeypatch.setattr(stream, "send", fail)
    with structlog.testing.capture_logs() as logged:
        here.connection.send(play_pb2.PlayResponse(notices=[play_pb2.Notice(text="hello")]))
        await asyncio.sleep(0)
    assert [(line["event"], line["bot"]) for line in logged] == [("flush_failed", "ada")]
