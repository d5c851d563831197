"""Shares of statements that were right, and how far they may be off."""

from math import sqrt

import pytest

from farfalia_tools.bench.calibration.benchmark import ALL, BinRow, CalibrationReport, PromiseRow, table
from farfalia_tools.bench.calibration.picture import picture
from farfalia_tools.bench.calibration.shares import Share, share_of


def test_the_error_of_a_share_follows_from_how_far_tournaments_differ() -> None:
    found = share_of([(3, 4), (1, 2), (4, 4), (0, 0), (1, 4), (2, 2)])
    assert (found.share, found.of) == (11 / 16, 16)
    gaps = [right - 11 / 16 * count for right, count in [(3, 4), (1, 2), (4, 4), (1, 4), (2, 2)]]
    assert found.error == pytest.approx(sqrt(sum(gap**2 for gap in gaps) * 5 / 4) / 16)


@pytest.mark.parametrize("number", [1, 5, 40])
@pytest.mark.parametrize("right", [0, 3])
def test_tournaments_that_are_all_right_or_all_wrong_leave_room_for_another(number: int, right: int) -> None:
    found = share_of([(right, 3)] * number)
    assert (found.share, found.of) == (right / 3, 3 * number)
    assert found.error == pytest.approx(1 / (number + 1))


@pytest.mark.parametrize("counted", [[(1, 3)], [(1, 3)] * 8, [(2, 4), (4, 8), (1, 2)]])
def test_no_error_is_nothing_where_tournaments_do_not_differ(counted: list[tuple[int, int]]) -> None:
    # Of n statements that hold with probability p, the share is off by √(p(1 - p) / n).
    found = share_of(counted)
    assert found.error > 0.8 * sqrt(found.share * (1 - found.share) / len(counted))


def test_few_tournaments_that_are_alike_by_chance_do_not_make_the_error_small() -> None:
    assert share_of([(50, 100), (51, 100)]).error > 0.25


def test_the_table_has_no_error_of_zero_and_no_negative_zero() -> None:
    certain = share_of([(2, 2)] * 20)
    bins = (BinRow(ALL, 0.99, 0.998, certain), BinRow(ALL, 0.95, 0.9999999 * 0.9, Share(0.9 * 0.9999998, 9, 0.1)))
    row = PromiseRow(ALL, 20, certain, certain, certain, share_of([(0, 1)] * 20))
    text = table(CalibrationReport(bins, (row,), (row,), ("a note",)))
    assert "±0.0" not in text
    assert "-0.0" not in text
    assert "100.0 ±4.8" in text
    assert "0.0 ±4.8" in text


def test_the_picture_goes_as_far_down_as_its_intervals() -> None:
    def bins(error: float) -> CalibrationReport:
        return CalibrationReport((BinRow(ALL, 0.5, 0.55, Share(0.5, 9, error)),), (), (), ())

    assert "40 %" in picture(bins(0.05))
    assert "20 %" not in picture(bins(0.05))
    assert "20 %" in picture(bins(0.2))
