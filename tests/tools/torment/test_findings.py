"""What a torment makes of a server that contradicts itself, or of answers that nobody expects."""

from __future__ import annotations

import grpc
import pytest

from farfalia.settings import Server
from farfalia.stream_end import StreamEnd
from farfalia.v1 import play_pb2, record_pb2
from farfalia_tools.torment.catalogue import Torment
from farfalia_tools.torment.harness import Harness, TormentMatch
from farfalia_tools.torment.stream import DidNotHold, TormentStream
from farfalia_tools.torment.suite import run
from farfalia_tools.torment.verdicts import check_verdicts

MATCH, ANSWER = 7, 3
ACCEPTED, LATE = play_pb2.RESULT_STATUS_ACCEPTED, play_pb2.RESULT_STATUS_TOO_LATE


def told(*verdicts: play_pb2.ResultStatus) -> TormentStream:
    """A stream on which the server gave these verdicts of the first answer."""
    stream = TormentStream(Server("nowhere:1", False, "none"), "none", patience=1)
    results = [play_pb2.Result(match=MATCH, number=1, status=verdict) for verdict in verdicts]
    stream.messages.append(play_pb2.PlayResponse(results=results))
    stream.given[MATCH, 1] = ANSWER
    return stream


def recorded(cause: record_pb2.Cause, action: int = ANSWER) -> TormentMatch:
    """A match whose record has this of the first answer."""
    actions = [record_pb2.RecordAction(seat=0, action=action, cause=cause)]
    return TormentMatch(record_pb2.Record(match=MATCH, actions=actions), seat=0)


def test_verdicts_that_the_record_confirms_hold() -> None:
    check_verdicts([told(ACCEPTED)], recorded(record_pb2.CAUSE_BOT))
    check_verdicts([told(LATE, LATE)], recorded(record_pb2.CAUSE_TIMEOUT, 9))


@pytest.mark.parametrize(
    ("verdicts", "cause", "action", "seen"),
    [
        ((ACCEPTED, LATE), record_pb2.CAUSE_BOT, ANSWER, "ACCEPTED and RESULT_STATUS_TOO_LATE"),
        ((ACCEPTED,), record_pb2.CAUSE_TIMEOUT, ANSWER, "the record says CAUSE_TIMEOUT"),
        ((LATE,), record_pb2.CAUSE_BOT, ANSWER, "the record says CAUSE_BOT"),
        ((ACCEPTED,), record_pb2.CAUSE_BOT, 9, "the record has 9"),
    ],
    ids=["two verdicts", "accepted, yet late", "late, yet counted", "another action"],
)
def test_a_server_that_contradicts_its_record_is_found_out(
    verdicts: tuple[play_pb2.ResultStatus, ...], cause: record_pb2.Cause, action: int, seen: str
) -> None:
    with pytest.raises(DidNotHold, match=seen):
        check_verdicts([told(*verdicts)], recorded(cause, action))


async def test_an_answer_that_nobody_expects_ends_one_torment_and_not_the_others() -> None:
    async def surprised(harness: Harness) -> str:
        raise ValueError("not enough values to unpack")

    async def well(harness: Harness) -> str:
        return "all is well"

    torments = [Torment("surprised", "Ask.", "Hold.", surprised), Torment("well", "Ask.", "Hold.", well)]
    first, second = [finding async for finding in run(Harness("127.0.0.1:1", "none"), torments)]
    assert (first.held, second.held) == (False, True)
    assert "ValueError: not enough values to unpack" in first.seen


def ended(text: str) -> TormentStream:
    """A stream that has ended with INTERNAL, and this text."""
    stream = told()
    stream.end, stream.over = StreamEnd(grpc.StatusCode.INTERNAL, "INTERNAL", text), True
    return stream


async def test_a_status_that_grpc_lost_is_no_fault_of_the_server_and_it_is_tried_again() -> None:
    ends = ["Internal error from Core", "Internal error from Core", "the server failed at a message of this bot"]

    async def looks(harness: Harness) -> str:
        return await ended(ends.pop(0)).ended("INTERNAL")

    torment = Torment("looks", "Look.", "Hold.", looks)
    (finding,) = [finding async for finding in run(Harness("127.0.0.1:1", "none"), [torment])]
    assert (finding.held, finding.seen, ends) == (True, "INTERNAL", [])
