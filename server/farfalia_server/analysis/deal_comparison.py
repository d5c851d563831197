"""What a worker process does about one deal: the choices of a seat beside what the bot cautious would do there."""

from __future__ import annotations

import time

from farfalia.analysis.prices import ComparedDecision
from farfalia.errors import FarfaliaError
from farfalia.v1 import record_pb2
from farfalia_engine import EngineError
from farfalia_server.contract.conduct import REPLACED
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.contract.said import in_english
from farfalia_server.records.codec import from_message


def compare_in_time(record: bytes, seat: int, deal: int, seconds: float) -> list[ComparedDecision] | None:
    """Return the seat's choices in a deal of a serialized record; None if that takes longer than these seconds.

    What a house bot decided in its place is left out. FailedPrecondition if the game's decisions are not priced.
    """
    from farfalia.analysis.comparison import compare_deal

    until = time.monotonic() + seconds
    message = record_pb2.Record.FromString(record)
    found = []
    try:
        for one in compare_deal(from_message(message), seat, deal):
            if time.monotonic() > until:
                return None
            if message.actions[one.number].cause not in REPLACED:
                found.append(one)
    except (FarfaliaError, EngineError) as error:
        raise FailedPrecondition(in_english(str(error))) from None
    return found
