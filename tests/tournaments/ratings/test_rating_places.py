"""Ratings learn from places by points less luck, where it is known; what bots play for stays as it is."""

from fractions import Fraction

import pytest

from farfalia_tournaments import (
    MatchResult,
    Rating,
    Reliability,
    TrueSkill,
    fit_whole_history,
    rate,
    rate_units,
    rating_places,
    rating_system,
    units,
)
from farfalia_tournaments.ratings.ratings import LUCK_LEFT
from farfalia_tournaments.ratings.systems import SYSTEMS
from farfalia_tournaments.ratings.unit_ratings import BLOCK_LUCK_LEFT

LUCKY = MatchResult(("a", "b", "c"), (30, 20, 10), (1, 2, 3), luck=(Fraction(151, 10), 0, Fraction(-151, 10)))
#: The same places without luck.
PLAIN = MatchResult(("a", "b", "c"), (10, 20, 30), (3, 2, 1))


def test_places_are_those_of_points_less_luck() -> None:
    assert rating_places(LUCKY) == (3, 2, 1)
    assert LUCKY.places == (1, 2, 3)
    assert rating_places(PLAIN) == PLAIN.places


def test_equal_points_less_luck_share_a_place_to_the_thousandth() -> None:
    level = MatchResult(("a", "b", "c"), (30, 20, 10), (1, 2, 3), luck=(Fraction(10), 0, Fraction(-1, 1000)))
    assert rating_places(level) == (1, 1, 3)


def test_where_several_win_only_equal_ones_share_a_place() -> None:
    winners = MatchResult(("a", "b", "c"), (30, 20, 10), (1, 1, 3), luck=(Fraction(1, 1000), 0, 0))
    assert rating_places(winners) == (1, 2, 3)


def test_partners_are_placed_by_the_sum_of_their_side() -> None:
    result = MatchResult(tuple("abcd"), (9, 1, 0, 8), (1, 2, 1, 2), sides=(0, 1, 0, 1), luck=(1, 0, 1, 0))
    assert rating_places(result) == (2, 1, 2, 1)


def test_lost_seats_stay_behind_whatever_their_luck() -> None:
    result = MatchResult(tuple("abcd"), (9, 5, 7, 8), (4, 2, 1, 3), forfeits=(3, 0), luck=(0, -5, 0, -20))
    assert rating_places(result) == (4, 1, 2, 3)


@pytest.mark.parametrize("name", SYSTEMS)
def test_ratings_and_the_fit_are_those_of_the_places_less_luck(name: str) -> None:
    system = rating_system(name)
    beta = system.beta * LUCK_LEFT
    assert rate({}, LUCKY, system) == rate({}, PLAIN, system.with_beta(beta, ties=False))
    assert rate({}, LUCKY, system)["c"].mu > 25
    (lucky, plain) = ({one.entrant: one.rating for one in fit_whole_history([one])} for one in (LUCKY, PLAIN))
    assert lucky["c"].mu > plain["c"].mu > 25


def test_the_fit_has_the_mean_of_the_variances_of_matches_with_luck_and_without() -> None:
    both = [LUCKY, PLAIN]
    mean = ((25**2 + (25 * LUCK_LEFT) ** 2) / 2) ** 0.5
    model = TrueSkill(beta=mean, draw_probability=(0.02 + 0.001) / 2)
    assert fit_whole_history(both) == fit_whole_history([PLAIN, PLAIN], model)


def test_a_favourite_came_true_who_is_ahead_less_luck() -> None:
    found = Reliability()
    found.add({"a": Rating(20, 1), "b": Rating(25, 1), "c": Rating(30, 1)}, LUCKY, 18.75)
    assert [one.happened for one in found.bins()] == [1.0] * len(found.bins())


def test_the_luck_of_a_block_is_that_of_all_its_matches() -> None:
    turns = [MatchResult(("a", "b"), (30, 20), (1, 2), board="x", luck=(15, 0))]
    turns.append(MatchResult(("b", "a"), (30, 20), (1, 2), board="x", luck=(0, -4)))
    block = rate_units(units(turns), TrueSkill())
    single = MatchResult(("a", "b"), (50, 50), (1, 1), luck=(11, 0))
    noise = 25 / 2**0.5 / (3.1 / 5**0.5) * BLOCK_LUCK_LEFT
    assert block == rate({}, single, TrueSkill(), noise)
    assert block["b"].mu > 25
