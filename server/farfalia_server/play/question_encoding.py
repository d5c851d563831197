"""Encodes the engine's observations as the contract's messages.

Questions are most of what a server writes, so they are not built as messages and copied into a batch: each is encoded
once, in pieces. One format string writes the fields that every view has: a question takes a third of the time that it
took as messages, which saved a tenth of the server's work per decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from farfalia.v1 import cards_pb2, play_pb2
from farfalia_engine import Kind, Observation, TimeControl
from farfalia_server.play.wire_format import LENGTH_DELIMITED, TWO_BYTES, VARINT, length_delimited, packed, tag, varint

_VIEW = play_pb2.Question.VIEW_FIELD_NUMBER
_LEGAL = play_pb2.Question.LEGAL_FIELD_NUMBER
_CLOCK = play_pb2.Question.CLOCK_FIELD_NUMBER
_QUESTIONS = play_pb2.PlayResponse.QUESTIONS_FIELD_NUMBER

_TAKES_BACK = play_pb2.Question(takes_back=True).SerializeToString()

#: The match as a field, kind, number.
_HEAD = b"%b" + tag(play_pb2.Question, "kind", VARINT) + b"%c" + tag(play_pb2.Question, "number", VARINT) + b"%b"
#: Fields of a view that most games leave empty.
_SELDOM = ("dummies", "face_up", "covering", "wilds", "doubled", "choice", "types", "bars", "shown")
#: The others that change within a deal: small numbers, and bytes, each after its length.
_NUMBERS = ("seat", "trumps", "acting")
_BYTES = ("subjects", "hand", "discarded", "plays", "leaders", "winners", "collected", "held")
_seldom, _bytes = attrgetter(*_SELDOM), attrgetter(*_BYTES)
_USUAL = b"".join(tag(cards_pb2.View, name, VARINT) + b"%c" for name in _NUMBERS) + b"".join(
    tag(cards_pb2.View, name, LENGTH_DELIMITED) + b"%c%b" for name in _BYTES
)


class QuestionEncoder:
    """Encodes the questions of one match; what all seats see throughout a deal is encoded once."""

    def __init__(self, match: int) -> None:
        self._match = play_pb2.Question(match=match).SerializeToString()
        self._deal: tuple[Any, ...] = ()
        self._shared = b""

    def question(
        self, number: int, kind: Kind, observation: Observation, legal: Sequence[int], *, takes_back: bool = False
    ) -> bytes:
        """Return a `Question` without its clock, which is added when the message leaves."""
        head = _HEAD % (self._match, kind, varint(number))
        question = head + packed(_LEGAL, legal) + length_delimited(_VIEW, self.view(observation))
        return question + _TAKES_BACK if takes_back else question

    def view(self, observation: Observation) -> bytes:
        """Return the `View` of a seat: exactly the contents of its observation."""
        deal = (observation.deal, observation.seats, observation.sides, observation.scores, observation.totals)
        if deal != self._deal:
            self._deal = deal
            self._shared = _shared(observation).SerializeToString()
        view = self._shared + _usual(observation)
        if any(_seldom(observation)):
            view += _message(observation, _SELDOM)
        return view


def _usual(observation: Observation) -> bytes:
    subjects, hand, discarded, plays, leaders, winners, collected, held = _bytes(observation)
    if len(plays) >= TWO_BYTES or len(hand) >= TWO_BYTES:  # a larger pack than today's games have
        return _message(observation, _NUMBERS + _BYTES)
    return _USUAL % (
        observation.seat, observation.trumps, observation.acting,
        len(subjects), subjects, len(hand), hand, len(discarded), discarded, len(plays), plays,
        len(leaders), leaders, len(winners), winners, len(collected), collected, len(held), held,
    )  # fmt: skip


def _message(observation: Observation, fields: Sequence[str]) -> bytes:
    return cards_pb2.View(**{name: getattr(observation, name) for name in fields}).SerializeToString()


def _shared(observation: Observation) -> cards_pb2.View:
    return cards_pb2.View(
        deal=observation.deal,
        deals=observation.deals,
        seats=observation.seats,
        sides=observation.sides,
        scores=observation.scores,
        totals=observation.totals,
        ruleset=observation.ruleset,
        options=observation.options,
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
