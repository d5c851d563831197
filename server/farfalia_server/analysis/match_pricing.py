"""What a worker process does about one match; it starts quickly: NumPy comes with the first match."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Final

from farfalia.analysis import prices
from farfalia.errors import FarfaliaError
from farfalia.v1 import analysis_pb2, record_pb2
from farfalia_engine import EngineError
from farfalia_server.contract.conduct import REPLACED
from farfalia_server.contract.errors import RecordError
from farfalia_server.records.codec import from_message

#: Niceness of what analyses: whatever else this machine does goes first.
_NICEST: Final = 19


@dataclass(frozen=True, slots=True)
class PricedMatch:
    """What the analysis of a match has found, as a serialized `Analysis`, and the seconds of CPU that it took.

    `problem` says why nothing was found; it is empty otherwise.
    """

    analysis: bytes
    cpu: float
    problem: str = ""


def can_analyse() -> bool:
    """Return whether what analyses is installed: NumPy."""
    return find_spec("numpy") is not None


def give_way() -> None:
    """Let this thread, and those that NumPy starts from it, wait for everything else; NumPy gets one core."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, 0, _NICEST)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"


def price_match(record: bytes) -> PricedMatch:
    """Price all decisions of a serialized record; the same record always has the same prices."""
    began = time.process_time()
    try:
        found = _priced(record_pb2.Record.FromString(record))
    except (FarfaliaError, EngineError, RecordError) as error:
        return PricedMatch(b"", time.process_time() - began, str(error))
    return PricedMatch(found.SerializeToString(), time.process_time() - began)


def _priced(record: record_pb2.Record) -> analysis_pb2.Analysis:
    from farfalia.analysis.pricing import price_decisions

    found = analysis_pb2.Analysis(match=record.match)
    for one in price_decisions(from_message(record), worlds=prices.WORLDS):
        replaced = record.actions[one.number].cause in REPLACED and not record.seats[one.seat].house
        found.decisions.add(
            match=record.match,
            number=one.number,
            deal=one.deal,
            trick=one.trick or 0,
            seat=one.seat,
            aspect=one.aspect,
            action=one.action,
            best=one.best,
            price=one.price,
            error=one.error,
            open_price=one.open_price,
            mistake=one.mistake,
            replaced=replaced,
            values=[analysis_pb2.ActionValue(**asdict(value)) for value in one.values],
            places=None if one.places is None else analysis_pb2.PlacePrice(**asdict(one.places)),
        )
    return found
