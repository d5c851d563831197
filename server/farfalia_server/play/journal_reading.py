"""What the journal of a match tells the table that plays on: the events that stand, and how far the clock has come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from farfalia.v1 import record_pb2
from farfalia_engine import Incident, RecordedAction
from farfalia_server.play.journal import JournalCorrupt
from farfalia_server.play.record_pieces import events, standing


@dataclass(frozen=True, slots=True)
class ReadJournal:
    """A journal that was read: times in milliseconds, `started_ms` since 1970, `last_ms` since the match began.

    `taken_back` says before which events decisions were taken back, and how many.
    """

    started_ms: int
    last_ms: int
    events: Sequence[tuple[RecordedAction, Incident | None]]
    taken_back: Mapping[int, int]


def read_journal(entries: Sequence[bytes]) -> ReadJournal:
    """Read the entries of a journal, of which there is at least one; JournalCorrupt if that fails."""
    pieces: list[record_pb2.Record] = []
    for number, entry in enumerate(entries, 1):
        try:
            pieces.append(record_pb2.Record.FromString(entry))
        except DecodeError as error:
            raise JournalCorrupt(f"entry {number} of the journal cannot be read: {error}") from error
    if not pieces[0].HasField("started"):
        raise JournalCorrupt("the beginning of the journal is missing")
    played = standing(pieces)
    try:
        happened = list(events(played, 0))
    except KeyError as error:
        raise JournalCorrupt(f"the journal has an action with cause {error}, which does not exist") from error
    return ReadJournal(
        pieces[0].started.ToMilliseconds(),
        # What was taken back took its time, too.
        max((action.at_ms for piece in pieces for action in piece.actions), default=0),
        happened,
        {one.action_index: one.decisions for one in played.taken_back},
    )
