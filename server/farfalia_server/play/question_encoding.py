"""What the engine says, as the contract's messages.

Questions are most of what a server writes, so they are not built as messages and copied into a batch: each is encoded
once, in pieces. Protobuf allows that: encoded messages joined together parse as one message with the fields of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from farfalia.v1 import cards_pb2, play_pb2
from farfalia_engine import Kind, Observation, TimeControl

#: Fields of a view that most games never fill.
_SELDOM = ("discarded", "dummies", "face_up", "covering", "wilds", "doubled", "choice", "types", "bars", "shown")
_VIEW = play_pb2.Question.VIEW_FIELD_NUMBER
_CLOCK = play_pb2.Question.CLOCK_FIELD_NUMBER
_QUESTIONS = play_pb2.PlayResponse.QUESTIONS_FIELD_NUMBER


class QuestionEncoder:
    """An encoder of the questions of one match; what all seats see throughout a deal is encoded once."""

    def __init__(self, match: int) -> None:
        self._match = match
        self._deal: tuple[Any, ...] = ()
        self._shared = b""

    def question(self, number: int, kind: Kind, seen: Observation, legal: Sequence[int]) -> bytes:
        """Return a `Question` without its clock, which is read when the message leaves."""
        head = play_pb2.Question(match=self._match, number=number, kind=kind.value, legal=legal)  # type: ignore[arg-type]
        return head.SerializeToString() + length_delimited(_VIEW, self.view(seen))

    def view(self, seen: Observation) -> bytes:
        """Return the `View` of a seat: all that the observation holds, nothing more."""
        deal = (seen.deal, seen.seats, seen.sides, seen.scores, seen.totals)
        if deal != self._deal:
            self._deal = deal
            self._shared = _shared(seen).SerializeToString()
        view = cards_pb2.View(
            seat=seen.seat,
            trumps=seen.trumps,  # type: ignore[arg-type]  # the engine's numbers are the contract's
            subjects=seen.subjects,
            hand=seen.hand,
            plays=seen.plays,
            leaders=seen.leaders,
            winners=seen.winners,
            collected=seen.collected,
            held=seen.held,
            acting=seen.acting,
            **{name: value for name in _SELDOM if (value := getattr(seen, name))},
        )
        return self._shared + view.SerializeToString()


def _shared(seen: Observation) -> cards_pb2.View:
    return cards_pb2.View(
        deal=seen.deal,
        deals=seen.deals,
        seats=seen.seats,
        sides=seen.sides,
        scores=seen.scores,
        totals=seen.totals,
        ruleset=seen.ruleset,
        options=seen.options,
    )


def encode_clock(
    control: TimeControl, bank_ms: int, strikes: int, round_trip_us: int, spent_ms: int, resent: bool
) -> bytes:
    """Return a seat's clock as a field of a `Question`."""
    clock = play_pb2.Clock(
        limit_ms=control.limit_ms,
        bank_ms=bank_ms,
        round_trip_us=round_trip_us,
        strikes=strikes,
        grace=control.grace,
        spent_ms=spent_ms,
        resent=resent,
    )
    return length_delimited(_CLOCK, clock.SerializeToString())


def encode_question(question: bytes, clock: bytes) -> bytes:
    """Return a question as a field of a `PlayResponse`; `clock` is the question's `Clock` as a field."""
    return length_delimited(_QUESTIONS, question + clock)


def length_delimited(number: int, data: bytes) -> bytes:
    """Return a length-delimited field: its number (15 at most) and type, its length, its bytes."""
    length = len(data)
    if length < 0x80:
        return b"%c%c%b" % (number << 3 | 2, length, data)
    head = bytearray((number << 3 | 2,))
    while length >= 0x80:
        head.append(length & 0x7F | 0x80)
        length >>= 7
    head.append(length)
    return bytes(head) + data
