"""Chinkway rule by rule; `test_games` has the second opinion."""

import pytest
from tests.engine.conftest import Walk

from farfalia_engine import Deals, IllegalAction, State, ruleset
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.games.chinkway import standing

RULES = ruleset("chinkway")
assert isinstance(RULES.game, Farfalia)


def scores(*deals: str) -> list[int]:
    """Points of ten deals, the last ones as given, by seat, one digit each."""
    return [0] * 5 * (10 - len(deals)) + [int(digit) for deal in deals for digit in deal]


@pytest.mark.parametrize(
    ("points", "order"),
    [
        (scores("31204"), [4, 0, 2, 1, 3]),
        (scores("12345", "54321"), [0, 1, 2, 3, 4]),
        (scores("54321", "12345"), [4, 3, 2, 1, 0]),
        (scores("30000", "03000", "00300", "00000"), [2, 1, 0, 3, 4]),
        (scores("10000", "01000", "11111", "00311"), [2, 3, 4, 1, 0]),
        (scores(), [0, 1, 2, 3, 4]),
        (scores("66666"), [0, 1, 2, 3, 4]),
        ([9, 0, 0, 0, 0] + [0] * 40 + [0, 9, 9, 0, 0], [1, 2, 0, 3, 4]),
        ([0, 0, 0, 3, 1] + [0] * 40 + [0, 0, 0, 0, 2], [4, 3, 0, 1, 2]),
    ],
)
def test_ties_before_deal_eleven_go_to_the_last_deal_then_back_then_the_lower_seat(
    points: list[int], order: list[int]
) -> None:
    """F5."""
    assert standing(points) == order


def test_only_the_seat_that_is_asked_may_act() -> None:
    state = RULES.new_match(Deals(bytes(32)))
    for seat in (1, 2, 3, 4, 5, -1):
        assert state.legal_actions(seat) == ()
        with pytest.raises(IllegalAction, match="is illegal: seat 0 is to act"):
            state.apply(state.legal_actions()[0], seat)
    state.apply(state.legal_actions(0)[0], 0)


def test_a_refusal_says_what_may_be_done() -> None:
    state = RULES.new_match(Deals(bytes(32)))
    state.apply(state.legal_actions()[0])
    with pytest.raises(IllegalAction, match=r"S10 is illegal: seat 0 may choose among trump=S .* trump=NT"):
        state.apply(RULES.parse("S10"))


def test_nothing_can_be_done_once_the_match_is_over(walk: Walk) -> None:
    state: State
    *_, state = walk(1)
    assert state.pending is None
    assert state.legal_actions() == ()
    assert state.outcome
    with pytest.raises(IllegalAction, match="the match is over"):
        state.apply(0)


def test_there_is_no_outcome_before_the_end(walk: Walk) -> None:
    *states, _last = (state.outcome for state in walk(2))
    assert set(states) == {None}
