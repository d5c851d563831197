"""The record of a match in play: the journal's entries are pieces of it.

Concatenated protobuf messages parse as one message with the fields of all. So each piece is encoded once and journalled
as it is, and the pieces together are the record's start, actions and incidents. A format string writes an action, in
half the time that a message takes.

A decision that a person takes back is a piece, too: it says at which action the match goes on, and nothing that is
journalled is ever taken out. `standing` returns what stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from farfalia.v1 import record_pb2
from farfalia_engine import Cause, Incident, RecordedAction
from farfalia_server.play.wire_format import VARINT, length_delimited, tag, varint

_CAUSES = {int(cause): cause for cause in Cause}
_ACTIONS = record_pb2.Record.ACTIONS_FIELD_NUMBER
#: An action: seat and cause are small, the other fields may not be.
_ACTION = b"".join(tag(record_pb2.RecordAction, name, VARINT) + b"%c" for name in ("seat", "cause")) + b"".join(
    tag(record_pb2.RecordAction, name, VARINT) + b"%b" for name in ("action", "at_ms", "took_ms")
)


class RecordPieces:
    """The pieces of one match, oldest first, and the open one."""

    __slots__ = ("_open", "closed")

    def __init__(self) -> None:
        self.closed: list[bytes] = []
        self._open: list[bytes] = []

    @property
    def changed(self) -> bool:
        """Whether the open piece has any event."""
        return bool(self._open)

    def start(self, started_ms: int) -> None:
        """Set when the match began, in milliseconds since 1970."""
        piece = record_pb2.Record()
        piece.started.FromMilliseconds(started_ms)
        self._open.append(piece.SerializeToString())

    def add(self, action: RecordedAction, incident: Incident | None) -> None:
        """Add an event."""
        seat, number, at_ms, took_ms, cause = action
        # The engine's numbers of causes are the contract's.
        encoded = _ACTION % (seat, cause, varint(number), varint(at_ms), varint(took_ms))
        self._open.append(length_delimited(_ACTIONS, encoded))
        if incident is not None:
            message = record_pb2.Incident(
                seat=incident.seat,
                action_index=incident.action_index,
                cause=incident.cause,  # type: ignore[arg-type]
                strikes=incident.strikes,
                taken_over=incident.taken_over,
                text=incident.text,
            )
            self._open.append(record_pb2.Record(incidents=[message]).SerializeToString())

    def note_hint(self, action: int) -> None:
        """Note that somebody decided this action, by its number, after a hint."""
        self._open.append(record_pb2.Record(hinted=[action]).SerializeToString())

    def take_back(self, action: int) -> None:
        """Take back this action and all after it: what is added next is decided in its place."""
        back = record_pb2.TakenBack(action_index=action, decisions=1)
        self._open.append(record_pb2.Record(taken_back=[back]).SerializeToString())

    def close(self) -> bytes:
        """Close the open piece and return it; a new one is opened."""
        piece, self._open = b"".join(self._open), []
        self.closed.append(piece)
        return piece

    def joined(self) -> record_pb2.Record:
        """Return a record with exactly the events so far."""
        if self._open:
            self.close()
        played = record_pb2.Record.FromString(b"".join(self.closed))
        return standing(map(record_pb2.Record.FromString, self.closed)) if played.taken_back else played


def standing(pieces: Iterable[record_pb2.Record]) -> record_pb2.Record:
    """Return what stands of the pieces of a match: without what was taken back, and with how much that was."""
    played = record_pb2.Record()
    again: dict[int, int] = {}
    for piece in pieces:
        played.MergeFrom(piece)
        for back in piece.taken_back:
            at = back.action_index
            _shorten(played, at)
            back_there = back.decisions + sum(number for index, number in again.items() if index >= at)
            again = {index: number for index, number in again.items() if index < at} | {at: back_there}
    del played.taken_back[:]
    played.taken_back.extend(record_pb2.TakenBack(action_index=at, decisions=again[at]) for at in again)
    # Whoever decides anew at the same place still knows the hint; a house bot that decides there does not.
    by_bot = [index for index, action in enumerate(played.actions) if action.cause == record_pb2.CAUSE_BOT]
    played.hinted[:] = sorted(set(played.hinted).intersection(by_bot))
    return played


def _shorten(played: record_pb2.Record, at: int) -> None:
    """Take back action `at` and all after it."""
    incidents = [one for one in played.incidents if one.action_index < at]
    del played.actions[at:], played.incidents[:]
    played.incidents.extend(incidents)
    played.hinted[:] = [index for index in played.hinted if index <= at]


def events(piece: record_pb2.Record, count: int) -> Iterator[tuple[RecordedAction, Incident | None]]:
    """Yield the events of a piece that follows `count` events; each action has at most one incident."""
    incidents = {one.action_index: one for one in piece.incidents}
    for index, action in enumerate(piece.actions, count):
        cause = _CAUSES[action.cause]
        event = RecordedAction(action.seat, action.action, action.at_ms, action.took_ms, cause)
        found = incidents.get(index)
        yield event, None if found is None else _incident(found)


def _incident(found: record_pb2.Incident) -> Incident:
    cause = _CAUSES[found.cause]
    return Incident(found.seat, found.action_index, cause, found.strikes, found.taken_over, found.text)
