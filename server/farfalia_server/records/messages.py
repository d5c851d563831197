"""What records and the arena's messages hold alike, as messages."""

from __future__ import annotations

from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.v1 import record_pb2
from farfalia_server.store import Beacon


def timestamp(moment: datetime | None) -> Timestamp | None:
    """Return a moment, or nothing if there was none."""
    if moment is None:
        return None
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp


def beacon_message(beacon: Beacon) -> record_pb2.Beacon:
    """Return a beacon; without value and time as long as it has none."""
    return record_pb2.Beacon(
        source=beacon.source,
        round=beacon.round,
        value=beacon.value,
        announced=timestamp(beacon.announced),
        given=None if beacon.given is None else timestamp(beacon.given),
    )
