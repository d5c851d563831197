"""The record of a match while it is played: the journal's entries are pieces of it.

Protobuf joins what is joined: encoded messages one after the other parse as one message with the fields of all. So a
piece is encoded once, journalled as it is, and the pieces together are the record's start, actions and incidents.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from farfalia.v1 import record_pb2
from farfalia_engine import Cause, Incident, RecordedAction

_CAUSES = {int(cause): cause for cause in Cause}


class RecordPieces:
    """The pieces of one match, oldest first, and the one that is open."""

    __slots__ = ("_changed", "_open", "closed")

    def __init__(self) -> None:
        self.closed: list[bytes] = []
        self._open = record_pb2.Record()
        self._changed = False

    @property
    def changed(self) -> bool:
        """Whether anything has happened that is in no closed piece."""
        return self._changed

    def start(self, moment: datetime) -> None:
        """Note when the match began, to the millisecond."""
        self._open.started.FromMilliseconds(int(moment.timestamp() * 1000))
        self._changed = True

    def add(self, action: RecordedAction, incident: Incident | None) -> None:
        """Note an event."""
        seat, number, at_ms, took_ms, cause = action
        # The engine's numbers of causes are the contract's.
        self._open.actions.add(seat=seat, action=number, at_ms=at_ms, took_ms=took_ms, cause=cause)
        if incident is not None:
            self._open.incidents.add(
                seat=incident.seat,
                action_index=incident.action_index,
                cause=incident.cause,
                strikes=incident.strikes,
                taken_over=incident.taken_over,
                text=incident.text,
            )
        self._changed = True

    def close(self) -> bytes:
        """Close the open piece and return it; another one is open then."""
        piece = self._open.SerializeToString()
        self.closed.append(piece)
        self._open = record_pb2.Record()
        self._changed = False
        return piece

    def joined(self) -> record_pb2.Record:
        """Return a record with everything up to now, and nothing else."""
        if self._changed:
            self.close()
        return record_pb2.Record.FromString(b"".join(self.closed))


def events(piece: record_pb2.Record, count: int) -> Iterator[tuple[RecordedAction, Incident | None]]:
    """Yield the events of a piece that `count` events are before; each action has one incident at most."""
    incidents = {one.action_index: one for one in piece.incidents}
    for index, action in enumerate(piece.actions, count):
        cause = _CAUSES[action.cause]
        event = RecordedAction(action.seat, action.action, action.at_ms, action.took_ms, cause)
        found = incidents.get(index)
        yield event, None if found is None else _incident(found)


def _incident(found: record_pb2.Incident) -> Incident:
    cause = _CAUSES[found.cause]
    return Incident(found.seat, found.action_index, cause, found.strikes, found.taken_over, found.text)
