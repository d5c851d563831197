"""Whatever messages a bot sends on its stream: the server fails at none, and no table of any bot does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import grpc
import structlog
from hypothesis import given
from hypothesis import strategies as st
from tests.server.any_message import messages
from tests.server.connection_world import EASY, LEGAL, Connected
from tests.server.stream_call import HELLO, Call

from farfalia.v1 import play_pb2
from farfalia_engine import Cause
from farfalia_server.net.measures import Measures
from farfalia_server.play.bot_stream import BotStream
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.stream import StreamStatus
from farfalia_server.store import NewLogLine
from farfalia_tools.testing import VirtualTimeLoop, virtual_monotonic

#: How a bot's own fault may end its stream.
ENDINGS = {
    grpc.StatusCode.INVALID_ARGUMENT: {"MESSAGE_UNREADABLE", "HELLO_INVALID", "HELLO_MISSING"},
    grpc.StatusCode.RESOURCE_EXHAUSTED: {"MESSAGES_TOO_FAST", "READS_TOO_SLOWLY"},
}
#: The largest number that a column of the database holds.
MOST = 2**63 - 1

anything = messages(play_pb2.PlayRequest, st.sampled_from(["results", "two", "\0", "\x1b[2J"]))
#: Answers to questions that are open, and to others.
answers = st.builds(
    play_pb2.Action,
    match=st.integers(0, 10),
    number=st.integers(0, 2),
    action=st.sampled_from([*LEGAL, 0, 2**32 - 1]),
    failure=st.sampled_from(["", "", "out of ideas", "\0"]),
)


def later(message: play_pb2.PlayRequest, actions: Sequence[play_pb2.Action]) -> bytes:
    """A message without a hello, and with these answers."""
    message.ClearField("hello")
    message.actions.extend(actions)
    return message.SerializeToString()


#: Most of them leave the stream open, and a last one may be no message, or a part of one.
sent_later = st.lists(st.builds(later, anything, st.lists(answers, max_size=4)), max_size=8)
at_last = st.just(b"") | st.binary(max_size=60) | anything.map(lambda message: message.SerializeToString()[:-1])


@given(sent=sent_later, last=at_last)
def test_a_stream_takes_any_message_or_ends_with_a_reason(sent: Sequence[bytes], last: bytes) -> None:
    with virtual_monotonic(), asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        runner.run(take([HELLO.SerializeToString(), *sent, last]))


@given(first=anything.map(lambda message: message.SerializeToString()) | st.binary(max_size=60))
def test_a_stream_may_begin_with_anything(first: bytes) -> None:
    with virtual_monotonic(), asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        runner.run(take([first, HELLO.SerializeToString()]))


async def take(sent: Sequence[bytes]) -> None:
    """Send these messages on the stream of a bot with nine seats and three questions."""
    here, lines = Connected(EASY), list[NewLogLine]()
    clock = LoopClock(Measures(), asyncio.get_running_loop().time)
    call = Call()
    context: Any = call
    stream = BotStream(
        context,
        log_line=lambda bot, line: lines.append(line),
        nonces=lambda bot, nonces: len(nonces),
        ping_interval=10.0,
        clock=clock,
    )
    with structlog.testing.capture_logs() as logged:
        for data in sent:
            call.send_bytes(data)
        await asyncio.sleep(0.1)
        if stream.hello.done() and not stream.hello.cancelled():
            here.connection.attach(stream)
            stream.serve(here.connection)
            for match in (1, 2, 3):
                here.ask(match)
            await asyncio.sleep(1)
        if stream.ended.done() and (ended := stream.ended.result()) != StreamStatus():
            assert ended.code is not None
            assert ended.reason in ENDINGS[ended.code], ended
        stream.end(StreamStatus())
        call.fail(asyncio.InvalidStateError())
        await asyncio.sleep(60)  # questions run out of time
    assert here.failed == {}
    assert {answer.cause for answer in here.answers.values()} <= {
        Cause.BOT,
        Cause.TIMEOUT,
        Cause.ILLEGAL,
        Cause.FAILURE,
    }
    assert all(answer.action in LEGAL for answer in here.answers.values() if answer.cause is Cause.BOT)
    assert all(0 <= line.match_id <= MOST and "\0" not in line.text for line in lines)
    assert [line for line in logged if line["log_level"] in ("error", "critical")] == []
