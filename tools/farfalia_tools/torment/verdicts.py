"""What the server said of a bot's answers, compared with the record of the match."""

from __future__ import annotations

from collections.abc import Sequence

from farfalia.v1 import play_pb2, record_pb2
from farfalia_tools.torment.harness import TormentMatch
from farfalia_tools.torment.stream import DidNotHold, TormentStream

_CAUSES = {
    play_pb2.RESULT_STATUS_ACCEPTED: record_pb2.CAUSE_BOT,
    play_pb2.RESULT_STATUS_TOO_LATE: record_pb2.CAUSE_TIMEOUT,
    play_pb2.RESULT_STATUS_ILLEGAL: record_pb2.CAUSE_ILLEGAL,
    play_pb2.RESULT_STATUS_FAILED: record_pb2.CAUSE_FAILURE,
}


def check_verdicts(streams: Sequence[TormentStream], played: TormentMatch) -> None:
    """Check that no question has two verdicts, and that the record has each of them, with the action that counted."""
    match = played.record.match
    verdicts: dict[int, set[play_pb2.ResultStatus]] = {}
    for result in (result for stream in streams for result in stream.results()):
        if result.match == match and result.status in _CAUSES:
            verdicts.setdefault(result.number, set()).add(result.status)
    for number, found in sorted(verdicts.items()):
        if len(found) > 1:
            names = " and ".join(sorted(map(play_pb2.ResultStatus.Name, found)))
            raise DidNotHold(f"question {number} of match {match} had the verdicts {names}")
        (verdict,), action = found, played.actions[number - 1]
        if action.cause != _CAUSES[verdict]:
            was = record_pb2.Cause.Name(action.cause)
            told = play_pb2.ResultStatus.Name(verdict)
            raise DidNotHold(f"of question {number} of match {match} the bot was told {told}, the record says {was}")
        given = [stream.given[match, number] for stream in streams if (match, number) in stream.given]
        if verdict == play_pb2.RESULT_STATUS_ACCEPTED and action.action not in given:
            raise DidNotHold(f"question {number} of match {match} was answered {given}, the record has {action.action}")
