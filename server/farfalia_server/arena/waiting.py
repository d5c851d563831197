"""Why a bot has no table on a ladder, as the contract's message."""

from __future__ import annotations

from farfalia.v1 import ladders_pb2
from farfalia_server.organising.matchmaker import sentence
from farfalia_tournaments import Reason, WaitStatus

REASONS = {
    Reason.AT_CAPACITY: ladders_pb2.LADDER_WAIT_REASON_AT_CAPACITY,
    Reason.TOO_FEW: ladders_pb2.LADDER_WAIT_REASON_TOO_FEW,
    Reason.ONLY_SIBLINGS: ladders_pb2.LADDER_WAIT_REASON_ONLY_SIBLINGS,
    Reason.IN_LINE: ladders_pb2.LADDER_WAIT_REASON_IN_LINE,
}


def wait_message(ladder: str, why: WaitStatus) -> ladders_pb2.LadderWait:
    """Return the message of a bot that waits on a ladder."""
    return ladders_pb2.LadderWait(
        ladder=ladder,
        reason=REASONS[why.reason],
        text=sentence(why),
        place=why.place or 0,
        seconds=0 if why.seconds is None else max(1, round(why.seconds)),
    )
