"""Who deals and who wins in the five-player games, and in the last deal of three-short."""

import pytest

from farfalia_engine import ruleset
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.scores import fewest


@pytest.mark.parametrize(
    ("totals", "dealer", "next_dealer"),
    [
        ((5, 5, 5, 5, 5), 0, 1),
        ((0, 9, 9, 9, 9), 0, 0),
        ((0, 9, 9, 0, 9), 0, 3),
        ((0, 0, 9, 0, 9), 3, 0),
        ((0, 9, 9), 2, 0),
        ((9, 9, 0), 2, 2),
    ],
)
def test_of_those_with_fewest_points_the_first_from_the_last_dealers_left_deals(
    totals: tuple[int, ...], dealer: int, next_dealer: int
) -> None:
    """F6: the last dealer comes last."""
    assert fewest(totals, dealer) == next_dealer


def test_the_last_dealer_of_three_short_is_the_one_with_fewest_points() -> None:
    """F6, from the third dealer, who is seat 2."""
    three_short = ruleset("three-short").game
    assert isinstance(three_short, Farfalia)
    layout = three_short.layout(4, (1, 1, 0, 0, 0, 1, 3, 3, 3))
    assert (list(layout.seats), list(layout.sides)) == ([0, 1, 2], [0, 1, 2])


@pytest.mark.parametrize(
    ("points", "winners"),
    [
        ((30, 30, 20, 5, 5), (0, 1)),
        ((30, 20, 20, 5, 5), (0, 1, 2)),
        ((5, 30, 10, 30, 30), (1, 3, 4)),
        ((5, 5, 5, 5, 5), (0, 1, 2, 3, 4)),
    ],
)
def test_the_two_best_totals_of_basic_win_counting_players(points: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """F7."""
    assert ruleset("basic").winners(points) == winners


@pytest.mark.parametrize(
    ("points", "forfeits", "places"),
    [
        ((30, 28, 20, 5, 7), (), (1, 1, 3, 5, 4)),
        ((30, 20, 20, 5, 5), (), (1, 1, 1, 4, 4)),
        ((5, 30, 10, 30, 30), (), (5, 1, 4, 1, 1)),
        ((5, 30, 10, 20, 40), (4,), (4, 1, 3, 1, 5)),
        ((5, 30, 10, 20, 40), (4, 1, 0, 2), (3, 4, 2, 1, 5)),
    ],
)
def test_the_winners_of_basic_are_level_in_first_place_the_others_follow_by_points(
    points: tuple[int, ...], forfeits: tuple[int, ...], places: tuple[int, ...]
) -> None:
    """F7; nobody who forfeited its seat wins."""
    assert ruleset("basic").places(points, forfeits) == places


def test_elsewhere_all_who_share_the_best_total_win() -> None:
    """F18."""
    assert ruleset("five-hand").winners((30, 30, 20, 5, 5)) == (0, 1)
    assert ruleset("five-hand").places((50, 50, 40, 1, 2)) == (1, 1, 3, 5, 4)
