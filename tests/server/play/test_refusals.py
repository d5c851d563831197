"""What a bot is told of an action that changes nothing."""

from __future__ import annotations

import pytest

from farfalia.v1 import play_pb2
from farfalia_engine import TimeControl
from farfalia_server.play.answers import refusal
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.questions import Seating

ASKED = 4
LATE = 2


@pytest.fixture
def seating() -> Seating:
    """A seat with a strike that has been asked four questions, one of which a house bot answered."""
    seating = Seating(7, 0, SeatClock(TimeControl(1000, 500, 2)), play_pb2.Seated(match=7))
    seating.answered, seating.asked = ASKED - 1, True
    seating.late.add(LATE)
    seating.clock.strikes = 1
    return seating


@pytest.mark.parametrize(
    ("number", "unsent", "status", "text"),
    [
        (0, False, play_pb2.RESULT_STATUS_NOT_ASKED, "question 0 of match 7 has not been asked; the last was 4"),
        (5, False, play_pb2.RESULT_STATUS_NOT_ASKED, "question 5 of match 7 has not been asked; the last was 4"),
        (4, True, play_pb2.RESULT_STATUS_NOT_ASKED, "question 4 of match 7 has not been sent on this stream yet"),
        (LATE, False, play_pb2.RESULT_STATUS_TOO_LATE, "the time for question 2 was over; a house bot answered it"),
        (3, False, play_pb2.RESULT_STATUS_DUPLICATE, "question 3 was answered before; the first answer stands"),
    ],
)
def test_a_bot_is_told_why_its_action_changes_nothing_and_how_its_clock_stands(
    seating: Seating, number: int, unsent: bool, status: play_pb2.ResultStatus, text: str
) -> None:
    told = refusal(play_pb2.Action(match=7, number=number), seating, unsent=unsent)
    assert told == play_pb2.Result(match=7, number=number, status=status, text=text, bank_ms=500, strikes=1)


def test_a_match_at_which_the_bot_does_not_sit_is_named() -> None:
    told = refusal(play_pb2.Action(match=9, number=1), None, unsent=False)
    assert told == play_pb2.Result(
        match=9, number=1, status=play_pb2.RESULT_STATUS_NOT_ASKED, text="you have no seat at match 9"
    )
