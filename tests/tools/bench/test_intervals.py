"""Medians, shares and their intervals, on given numbers."""

from random import Random
from statistics import median

import pytest

from farfalia_tools.bench.intervals import estimate, share, spread


def test_the_interval_of_a_median_lies_between_two_of_the_values() -> None:
    found = estimate([10, 1, 2, 9, 3, 8, 4, 7, 5, 6])
    assert (found.value, found.low, found.high) == (5.5, 2, 9)
    assert found.level == pytest.approx(1 - 2 * (1 + 10) / 1024)


def test_a_higher_level_has_a_wider_interval() -> None:
    values = list(range(25))
    widths = [found.high - found.low for found in (estimate(values, level) for level in (0.5, 0.95, 0.999))]
    assert widths == sorted(set(widths))


def test_few_values_have_the_widest_interval_and_say_what_it_is_worth() -> None:
    found = estimate([3, 1, 2, 4])
    assert (found.low, found.high, found.level) == (1, 4, 1 - 2 / 16)
    assert (estimate([7]).low, estimate([7]).high, estimate([7]).level) == (7, 7, 0)


@pytest.mark.parametrize("number", [6, 12, 20, 101])
def test_the_level_is_kept_and_the_next_narrower_interval_would_not_keep_it(number: int) -> None:
    assert estimate(range(number)).level >= 0.95
    random, held = Random(number), 0
    for _ in range(1000):
        found = estimate([random.expovariate(1) for _ in range(number)])
        held += found.low <= 0.6931 <= found.high
    assert abs(held / 1000 - found.level) < 0.03


def test_the_spread_is_the_quartiles() -> None:
    found = spread([5, 1, 4, 2, 3])
    assert (found.lower, found.median, found.upper) == (2, 3, 4)
    assert spread([1, 2]).median == median([1, 2])
    assert found.text(1) == "3.0 (2.0 … 4.0)"


def test_the_interval_of_a_share_is_wilsons_and_stays_between_0_and_1() -> None:
    found = share(13, 360)
    assert (found.low, found.high) == pytest.approx((0.0212, 0.0608), abs=1e-4)
    assert found.text() == "13 of 360 (2.1% … 6.1%)"
    assert (share(0, 20).low, share(20, 20).high) == (0, 1)
    assert share(0, 20).high == pytest.approx(1 - share(20, 20).low) == pytest.approx(0.1611, abs=1e-4)
