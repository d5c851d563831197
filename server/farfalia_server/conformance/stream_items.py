"""What is looked at of streams: that a bot comes back to the same questions, and when it does not."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import grpc

from farfalia.v1 import play_pb2
from farfalia_server.conformance.ground import Ground
from farfalia_server.contract.clauses import ANSWER, DRAIN, REPLACED, RESENT, STOP, TRY_AGAIN, WAITS, Finding
from farfalia_server.hosting.examination import Asked, Broken
from farfalia_server.hosting.relay_stream import RelayStream
from farfalia_server.play.stream import TOKEN_REPLACED, StreamStatus

#: How streams end after which a bot tries again: of the server's own ends, of the network's, and without a reason.
_PASSING: Final = (
    StreamStatus(grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE", "the check ends this stream"),
    StreamStatus(grpc.StatusCode.INTERNAL, "", "the check ends this stream"),
    StreamStatus(grpc.StatusCode.UNKNOWN, "", "the check ends this stream"),
    StreamStatus(),
)
_REPLACED: Final = StreamStatus(grpc.StatusCode.ABORTED, "STREAM_REPLACED", "another stream has taken over")
#: Seconds that a bot waits at least before it comes back, less a little: half of the shortest wait.
_SHORTEST_WAIT: Final = 0.1
#: Milliseconds until a server that drains ends its streams, and seconds from its kill to its restart.
_DRAINS_MS, _AWAY = 10_000, 1.0
#: Seconds in which a bot that should do nothing must not open a stream.
_QUIET: Final = 2.0


async def lost_stream(ground: Ground) -> str:
    """See that it comes back when its stream ends, whatever the status, and answers what it is asked again."""
    hurried: list[Finding] = []
    for status in _PASSING:
        name = "OK" if status.code is None else status.code.name
        lost, asked = await _unheard(ground)
        number = len(ground.streams)
        lost.end(status)
        await ground.next_stream(number, f"one had ended with {name}", TRY_AGAIN)
        waited = asyncio.get_running_loop().time() - (lost.ended or 0.0)
        if waited < _SHORTEST_WAIT:
            text = f"it came back {waited * 1000:.0f} ms after a stream had ended with {name}; expected 125 ms at least"
            hurried.append(Finding(text, WAITS))
        await ground.examination.answers(asked, RESENT)
        ground.rise()
    # Once may be chance: a bot that has just given up the stream by itself has waited already.
    wrong = [*(hurried if len(hurried) > 1 else ()), *ground.wrong_with_hellos()]
    if wrong:
        raise Broken(*wrong)
    return f"back after each of {len(_PASSING)} ends, and answered again"


async def drain(ground: Ground) -> str:
    """See that it opens a new stream when its server is about to stop, and ignores the end of the old one."""
    old = await _stream(ground)
    number = len(ground.streams)
    asked = [ground.noted(one) for one in ground.few(1)]
    ground.examination.send(asked, play_pb2.PlayResponse(drain=play_pb2.Drain(grace_ms=_DRAINS_MS)))
    await ground.next_stream(number, "its server had said that it stops", DRAIN)
    await ground.examination.answers(asked, DRAIN)
    ground.rise()
    old.end(_REPLACED)
    await ground.examination.either(asyncio.sleep(_QUIET), 2 * _QUIET)
    wrong = ground.wrong_with_hellos()
    if len(ground.streams) > number + 1:
        wrong.append(Finding("it opened another stream because the old one had ended, as it was to", REPLACED))
    if wrong:
        raise Broken(*wrong)
    await _plays_on(ground)
    return "moved to a new stream, and played on"


async def server_killed(ground: Ground) -> str:
    """See that it comes back to a server that was killed and is started again on the same port."""
    _, asked = await _unheard(ground)
    number = len(ground.streams)
    await ground.relay.close()
    await ground.examination.either(asyncio.sleep(_AWAY), 2 * _AWAY)
    await ground.listen()
    await ground.next_stream(number, "its server had been killed and started again")
    await ground.examination.answers(asked, RESENT)
    ground.rise()
    wrong = ground.wrong_with_hellos()
    if wrong:
        raise Broken(*wrong)
    await _plays_on(ground)
    return f"back after {_AWAY:g} s without a server, and answered again"


async def stops(ground: Ground) -> str:
    """See that it stops when it is told that its token is known no more."""
    stream = await _stream(ground)
    number = len(ground.streams)
    stream.end(TOKEN_REPLACED)
    program = ground.program
    assert program is not None
    with suppress(TimeoutError):
        await asyncio.wait_for(program.wait(), _QUIET)
    if len(ground.streams) > number:
        raise Broken(Finding("it came back after it had been told that its token was replaced", STOP))
    return f"it {program.ending}"


async def _unheard(ground: Ground) -> tuple[RelayStream, list[Asked]]:
    """Ask questions on a stream whose answers are lost, and return both."""
    stream = await _stream(ground)
    stream.deaf = True
    asked = [ground.noted(one) for one in ground.few(_at_once(ground))]
    ground.examination.send(asked)
    await asyncio.sleep(0)
    return stream, asked


def _at_once(ground: Ground) -> int:
    return min(ground.relay.capacity.matches, ground.relay.capacity.questions, 4)


async def _stream(ground: Ground) -> RelayStream:
    """Return the newest stream, once there is one."""
    if ground.relay.stream is None:
        await ground.next_stream(len(ground.streams), "the last one")
    assert ground.relay.stream is not None
    return ground.relay.stream


async def _plays_on(ground: Ground) -> None:
    asked = [ground.noted(one) for one in ground.few(1)]
    ground.examination.send(asked)
    await ground.examination.answers(asked, ANSWER)
    ground.rise()
