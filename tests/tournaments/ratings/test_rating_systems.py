"""What holds in every rating system."""

import math
import random

import pytest

from farfalia_tournaments import SYSTEMS, MatchResult, Rating, TournamentError, rate, rate_all, rating_system

EACH = pytest.mark.parametrize("name", SYSTEMS)


def finished(*places: int, sides: tuple[int, ...] = (), forfeits: tuple[int, ...] = ()) -> MatchResult[str]:
    return MatchResult(tuple("abcde"[: len(places)]), (0,) * len(places), places, sides=sides, forfeits=forfeits)


def test_an_unknown_system_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(TournamentError, match="'elo': expected one of trueskill, openskill"):
        rating_system("elo")


@EACH
def test_a_newcomer_shows_nothing(name: str) -> None:
    assert rating_system(name).prior.conservative == pytest.approx(0)


@EACH
def test_winners_rise_losers_fall_and_all_become_surer(name: str) -> None:
    new = rate({}, finished(1, 2, 3, 4, 5), rating_system(name))
    assert [new[one].mu for one in "abcde"] == sorted((new[one].mu for one in "abcde"), reverse=True)
    assert new["a"].mu > 25 > new["e"].mu
    assert all(rating.sigma < 25 / 3 for rating in new.values())


@EACH
def test_the_better_half_of_a_field_comes_out_ahead(name: str) -> None:
    rng = random.Random(2)
    results = []
    for _ in range(300):
        made = {one: rng.gauss(mean, 12) for one, mean in zip("abcde", (8, 4, 0, -4, -8), strict=True)}
        results.append(finished(*(1 + sum(other > mine for other in made.values()) for mine in made.values())))
    ratings = rate_all(results, rating_system(name))
    assert sorted(ratings, key=lambda one: -ratings[one].mu) == list("abcde")


@EACH
def test_partners_are_rated_together(name: str) -> None:
    new = rate({}, finished(1, 2, 1, 2, sides=(0, 1, 0, 1)), rating_system(name))
    assert new["a"] == new["c"]
    assert new["a"].mu > 25 > new["b"].mu


@EACH
def test_nobody_gains_by_a_crash_of_another(name: str) -> None:
    system = rating_system(name)
    old = {"e": Rating(45.0, 2.0)}
    crashed = rate(old, finished(1, 2, 3, 4, 5, forfeits=(4,)), system)
    without = rate({}, MatchResult(tuple("abcd"), (0,) * 4, (1, 2, 3, 4)), system)
    assert {one: crashed[one] for one in "abcd"} == without
    assert crashed["e"].mu < 45


@EACH
def test_where_all_but_one_crashed_the_last_one_neither_gains_nor_loses(name: str) -> None:
    new = rate({}, finished(1, 3, 2, forfeits=(1, 2)), rating_system(name))
    assert new["a"] == rating_system(name).prior
    assert new["b"].mu < 25
    assert new["c"].mu <= 25


@EACH
def test_less_performance_noise_means_larger_steps(name: str) -> None:
    system = rating_system(name)
    calm, wild = (rate({}, finished(1, 2), system.with_beta(beta))["a"].mu for beta in (5.0, 50.0))
    assert calm > wild > 25
    assert math.isfinite(calm)
