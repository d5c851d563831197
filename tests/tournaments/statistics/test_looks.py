"""Intervals that hold at every look, however often one looks and whenever one stops."""

import math
import random
from statistics import NormalDist

import pytest

from farfalia_tournaments.statistics.looks import widening


@pytest.mark.parametrize("sequences", [200, pytest.param(4000, marks=pytest.mark.prove)])
@pytest.mark.parametrize("planned", [20, 200])
def test_an_interval_that_lasts_holds_at_every_look_and_one_for_a_fixed_end_does_not(
    planned: int, sequences: int
) -> None:
    rng = random.Random(41)
    wrong = {False: 0, True: 0}
    for _ in range(sequences):
        total = 0.0
        missed = {False: False, True: False}
        for played in range(1, planned + 1):
            total += rng.gauss(0, 1)
            half = NormalDist().inv_cdf(0.975) / math.sqrt(played)
            for wider, factor in ((False, 1.0), (True, widening(played, planned))):
                missed[wider] |= abs(total / played) > half * factor
        for wider in wrong:
            wrong[wider] += missed[wider]
    assert wrong[True] <= 0.05 * sequences
    assert wrong[False] > 0.2 * sequences


def test_it_is_widest_in_the_beginning_and_the_scale_does_not_matter() -> None:
    widths = [widening(played, 100) for played in (1, 10, 50, 100)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == pytest.approx(1.55, abs=0.02)
    assert widening(5, 10) == widening(50, 100)
    assert widening(9, 0) == widening(9, 9)
