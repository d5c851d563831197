import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia_engine import places


@pytest.mark.parametrize(
    ("points", "forfeits", "expected"),
    [
        ((50, 50, 40), (), (1, 1, 3)),
        ((10, 30, 20, 30, 30), (), (5, 1, 4, 1, 1)),
        ((0, 0, 0, 0, 0), (), (1, 1, 1, 1, 1)),
        ((99, 30, 20, 30, 10), (0,), (5, 1, 3, 1, 4)),
        ((99, 98, 20, 30, 10), (1, 0), (4, 5, 2, 1, 3)),
        ((1, 2, 3), (2, 1, 0), (1, 2, 3)),
    ],
)
def test_places_count_the_seats_that_are_better(
    points: tuple[int, ...], forfeits: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """F18; forfeited seats come behind all others, who went first comes last."""
    assert places(points, forfeits) == expected


@pytest.mark.parametrize(
    ("points", "forfeits", "expected"),
    [
        ((20, 10, 10, 25), (), (2, 1, 2, 1)),
        ((20, 10, 10, 20), (), (1, 1, 1, 1)),
        ((20, 10, 10, 10), (0,), (3, 2, 1, 2)),
        ((20, 10, 10, 10), (0, 2), (3, 1, 2, 1)),
    ],
)
def test_teams_are_placed_by_the_sum_of_their_points(
    points: tuple[int, ...], forfeits: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """F13, F18; a forfeited seat is last, its partner stands where their points put it."""
    assert places(points, forfeits, ((0, 2), (1, 3))) == expected


@given(st.lists(st.integers(0, 60), min_size=5, max_size=5), st.permutations(range(5)), st.integers(0, 5))
def test_forfeits_change_nothing_among_those_who_stayed(points: list[int], order: list[int], gone: int) -> None:
    forfeits = order[:gone]
    stayed = [seat for seat in range(5) if seat not in forfeits]
    found = places(points, forfeits)
    assert [found[seat] for seat in stayed] == list(places([points[seat] for seat in stayed]))
    assert [found[seat] for seat in forfeits] == list(range(5, 5 - gone, -1))
