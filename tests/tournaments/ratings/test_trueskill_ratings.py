import math
import random
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from statistics import NormalDist

import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from farfalia_tournaments import MatchResult, Rating, TournamentError, TrueSkill, rate, rate_all

FIVE = ("a", "b", "c", "d", "e")
#: The constants with which TrueSkill was published, and for which others have printed results.
TRUESKILL = TrueSkill()
PUBLISHED = TrueSkill(beta=25 / 6, tau=25 / 300, draw_probability=0.10)


def finished(*places: int, entrants: tuple[str, ...] = FIVE, sides: tuple[int, ...] = ()) -> MatchResult[str]:
    return MatchResult(entrants[: len(places)], (0,) * len(places), places, sides=sides)


def rounded(ratings: dict[str, Rating]) -> list[tuple[float, float]]:
    return [(round(rating.mu, 3), round(rating.sigma, 3)) for _, rating in sorted(ratings.items())]


def test_five_newcomers_are_rated_as_published() -> None:
    assert rounded(rate({}, finished(1, 2, 3, 4, 5), PUBLISHED)) == [
        (34.363, 6.136),
        (29.058, 5.536),
        (25.000, 5.420),
        (20.942, 5.536),
        (15.637, 6.136),
    ]


def test_two_newcomers_are_rated_as_published() -> None:
    assert rounded(rate({}, finished(1, 2), PUBLISHED)) == [(29.396, 7.171), (20.604, 7.171)]
    assert rounded(rate({}, finished(1, 1), PUBLISHED)) == [(25.0, 6.458), (25.0, 6.458)]


def test_two_teams_of_two_are_rated_as_published() -> None:
    teams = finished(1, 2, 1, 2, sides=(0, 1, 0, 1))
    assert rounded(rate({}, teams, PUBLISHED)) == [(28.108, 7.774), (21.892, 7.774)] * 2


def test_two_entrants_follow_the_closed_formula_with_our_constants() -> None:
    old = {"a": Rating(27.0, 3.0), "b": Rating(24.0, 2.0)}
    new = rate(old, finished(2, 1), TRUESKILL)
    normal = NormalDist()
    c = math.sqrt(2 * 25**2 + 3**2 + 2**2)
    margin = normal.inv_cdf(0.51) * math.sqrt(2) * 25
    x = (24 - 27 - margin) / c
    v = normal.pdf(x) / normal.cdf(x)
    w = v * (v + x)
    assert new["b"].mu == pytest.approx(24 + 2**2 / c * v, abs=1e-5)
    assert new["a"].mu == pytest.approx(27 - 3**2 / c * v, abs=1e-5)
    assert new["b"].sigma == pytest.approx(2 * math.sqrt(1 - 2**2 / c**2 * w), abs=1e-5)
    assert new["a"].sigma == pytest.approx(3 * math.sqrt(1 - 3**2 / c**2 * w), abs=1e-5)


def test_the_defaults_are_those_measured_for_this_game() -> None:
    parameters = TrueSkill()
    assert (parameters.mu, parameters.sigma) == (25, 25 / 3)
    assert (parameters.beta, parameters.tau, parameters.draw_probability) == (25, 0, 0.02)
    assert parameters.prior == Rating(25, 25 / 3)
    assert parameters.prior.conservative == 0


def test_a_hundred_matches_bring_sigma_where_it_was_measured() -> None:
    rng = random.Random(1)
    results = [finished(*rng.sample(range(1, 6), 5)) for _ in range(100)]
    # 1.23 beta / sqrt(matches) is the rule of thumb.
    assert all(2.4 < rating.sigma < 3.4 for rating in rate_all(results, TRUESKILL).values())


def test_seats_and_numbers_of_sides_do_not_matter_to_teams() -> None:
    expected = rate({}, finished(1, 2, 1, 2, sides=(0, 1, 0, 1)), TRUESKILL)
    for seating in permutations(range(4)):
        result = MatchResult(
            tuple("abcd"[i] for i in seating),
            (0,) * 4,
            tuple((1, 2, 1, 2)[i] for i in seating),
            sides=tuple((9, 4, 9, 4)[i] for i in seating),
        )
        assert rate({}, result, TRUESKILL) == expected


def test_places_count_and_points_do_not() -> None:
    narrow = MatchResult(FIVE, (31, 30, 29, 28, 27), (1, 2, 3, 4, 5))
    wide = MatchResult(FIVE, (99, 4, 3, 2, 1), (1, 2, 3, 4, 5))
    assert rate({}, narrow, TRUESKILL) == rate({}, wide, TRUESKILL)


def test_an_unrated_filler_counts_as_opponent_and_keeps_no_rating() -> None:
    result = MatchResult(("a", "b", "house"), (9, 5, 3), (1, 2, 3), rated=(True, True, False))
    everybody_rated = MatchResult(("a", "b", "house"), (9, 5, 3), (1, 2, 3))
    new = rate({}, result, TRUESKILL)
    assert set(new) == {"a", "b"}
    assert new == {name: rating for name, rating in rate({}, everybody_rated, TRUESKILL).items() if name != "house"}
    assert set(rate_all([result] * 3, TRUESKILL)) == {"a", "b"}


def test_beating_a_filler_of_known_strength_is_worth_that_strength() -> None:
    result = MatchResult(("a", "house"), (9, 5), (1, 2), rated=(True, False))
    weak, strong = (rate({"house": Rating(mu, 1.0)}, result, TRUESKILL)["a"] for mu in (5.0, 45.0))
    assert weak.mu < strong.mu


def test_a_match_of_fillers_alone_rates_nobody() -> None:
    assert rate({}, MatchResult(("x", "y"), (1, 0), (1, 2), rated=(False, False)), TRUESKILL) == {}


def test_nothing_that_was_given_is_changed() -> None:
    old = {"a": Rating(25, 8)}
    rate(old, finished(1, 2), TRUESKILL)
    assert old == {"a": Rating(25, 8)}


def test_ratings_are_folded_in_the_order_of_results() -> None:
    results = [finished(1, 2, 3), finished(3, 2, 1), finished(1, 1, 1)]
    ratings: dict[str, Rating] = {}
    for result in results:
        ratings |= rate(ratings, result, TRUESKILL)
    assert rate_all(results, TRUESKILL) == ratings
    assert rate_all([], TRUESKILL) == {}


def by_the_package(system: TrueSkill, players: list[Rating], places: list[int]) -> list[tuple[Rating, ...]]:
    """The same update as the package `trueskill` works it out."""
    environment = trueskill.TrueSkill(
        system.mu, system.sigma, system.beta, system.tau, system.draw_probability, backend=None
    )
    old = [(environment.create_rating(player.mu, player.sigma),) for player in players]
    try:
        new = environment.rate(old, ranks=places)
    except FloatingPointError:
        return [(player,) for player in players]
    return [(Rating(rating.mu, rating.sigma),) for (rating,) in new]


PLAYERS = st.lists(
    st.tuples(
        st.builds(Rating, st.just(25.0) | st.floats(-200, 200), st.just(25 / 3) | st.floats(0.1, 20)), st.integers(1, 5)
    ),
    min_size=2,
    max_size=6,
)


@given(system=st.sampled_from([TRUESKILL, PUBLISHED]), players=PLAYERS)
def test_players_who_play_alone_are_rated_as_by_the_package_to_the_last_bit(
    system: TrueSkill, players: list[tuple[Rating, int]]
) -> None:
    ratings, places = [rating for rating, _ in players], [place for _, place in players]
    assert system.update([(rating,) for rating in ratings], places) == by_the_package(system, ratings, places)


@pytest.mark.parametrize("places", [(1, 2), (2, 1), (1, 1)])
def test_a_result_beyond_the_arithmetic_changes_nothing(places: tuple[int, ...]) -> None:
    old = {"a": Rating(0.0, 0.001), "b": Rating(100_000.0, 0.001)}
    new = rate(old, finished(*places), TRUESKILL)
    assert all(math.isfinite(rating.mu) for rating in new.values())
    if places != (2, 1):
        assert new == old


@pytest.mark.parametrize(("mu", "sigma"), [(25, 0), (25, -1), (math.nan, 1), (math.inf, 1), (25, math.inf)])
def test_a_rating_is_a_finite_number_with_a_deviation(mu: float, sigma: float) -> None:
    with pytest.raises(TournamentError, match="rating"):
        Rating(mu, sigma)


@pytest.mark.parametrize(
    ("name", "value"),
    [("mu", math.nan), ("sigma", 0), ("beta", -1), ("tau", -0.1), ("draw_probability", 0), ("draw_probability", 1)],
)
def test_a_parameter_out_of_range_is_named(name: str, value: float) -> None:
    with pytest.raises(TournamentError, match=f"{name} "):
        TrueSkill(**{name: value})


def test_the_package_is_imported_without_a_word_where_it_is_not_compiled(tmp_path: Path) -> None:
    rates = "from farfalia_tournaments.ratings.systems import trueskill as own; own._environment(own.TrueSkill())"
    command = [sys.executable, "-X", f"pycache_prefix={tmp_path}", "-W", "always", "-c", rates]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
