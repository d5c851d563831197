"""Who of a match is there: whether it may begin without somebody, and whether what was played counts."""

from __future__ import annotations

import math

import pytest

from farfalia_server.play.attendance import Attendance, Players, is_result

PLAYS, FILLS, LOST, ABSENT = Attendance.PLAYS, Attendance.FILLS, Attendance.LOST, Attendance.ABSENT


@pytest.mark.parametrize(
    ("seats", "counts"),
    [
        ((ABSENT, ABSENT, ABSENT, ABSENT), False),
        ((PLAYS, ABSENT), False),
        ((PLAYS, ABSENT, ABSENT), False),
        ((PLAYS, PLAYS, ABSENT), True),
        ((PLAYS, LOST, ABSENT), True),
        ((PLAYS, LOST), True),
        ((LOST, LOST), True),
        ((LOST, ABSENT), False),
        ((PLAYS, FILLS, FILLS), True),
        ((ABSENT, FILLS, FILLS), False),
        ((FILLS, FILLS), True),
    ],
)
def test_a_match_counts_if_one_plays_and_another_sits_or_has_lost(seats: tuple[Attendance, ...], counts: bool) -> None:
    assert is_result(seats) is counts


def test_enough_are_there_once_the_second_has_come() -> None:
    players = Players((1, 2, 3))
    assert players.enough_since({1: 5.0}) == math.inf
    assert players.enough_since({1: 5.0, 2: 9.0}) == 9.0


def test_a_match_does_not_wait_for_a_bot_that_has_withdrawn() -> None:
    assert Players((1, 2), lost=frozenset({2})).enough_since({1: 5.0}) == 5.0
    assert Players((1, 2), (PLAYS,)).enough_since({1: 5.0}) == 5.0
