"""Two against two."""

import pytest
from tests.engine.conftest import Walk

from farfalia_engine import ruleset


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
def test_with_a_target_a_side_that_has_it_must_lead_and_a_hundred_deals_are_the_end(
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
