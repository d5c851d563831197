"""How much of the noise of a ladder's matches is left without luck: measured by its own results alone."""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from farfalia_tournaments import MatchNoise, MatchResult, PointsScale, TrueSkill, match_beta
from farfalia_tournaments.ratings.ratings import LUCK_LEFT

BOTS = 8
VERSIONS = dict.fromkeys(range(BOTS), "1")


def played(matches: int, cards: float, rest: float, *, spread: float = 10.0) -> Iterator[MatchResult[int]]:
    """Results at tables of five, with this luck of the cards and this much that is not known."""
    rng = random.Random(f"{cards} {rest}")
    for _ in range(matches):
        table = rng.sample(range(BOTS), 5)
        luck = [Fraction(round(1000 * rng.gauss(0, cards)), 1000) for _ in table]
        points = [round(100 + spread * bot + own + rng.gauss(0, rest)) for bot, own in zip(table, luck, strict=True)]
        places = tuple(1 + sum(other > one for other in points) for one in points)
        yield MatchResult(tuple(table), tuple(points), places, luck=tuple(luck))


def noise_after(results: list[MatchResult[int]], *, start: int = 0) -> MatchNoise[int]:
    noise = MatchNoise[int](start)
    for result in results[start:]:
        noise.add(result, VERSIONS)
    return noise


@pytest.mark.parametrize(("cards", "rest"), [(3.0, 4.0), (4.0, 3.0), (0.1, 5.0)])
def test_it_is_what_is_not_luck_however_far_apart_bots_are(cards: float, rest: float) -> None:
    share = rest / (cards**2 + rest**2) ** 0.5
    for spread in (0.0, 30.0):
        noise = noise_after(list(played(1000, cards, rest, spread=spread)))
        assert noise.luck_left == pytest.approx(share, abs=0.04)


def test_it_is_measured_after_each_hundredth_result_and_later_each_thousandth() -> None:
    noise, changes = MatchNoise[int](), []
    for number, result in enumerate(played(2100, 3, 4), 1):
        before = noise.luck_left
        noise.add(result, VERSIONS)
        if noise.luck_left != before:
            changes.append(number)
    assert noise.count == 2100
    assert set(changes) <= {*range(100, 1000, 100), 1000, 2000}
    assert {100, 1000, 2000} <= set(changes)


@pytest.mark.parametrize("count", [0, 99, 100, 250, 999, 1000, 1001, 1999, 2000, 2400])
def test_what_came_long_before_need_not_be_added(count: int) -> None:
    results = list(played(3100, 3, 4))
    whole, later = noise_after(results[:count]), noise_after(results[:count], start=MatchNoise.start(count))
    assert (later.luck_left, later.points) == (whole.luck_left, whole.points)
    for result in results[count:]:
        whole.add(result, VERSIONS)
        later.add(result, VERSIONS)
        assert (later.count, later.luck_left) == (whole.count, whole.luck_left)


def test_too_few_meetings_a_lost_seat_and_matches_as_they_were_played_say_nothing() -> None:
    (result,) = played(1, 3, 4)
    as_played = MatchResult(result.entrants, result.points, result.places)
    lost = MatchResult(result.entrants, (5, 4, 3, 2, 1), (1, 2, 3, 4, 5), forfeits=(4, 3, 2, 1), luck=result.luck)
    for one in (None, as_played, lost):
        noise = MatchNoise[int]()
        for _ in range(100):
            noise.add(one, VERSIONS)
        assert (noise.count, noise.luck_left) == (100, LUCK_LEFT)
    few = MatchNoise[int]()
    for number in range(100):
        few.add(result if number < 10 else None, VERSIONS)
    assert few.luck_left == LUCK_LEFT


def test_beta_is_that_of_the_system_where_luck_is_not_known() -> None:
    (result,) = played(1, 3, 4)
    as_played = MatchResult(result.entrants, result.points, result.places)
    assert match_beta(as_played, TrueSkill(), 0.5) == 25
    assert match_beta(result, TrueSkill(), 0.5) == 12.5
    assert match_beta(result, TrueSkill()) == 25 * LUCK_LEFT


def test_in_points_it_is_what_one_bot_scores_by_chance_however_far_apart_bots_are() -> None:
    for spread in (0.0, 30.0):
        results = list(played(1000, 12, 9, spread=spread))
        noise = noise_after(results)
        assert noise.points == pytest.approx(15, abs=0.7)
        assert noise_after([replace(result, luck=()) for result in results]).points == noise.points, "luck is in it"


def test_it_is_not_known_in_points_before_bots_have_met_often_enough() -> None:
    assert noise_after(list(played(99, 12, 9))).points is None


def test_the_scale_of_a_ladder_turns_mu_into_points() -> None:
    scale = PointsScale(15.0, TrueSkill())
    newcomer = scale.of(25.0, 25 / 3)
    assert newcomer.points == 0
    assert newcomer.margin == pytest.approx(1.96 * 5)
    assert scale.of(30.0, 1.0).points == pytest.approx(3), "0.6 points for each unit of mu, as beta is 25"
