"""What styles explain of how two do against each other."""

import random
from itertools import combinations
from statistics import fmean, pstdev

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
    assert not any(part for part, _ in explained_by_styles(meetings(rng, [0] * 20, 0.0)))


@pytest.mark.parametrize("styles", [[0, 1, 2] * 7, [0] * 12 + [1] * 6 + [2] * 3], ids=["as many each", "uneven"])
def test_what_styles_that_beat_each_other_in_a_circle_gain_is_explained(styles: list[int]) -> None:
    met = meetings(random.Random(1), styles, 4.0)
    left = [meeting.difference - part for meeting, (part, _) in zip(met, explained_by_styles(met), strict=True)]
    assert pstdev(meeting.difference for meeting in met) > 2.2
    assert pstdev(left) < 1.1


@pytest.mark.parametrize("gain", [5, 8, 12, 20, 50])
def test_a_single_pair_is_no_style_neither_in_a_level_field_nor_among_styles(gain: float) -> None:
    for size in (0.0, 3.0):
        met = meetings(random.Random(2), [0, 1, 2] * 7, size)
        plain = explained_by_styles(met)
        first = met[0]
        spiked = explained_by_styles([first._replace(difference=first.difference + gain), *met[1:]])
        assert abs(spiked[0].part - plain[0].part) < 1
        assert any(part for part, _ in spiked) == bool(size)


def test_what_is_left_of_luck_is_as_large_as_its_leverage_leaves_it() -> None:
    squares: list[tuple[float, float]] = []
    for seed in range(12):
        met = meetings(random.Random(seed), [0, 1, 2] * 5, 5.0)
        squares += [
            ((meeting.difference - part) ** 2, 1 - leverage)
            for meeting, (part, leverage) in zip(met, explained_by_styles(met), strict=True)
        ]
    assert fmean(square for square, _ in squares) < 0.9
    assert fmean(square / share for square, share in squares) == pytest.approx(1, abs=0.1)


def test_leverage_is_how_far_what_is_explained_follows_a_difference() -> None:
    met = meetings(random.Random(5), [0, 1, 2] * 7, 4.0)
    plain = explained_by_styles(met)
    for number in (0, 50, 200):
        moved = met[number]._replace(difference=met[number].difference + 0.5)
        follows = explained_by_styles([*met[:number], moved, *met[number + 1 :]])[number].part - plain[number].part
        assert follows / 0.5 == pytest.approx(plain[number].leverage, abs=0.05)


def test_the_order_of_a_pair_only_turns_the_sign() -> None:
    met = meetings(random.Random(3), [0, 1, 2] * 4, 5.0)
    turned = [PairDifference(other, one, -difference, variance) for one, other, difference, variance in met]
    plain, other = explained_by_styles(met), explained_by_styles(turned)
    assert [part for part, _ in other] == pytest.approx([-part for part, _ in plain], abs=0.01)
    assert [leverage for _, leverage in other] == pytest.approx([leverage for _, leverage in plain], abs=0.01)


def test_few_entrants_say_nothing_about_styles() -> None:
    assert explained_by_styles(meetings(random.Random(4), [0, 1, 2, 0, 1], 9.0)) == [(0.0, 0.0)] * 10
    assert explained_by_styles([]) == []
