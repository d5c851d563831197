import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia_tournaments import ComparisonAnswer, TournamentError, compare, likely_more


def ended(rng: random.Random, difference: float, most: int, margin: float = 0.0) -> tuple[ComparisonAnswer, int]:
    """A comparison of two that differ by `difference` standard deviations, asked after every fifth unit."""
    seen: list[float] = []
    while len(seen) < most:
        seen += [10 * rng.gauss(difference, 1) for _ in range(5)]
        now = compare(seen, margin=margin)
        if now.answer is not ComparisonAnswer.UNDECIDED:
            return now.answer, len(seen)
    return ComparisonAnswer.UNDECIDED, most


def test_nothing_is_said_of_nothing() -> None:
    assert compare([]).answer is ComparisonAnswer.UNDECIDED
    assert compare([9.0, 8.0, 10.0, 9.0]).answer is ComparisonAnswer.UNDECIDED


#: Differences of a board by their mean: boards as real ones, skewed to either side, and one in twenty decides all.
BOARDS: dict[str, Callable[[random.Random, float], float]] = {
    "normal": lambda rng, mean: rng.gauss(mean, 9),
    "skewed up": lambda rng, mean: mean + 9 * (rng.expovariate(1) - 1),
    "skewed down": lambda rng, mean: mean - 9 * (rng.expovariate(1) - 1),
    "one in twenty": lambda rng, mean: (30 if rng.random() < 0.5 + mean / 3 else -30) if rng.random() < 0.05 else 0,
}


@pytest.mark.slow
@pytest.mark.parametrize("comparisons", [20, pytest.param(400, marks=pytest.mark.prove)])
@pytest.mark.parametrize("boards", BOARDS)
def test_equals_are_hardly_ever_told_apart_whatever_boards_are_like(boards: str, comparisons: int) -> None:
    rng = random.Random(31)
    apart = sum(answer(rng, boards, 0.0) is not ComparisonAnswer.UNDECIDED for _ in range(comparisons))
    assert apart <= comparisons / 20


@pytest.mark.slow
@pytest.mark.parametrize("comparisons", [10, pytest.param(200, marks=pytest.mark.prove)])
@pytest.mark.parametrize(
    ("boards", "mean", "found"),
    [("normal", 3.0, 0.85), ("normal", 5.0, 1.0), ("skewed up", 3.0, 0.9), ("skewed down", 3.0, 0.65)],
)
def test_a_difference_is_found_within_two_hundred_boards(
    boards: str, mean: float, found: float, comparisons: int
) -> None:
    rng = random.Random(32)
    answers = [answer(rng, boards, mean) for _ in range(comparisons)]
    assert sum(one is ComparisonAnswer.FIRST for one in answers) >= found * comparisons
    assert sum(one is ComparisonAnswer.SECOND for one in answers) <= comparisons / 40


def answer(rng: random.Random, boards: str, mean: float) -> ComparisonAnswer:
    """The answer within 200 boards of a kind, asked after every fifth."""
    seen: list[float] = []
    while len(seen) < 200:
        seen += [BOARDS[boards](rng, mean) for _ in range(5)]
        if (now := compare(seen).answer) is not ComparisonAnswer.UNDECIDED:
            return now
    return ComparisonAnswer.UNDECIDED


@pytest.mark.parametrize("comparisons", [12, pytest.param(200, marks=pytest.mark.prove)])
def test_three_points_are_found_within_sixty_boards_at_two_seats_each(comparisons: int) -> None:
    # Boards of two seats each have a standard deviation of 4.2 to 4.8; no test finds them in fewer than 39.
    rng = random.Random(33)
    units = []
    for _ in range(comparisons):
        seen = [rng.gauss(3.0, 4.5) for _ in range(30)]
        while (now := compare(seen, margin=1.0).answer) is ComparisonAnswer.UNDECIDED:
            seen.append(rng.gauss(3.0, 4.5))
        assert now is ComparisonAnswer.FIRST
        units.append(len(seen))
    assert 39 < sum(units) / comparisons < 60


@pytest.mark.parametrize("comparisons", [16, pytest.param(200, marks=pytest.mark.prove)])
@pytest.mark.parametrize(("usual", "rare"), [(3.3, -75.0), (-3.3, 63.0)])
def test_rare_boards_beyond_the_bound_do_not_make_the_worse_one_better(
    usual: float, rare: float, comparisons: int
) -> None:
    # One board in twenty turns the mean of the others round: a seat that is lost with certain cards.
    rng = random.Random(23)
    wrong = 0
    for _ in range(comparisons):
        seen: list[float] = []
        while len(seen) < 400:
            seen += [rare if rng.random() < 0.05 else rng.gauss(usual, 4) for _ in range(5)]
            if (answer := compare(seen).answer) is not ComparisonAnswer.UNDECIDED:
                wrong += answer is (ComparisonAnswer.FIRST if usual > 0 else ComparisonAnswer.SECOND)
                break
    assert wrong <= comparisons / 8


def test_units_like_those_so_far_bring_the_answer_when_it_is_likely() -> None:
    again = [11.0, 5.0, 9.0, -2.0, 8.0, 6.0, 10.0]
    so_far = [9.0, 3.0, 8.0, -6.0, 9.0, *again]
    more = likely_more(so_far, 0.95, 1.0, 200)
    assert more is not None
    assert more > 8
    like = [*so_far, *(again * 40)]
    assert compare(like[: len(so_far) + more - 1], 0.95, 1.0).answer is ComparisonAnswer.UNDECIDED
    assert compare(like[: len(so_far) + more], 0.95, 1.0).answer is ComparisonAnswer.FIRST
    assert likely_more(so_far, 0.95, 1.0, len(so_far) + more - 1) is None


@pytest.mark.parametrize("seen", [[], [9.0] * 9, [5.0, -6.0] * 20])
def test_nothing_is_likely_after_few_units_or_within_three_standard_errors(seen: list[float]) -> None:
    assert likely_more(seen, 0.95, 1.0, 500) is None


def test_no_difference_is_capped() -> None:
    seen = [2.0] * 15 + [-80.0] * 5
    assert compare(seen).mean == pytest.approx((10 * 2 - 5 * 80) / 15)
    low, high = compare(seen).interval
    assert low < -380 / 15 < high


@pytest.mark.parametrize("comparisons", [20, pytest.param(60, marks=pytest.mark.prove)])
def test_boards_without_a_difference_do_not_hide_a_rare_one(comparisons: int) -> None:
    # On one board in ten the second loses 30 points: 3 points per match, three times the margin.
    rng = random.Random(22)
    wrong = 0
    for _ in range(comparisons):
        seen: list[float] = []
        while len(seen) < 200:
            seen.append(30.0 if rng.random() < 0.1 else 0.0)
            if (answer := compare(seen, margin=1.0).answer) is not ComparisonAnswer.UNDECIDED:
                wrong += answer is not ComparisonAnswer.FIRST
                break
    assert wrong <= comparisons / 20


def test_nothing_is_decided_before_twenty_boards() -> None:
    for value in (0.0, 2.0, 90.0):
        assert compare([value] * 19, margin=5.0).answer is ComparisonAnswer.UNDECIDED
    assert compare([90.0] * 20).answer is ComparisonAnswer.FIRST


def test_bounds_follow_the_game_and_a_difference_at_the_bound_is_no_error() -> None:
    assert compare([200.0, 190.0, 210.0] * 30).mean > 190
    assert compare([-90.0] + [-400.0] * 40).answer is ComparisonAnswer.SECOND
    assert compare([30.0] * 5 + [500.0] * 30).answer is ComparisonAnswer.FIRST


def test_a_clear_difference_is_found_on_either_side() -> None:
    seen = [5.0, 4.0, 6.0, 5.5, 4.5, 5.0, 6.5, 3.5] * 6
    assert compare(seen).answer is ComparisonAnswer.FIRST
    assert compare([-one for one in seen]).answer is ComparisonAnswer.SECOND
    assert 0 < compare(seen).interval[0] < 5 < compare(seen).interval[1]


@given(st.lists(st.floats(-20, 20), min_size=5, max_size=60), st.floats(0.6, 0.99))
def test_the_interval_is_around_the_mean_and_wider_for_more_confidence(seen: list[float], confidence: float) -> None:
    now, surer = compare(seen, confidence), compare(seen, (1 + confidence) / 2)
    assert now.interval[0] <= now.mean <= now.interval[1]
    assert surer.interval[0] <= now.interval[0]
    assert now.interval[1] <= surer.interval[1]


@pytest.mark.parametrize("comparisons", [40, pytest.param(200, marks=pytest.mark.prove)])
def test_equals_are_rarely_declared_different_however_often_one_asks(
    comparisons: int,
) -> None:
    rng = random.Random(11)
    wrong = sum(ended(rng, 0.0, 150)[0] is not ComparisonAnswer.UNDECIDED for _ in range(comparisons))
    assert wrong / comparisons <= 0.05


def test_large_differences_are_found_soon_and_smaller_ones_later() -> None:
    rng = random.Random(12)
    units = {}
    for difference in (1.0, 0.4):
        answers = [ended(rng, difference, 400) for _ in range(40)]
        assert all(answer is ComparisonAnswer.FIRST for answer, _ in answers)
        units[difference] = sorted(count for _, count in answers)[20]
    assert units[1.0] < 40 < units[0.4] < 120


def test_with_a_margin_equals_are_found_equal() -> None:
    rng = random.Random(13)
    assert [ended(rng, 0.0, 2000, margin=5.0)[0] for _ in range(5)] == [ComparisonAnswer.EQUAL] * 5


@pytest.mark.parametrize(("confidence", "margin"), [(1.0, 0.0), (0.3, 0.0), (0.95, -1.0), (0.95, float("inf"))])
def test_what_cannot_be_asked_is_refused(confidence: float, margin: float) -> None:
    with pytest.raises(TournamentError, match="expected"):
        compare([1.0], confidence, margin)


def by_ratio(rng: random.Random, boards: str, mean: float, deviation: float = 1 / 2) -> tuple[ComparisonAnswer, int]:
    """The answer of a test of 3 points, asked after every board, and after how many boards it came."""
    seen: list[float] = []
    while len(seen) < 400:
        seen.append(mean + deviation * BOARDS[boards](rng, 0.0))
        if len(seen) >= 20 and (now := compare(seen, expected=3.0).answer) is not ComparisonAnswer.UNDECIDED:
            return now, len(seen)
    return ComparisonAnswer.UNDECIDED, len(seen)


@pytest.mark.parametrize("comparisons", [60, pytest.param(1000, marks=pytest.mark.prove)])
@pytest.mark.parametrize("boards", ["normal", "skewed up", "skewed down"])
def test_an_expected_difference_is_told_from_none_with_both_errors(boards: str, comparisons: int) -> None:
    # Boards of two seats each have a standard deviation of 4.2 to 4.8.
    rng = random.Random(41)
    equal = [by_ratio(rng, boards, 0.0) for _ in range(comparisons)]
    better = [by_ratio(rng, boards, 3.0) for _ in range(comparisons)]
    assert sum(one is not ComparisonAnswer.EQUAL for one, _ in equal) <= comparisons / 20
    assert sum(one is not ComparisonAnswer.FIRST for one, _ in better) <= comparisons / 20
    assert sum(one is ComparisonAnswer.SECOND for one, _ in better) == 0
    assert sum(units for _, units in better) <= 26 * comparisons


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=40), st.floats(0.5, 20), st.floats(0.5, 0.999))
def test_the_ratio_of_the_two_turned_round_is_the_same(seen: list[float], expected: float, sure: float) -> None:
    one, other = (compare(run, sure, expected=expected) for run in (seen, [-x for x in seen]))
    assert one.ratio is not None
    assert other.ratio is not None
    assert one.ratio.llr == pytest.approx(other.ratio.llr)
    assert one.ratio.lower < 0 < one.ratio.upper
    assert one.superiority == pytest.approx(1 - other.superiority)
    turned = {ComparisonAnswer.FIRST: ComparisonAnswer.SECOND, ComparisonAnswer.SECOND: ComparisonAnswer.FIRST}
    assert other.answer is turned.get(one.answer, one.answer)


def test_bounds_are_those_of_wald_with_half_of_the_error_to_either_side() -> None:
    ratio = compare([1.0, 5.0], 0.9, expected=3.0).ratio
    assert ratio is not None
    assert (ratio.lower, ratio.upper) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    assert ratio.llr == pytest.approx(3 * 2 * (3 - 1.5) / 8)


def test_a_lost_seat_never_helps_the_claim_of_an_expected_difference() -> None:
    seen = [4.0, 2.0, 5.0, 1.0] * 6
    sure = compare(seen, expected=3.0)
    lost = compare([*seen[:-1], -75.0], expected=3.0)
    assert (sure.answer, lost.answer) == (ComparisonAnswer.FIRST, ComparisonAnswer.UNDECIDED)
    assert lost.mean == pytest.approx(sure.mean - 76 / 24)


@pytest.mark.parametrize("equal", [0.0, 2.0])
def test_boards_without_any_chance_are_counted_as_if_they_had_a_little(equal: float) -> None:
    seen = [equal] * 20
    ratio = compare(seen, expected=3.0).ratio
    assert ratio is not None
    assert ratio.llr == pytest.approx(3 * 20 * (equal - 1.5))


def test_how_many_more_are_likely_is_said_of_an_expected_difference_too() -> None:
    seen = [6.0, -6.0, 2.0, -1.0, 9.0, 0.0, 5.0, -3.0, 8.0, 1.0]
    more = likely_more(seen, 0.95, 1.0, 400, 3.0)
    assert more is not None
    like = seen * 40
    assert compare(like[: 10 + more], expected=3.0).answer is not ComparisonAnswer.UNDECIDED
    assert compare(like[: 9 + more], expected=3.0).answer is ComparisonAnswer.UNDECIDED


def test_likely_to_be_better_is_half_after_nothing() -> None:
    assert compare([]).superiority == compare([4.0]).superiority == 0.5
    assert compare([1.0] * 5 + [-1.0, 1.0] * 2).superiority == pytest.approx(0.5)
    assert compare([3.0, 5.0, 4.0, 2.0] * 4).superiority > 0.999


@pytest.mark.parametrize("expected", [0.0, -1.0, math.inf, math.nan])
def test_an_expected_difference_is_above_nothing(expected: float) -> None:
    with pytest.raises(TournamentError, match="expected a number above 0"):
        compare([1.0], expected=expected)


def test_the_likelihood_of_superiority_is_of_the_boards_that_count() -> None:
    """The first five set the bound and count for nothing else: mean and likelihood tell of the same boards."""
    found = compare([20.0] * 5 + [-4.0, -6.0, -5.0])
    assert found.mean < 0
    assert found.superiority < 0.5
