"""Why nothing can be taken back at a person's seat, in one sentence each."""

from __future__ import annotations

from typing import cast

import pytest

from farfalia.v1 import matches_pb2, play_pb2
from farfalia.view import View, from_message
from farfalia_engine import Deals, Kind, ruleset
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.play.question_encoding import QuestionEncoder
from farfalia_server.web.person_seat import FINISHED, LOST, PersonSeat, SeatAt
from farfalia_server.web.seat_taking_back import take_back

ALONE = matches_pb2.Match(
    id=7, ruleset="two", entrants=["guest-Ada", "house-greedy-1"], persons=[0], state=matches_pb2.MATCH_STATE_RUNNING
)


class Seat:
    """A seat that notes what is taken back."""

    def __init__(self, at: SeatAt) -> None:
        self.matches = {7: at}
        self.taken: list[int] = []

    def take_back(self, match: int, number: int) -> bool:
        self.taken.append(number)
        return True


def question() -> View:
    state = ruleset("two").new_match(Deals(bytes(32)))
    assert state.pending is not None
    observation = state.observation(state.pending.seats[0])
    encoded = QuestionEncoder(7).question(3, Kind.PLAY, observation, observation.legal)
    return from_message(play_pb2.Question.FromString(encoded))


def at(*, over: str = "", takes_back: bool = True) -> SeatAt:
    return SeatAt(play_pb2.Seated(match=7), question(), over=over, takes_back=takes_back)


def changed(**fields: object) -> matches_pb2.Match:
    match = matches_pb2.Match(**fields)  # type: ignore[arg-type]
    whole = matches_pb2.Match()
    whole.CopyFrom(ALONE)
    whole.MergeFrom(match)
    return whole


@pytest.mark.parametrize(
    ("match", "seat", "why"),
    [
        (ALONE, at(over=LOST), "a house bot plays your seat to its end"),
        (ALONE, at(over=FINISHED), "match 7 is over"),
        (changed(state=matches_pb2.MATCH_STATE_FINISHED), at(), "match 7 is over"),
        (changed(tournament=3), at(), "where one person plays with house bots alone"),
        (changed(persons=[1]), at(), "where one person plays with house bots alone"),
        (ALONE, at(takes_back=False), "you have decided nothing yet"),
    ],
)
def test_a_refusal_says_why(match: matches_pb2.Match, seat: SeatAt, why: str) -> None:
    person = Seat(seat)
    with pytest.raises(FailedPrecondition, match=why):
        take_back(match, cast(PersonSeat, person), 3)
    assert person.taken == []


def test_a_form_that_is_sent_again_at_a_later_question_does_nothing() -> None:
    person = Seat(at())
    take_back(ALONE, cast(PersonSeat, person), 2)
    assert person.taken == []
    take_back(ALONE, cast(PersonSeat, person), 3)
    assert person.taken == [3]
