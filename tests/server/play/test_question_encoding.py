"""Questions written in pieces, read back as the contract's messages."""

from dataclasses import replace
from random import Random

import pytest

from farfalia.v1 import cards_pb2, play_pb2
from farfalia_engine import GAMES, Deals, TimeControl, ruleset
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.question_encoding import QuestionEncoder, encode_question
from farfalia_server.play.questions import Seating

GAMES_AND_OPTIONS: list[tuple[str, dict[str, str]]] = [
    *((name, {}) for name in sorted(GAMES)),
    ("chinkway", {"double_you": "on"}),
]


@pytest.mark.parametrize(("name", "options"), GAMES_AND_OPTIONS)
def test_a_view_says_all_that_the_observation_holds(name: str, options: dict[str, str]) -> None:
    random = Random(7)
    state = ruleset(name, options).new_match(Deals(bytes(32)))
    encoder = QuestionEncoder(12345678901)
    number = 0
    while (pending := state.pending) is not None:
        seat = random.choice(pending.seats)
        legal = state.legal_actions(seat)
        number += 1
        if number % 3 == 1 or len(state.plays) == 0:
            observation = state.observation(seat)
            question = play_pb2.Question.FromString(encoder.question(number, pending.kind, observation, legal))
            assert (question.match, question.number, question.kind) == (12345678901, number, pending.kind.value)
            assert tuple(question.legal) == legal
            for field in question.view.DESCRIPTOR.fields:
                said, known = getattr(question.view, field.name), getattr(observation, field.name)
                assert (dict(said) if field.name == "options" else type(known)(said)) == known, field.name
        state.apply(random.choice(legal), seat)


def test_a_pack_of_any_size_can_be_shown() -> None:
    observation = ruleset("four").new_match(Deals(bytes(32))).observation(0)
    for size in (127, 128, 250):
        cards = bytes(range(size))
        for large in (replace(observation, hand=cards), replace(observation, plays=cards)):
            view = cards_pb2.View.FromString(QuestionEncoder(1).view(large))
            assert (view.hand, view.plays, view.held) == (large.hand, large.plays, large.held)


def test_a_clock_is_shown_as_it_is_at_that_moment() -> None:
    clock = SeatClock(TimeControl(limit_ms=1000, bank_ms=300, grace=2))
    seating = Seating(12, 0, clock, play_pb2.Seated(match=12))

    def shown(spent_ms: int = 0, *, resent: bool = False) -> play_pb2.Clock:
        message = play_pb2.PlayResponse.FromString(encode_question(b"", seating.encoded_clock(250, spent_ms, resent)))
        return message.questions[0].clock

    fresh = play_pb2.Clock(limit_ms=1000, bank_ms=300, round_trip_us=250, grace=2)
    assert shown() == shown() == fresh
    clock.charge(1100)
    clock.strikes += 1
    assert shown() == play_pb2.Clock(limit_ms=1000, bank_ms=200, round_trip_us=250, strikes=1, grace=2)
    assert shown(40, resent=True).spent_ms == 40
    assert not shown().resent
