"""A block counts as one result, with less performance noise."""

import pytest
from tests.tournaments.fields import finished

from farfalia_tournaments import MatchResult, TrueSkill, as_result, rate, rate_units, units
from farfalia_tournaments.ratings.unit_ratings import performance_noise

SYSTEM = TrueSkill()


def turns(*points: tuple[int, ...], names: str = "abcde") -> list[MatchResult[str]]:
    """The matches of a block: seat by seat these points, the seats moving on by one each time."""
    results = []
    for turn, made in enumerate(points):
        seated = tuple(names[(seat + turn) % len(names)] for seat in range(len(made)))
        results.append(finished(seated, made, "x"))
    return results


def test_a_single_match_is_rated_as_it_is() -> None:
    (unit,) = units([MatchResult(("a", "b"), (3, 1), (1, 2))])
    assert as_result(unit) is unit.results[0]
    assert rate_units([unit], SYSTEM) == rate({}, unit.results[0], SYSTEM)


def test_the_places_of_a_block_follow_from_all_its_points() -> None:
    (unit,) = units(turns((9, 1), (8, 2), names="ab"))
    result = as_result(unit)
    assert (result.entrants, result.points, result.places) == (("a", "b"), (11, 9), (1, 2))


def test_a_whole_block_of_five_has_a_third_of_the_performance_noise_of_a_match() -> None:
    (whole,) = units(turns(*[(5, 4, 3, 2, 1)] * 5))
    assert performance_noise(whole, SYSTEM) == pytest.approx(25 / 3.1)
    (part,) = units(turns(*[(5, 4, 3, 2, 1)] * 4))
    assert performance_noise(part, SYSTEM) == pytest.approx(25 / 2)


def test_a_won_block_moves_a_rating_further_than_a_won_match() -> None:
    block = units(turns((9, 1), (1, 9), names="ab"))
    match = units([MatchResult(("a", "b"), (9, 1), (1, 2))])
    assert rate_units(block, SYSTEM)["a"].mu > rate_units(match, SYSTEM)["a"].mu > 25


def test_partners_stay_a_team_in_a_block() -> None:
    points = [(8, 2, 8, 2), (2, 8, 2, 8)]
    results = []
    for turn, made in enumerate(points):
        names = tuple("abcd"[(seat + turn) % 4] for seat in range(4))
        places = tuple(1 if mine == 8 else 2 for mine in made)
        results.append(MatchResult(names, made, places, sides=(0, 1, 0, 1), board="x"))
    (unit,) = units(results)
    assert as_result(unit).places == (1, 2, 1, 2)
    ratings = rate_units([unit], SYSTEM)
    assert ratings["a"] == ratings["c"]
    assert ratings["a"].mu > ratings["b"].mu


def test_a_forfeit_of_one_match_is_a_forfeit_of_the_block() -> None:
    once = [
        MatchResult(("a", "b"), (9, 1), (2, 1), forfeits=(0,), board="x"),
        MatchResult(("b", "a"), (1, 9), (2, 1), board="x"),
    ]
    block = as_result(units(once)[0])
    assert (block.forfeits, block.places, block.points) == ((0,), (2, 1), (18, 2))
