"""What styles explain of how two do against each other."""

import random
from itertools import combinations
from statistics import pstdev

import pytest

from farfalia_tournaments.statistics.styles import PairDifference, explained_by_styles


def meetings(rng: random.Random, styles: list[int], size: float, luck: float = 1.0) -> list[PairDifference[int]]:
    """All pairs of a field in which each style beats the next one by `size`."""
    return [
        PairDifference(one, other, size * _beats(styles[one] - styles[other]) + rng.gauss(0, luck), luck**2)
        for one, other in combinations(range(len(styles)), 2)
    ]


def _beats(steps: int) -> int:
    return {0: 0, 1: 1, 2: -1}[steps % 3]


@pytest.mark.parametrize("seed", range(5))
def test_luck_alone_is_no_style(seed: int) -> None:
    rng = random.Random(seed)
    assert not any(explained_by_styles(meetings(rng, [0] * 20, 0.0)))


@pytest.mark.parametrize("styles", [[0, 1, 2] * 7, [0] * 12 + [1] * 6 + [2] * 3], ids=["as many each", "uneven"])
def test_what_styles_that_beat_each_other_in_a_circle_gain_is_explained(styles: list[int]) -> None:
    met = meetings(random.Random(1), styles, 4.0)
    left = [meeting.difference - part for meeting, part in zip(met, explained_by_styles(met), strict=True)]
    assert pstdev(meeting.difference for meeting in met) > 2.2
    assert pstdev(left) < 1.1


def test_a_single_pair_is_no_style_neither_in_a_level_field_nor_among_styles() -> None:
    for size in (0.0, 3.0):
        met = meetings(random.Random(2), [0, 1, 2] * 7, size)
        plain = explained_by_styles(met)
        first = met[0]
        spiked = explained_by_styles([first._replace(difference=first.difference + 8), *met[1:]])
        assert abs(spiked[0] - plain[0]) < 1
        assert bool(any(spiked)) == bool(size)


def test_the_order_of_a_pair_only_turns_the_sign() -> None:
    met = meetings(random.Random(3), [0, 1, 2] * 4, 5.0)
    turned = [PairDifference(other, one, -difference, variance) for one, other, difference, variance in met]
    assert explained_by_styles(turned) == pytest.approx([-part for part in explained_by_styles(met)], abs=0.01)


def test_few_entrants_say_nothing_about_styles() -> None:
    assert explained_by_styles(meetings(random.Random(4), [0, 1, 2, 0, 1], 9.0)) == [0.0] * 10
    assert explained_by_styles([]) == []
