"""Two against two."""

import pytest
from tests.engine.conftest import Walk
from tests.engine.tables import start

from farfalia_engine import NOTHING, Kind, Trumps, ruleset


def test_there_is_nothing_to_decide_before_the_first_lead() -> None:
    state = start("four")
    assert state.pending
    assert (state.pending.kind, state.pending.seats) == (Kind.PLAY, (1,))
    assert [len(state.observation(seat).hand) for seat in range(4)] == [13] * 4


def test_the_first_subject_makes_trumps_and_a_butterfly_none() -> None:
    seen = {state.subjects[0]: state.trumps for state in (start("four", key) for key in range(40))}
    assert seen == {0: Trumps.NONE, 1: 1, 2: 2, 3: 3, 4: 4}


def test_nothing_may_be_collected_from_the_first_three_tricks(walk: Walk) -> None:
    collected = [state.observation(0).collected for state in walk(1, "four")]
    assert {tricks[:3] for tricks in collected if len(tricks) >= 3} == {bytes((NOTHING,) * 3)}
    assert any(card < 52 for tricks in collected for card in tricks)


@pytest.mark.parametrize("hands", [4, 8, 12])
def test_as_many_deals_are_played_as_the_option_says(walk: Walk, hands: int) -> None:
    *_, last = walk(2, "four", {"hands": str(hands)})
    assert last.outcome
    assert len(last.outcome.deals) == last.observation(0).deals == hands


@pytest.mark.parametrize(
    ("deal", "totals", "over"),
    [
        (1, (25, 20, 25, 20), True),
        (2, (24, 25, 25, 24), False),
        (3, (25, 25, 25, 25), False),
        (4, (0, 30, 60, 30), False),
        (5, (0, 30, 61, 30), True),
        (6, (49, 0, 0, 0), False),
        (100, (0, 0, 0, 0), True),
        (100, (25, 20, 25, 20), True),
    ],
)
def test_with_a_target_the_match_ends_once_a_side_has_it_and_leads_or_after_a_hundred_deals(
    deal: int, totals: tuple[int, ...], over: bool
) -> None:
    """F8; a side's total is the sum of its players' (F13)."""
    assert ruleset("four", {"target": "50"}).game.over(deal, totals) is over


def test_after_a_hundred_level_deals_both_sides_win() -> None:
    """F8."""
    assert ruleset("four", {"target": "50"}).winners((10, 20, 20, 10)) == (0, 1, 2, 3)


def test_with_a_target_nobody_knows_how_many_deals_there_will_be(walk: Walk) -> None:
    assert {state.observation(1).deals for state in walk(3, "four", {"target": "60"})} == {0}


def test_a_side_is_placed_by_the_sum_of_its_two_players() -> None:
    """F13: under Double You partners may differ."""
    assert ruleset("four", {"double_you": "on"}).places((30, 20, 10, 25)) == (2, 1, 2, 1)
    assert ruleset("four").winners((30, 20, 10, 25)) == (1, 3)
