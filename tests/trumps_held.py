"""What everybody held of trumps in a match, from its record."""

from __future__ import annotations

from typing import cast

from farfalia.v1 import record_pb2
from farfalia_engine import Record, TrumpHoldings, replay


def trumps_held(record: record_pb2.Record) -> list[tuple[int | None, ...]]:
    """By deal and seat."""
    holdings = TrumpHoldings()
    for state in replay(cast("Record", record)):  # the fields that it reads have the same names
        holdings.look(state)
    return holdings.by_deal
