"""Events as pieces of a record: what the journal holds is what the record says."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from farfalia.v1 import record_pb2
from farfalia_engine import Cause, Incident, RecordedAction
from farfalia_server.play.record_pieces import RecordPieces, events

_SMALL = st.integers(0, 2**32 - 1)
_ACTIONS = st.builds(RecordedAction, st.integers(0, 4), _SMALL, _SMALL, _SMALL, st.sampled_from(Cause))
#: Events with their faults, and after which of them a piece is closed.
_COURSES = st.lists(st.tuples(_ACTIONS, st.none() | st.text(max_size=20), st.booleans()), max_size=30)
_MOMENT = datetime(2026, 5, 17, 12, 30, 1, 987000, tzinfo=UTC)
_STARTED_MS = int(_MOMENT.timestamp() * 1000)


@given(_COURSES)
def test_pieces_give_their_events_again_and_together_are_the_record(
    course: list[tuple[RecordedAction, str | None, bool]],
) -> None:
    pieces = RecordPieces()
    pieces.start(_STARTED_MS)
    happened: list[tuple[RecordedAction, Incident | None]] = []
    for action, fault, closes in course:
        index = len(happened)
        incident = None if fault is None else Incident(action.seat, index, action.cause, index, closes, fault)
        pieces.add(action, incident)
        happened.append((action, incident))
        if closes:
            pieces.close()
    whole = pieces.joined()
    again: list[tuple[RecordedAction, Incident | None]] = []
    for piece in pieces.closed:
        again += events(record_pb2.Record.FromString(piece), len(again))
    assert again == happened
    assert list(events(whole, 0)) == happened
    assert whole.started.ToDatetime(UTC) == _MOMENT


def test_nothing_is_closed_twice() -> None:
    pieces = RecordPieces()
    pieces.start(_STARTED_MS)
    first = pieces.joined()
    assert not pieces.changed
    assert pieces.joined() == first
    assert len(pieces.closed) == 1
