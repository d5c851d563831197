"""What every way from results to ratings keeps: equal play is equal, better play is never less, nothing breaks."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.examples import few, fewest

from farfalia_tournaments import (
    SYSTEMS,
    MatchResult,
    Rating,
    TrueSkill,
    fit_whole_history,
    rate,
    rate_units,
    rating_system,
    units,
)

Mus = Mapping[str, float]
EACH = pytest.mark.parametrize("name", SYSTEMS)
#: Where sides are equal, TrueSkill's approximation differs by this part of sigma, by the order of their names.
ALMOST = 0.0005

#: Sides of two to five seats: everybody alone, or two pairs of partners.
TABLES = st.sampled_from([(0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 0, 1), (0, 1, 2, 3, 4)])
#: Finite ratings: those of ladders, and any there are.
USUAL = st.builds(Rating, st.floats(-100, 200), st.floats(0.01, 30))
ANY = st.builds(Rating, st.floats(allow_nan=False, allow_infinity=False), st.floats(5e-324, 1.7e308))


def result_of(
    sides: Sequence[int],
    points: Sequence[int],
    forfeits: Sequence[int] = (),
    names: Sequence[str] = "abcde",
    board: str = "",
) -> MatchResult[str]:
    """A match in which each side made these points."""
    seats = range(len(sides))
    playing = {sides[seat] for seat in seats if seat not in forfeits}
    return MatchResult(
        entrants=tuple(names[: len(sides)]),
        points=tuple(points[side] for side in sides),
        places=tuple(
            1 + len(playing) if seat in forfeits else 1 + sum(points[other] > points[sides[seat]] for other in playing)
            for seat in seats
        ),
        forfeits=tuple(forfeits),
        sides=tuple(sides),
        board=board,
    )


@st.composite
def matches(draw: st.DrawFn, *, forfeits: bool = False) -> MatchResult[str]:
    """Any result of a match."""
    sides = draw(TABLES)
    points = draw(st.lists(st.integers(0, 4), min_size=5, max_size=5))
    gone = draw(st.sets(st.integers(0, len(sides) - 1))) if forfeits else set()
    return result_of(sides, points, sorted(gone))


@st.composite
def blocks(draw: st.DrawFn) -> list[MatchResult[str]]:
    """The matches of a block: seats move on, and each side makes other points each time."""
    sides = draw(TABLES)
    turns = draw(st.integers(1, len(sides)))
    made = draw(st.lists(st.lists(st.integers(0, 4), min_size=5, max_size=5), min_size=turns, max_size=turns))
    names = "abcde"[: len(sides)]
    return [
        result_of(sides, points, names=[names[(seat + turn) % len(sides)] for seat in range(len(sides))], board="x")
        for turn, points in enumerate(made)
    ]


def turned(result: MatchResult[str], order: Sequence[int]) -> MatchResult[str]:
    """The same match with the seats in another order."""
    return MatchResult(
        entrants=tuple(result.entrants[seat] for seat in order),
        points=tuple(result.points[seat] for seat in order),
        places=tuple(result.places[seat] for seat in order),
        forfeits=tuple(order.index(seat) for seat in result.forfeits),
        sides=tuple(result.sides[seat] for seat in order),
    )


def assert_in_order(mus: Mus, totals: Mapping[str, int], sigma: float) -> None:
    """Those who made the same have the same, and nobody has less than one who made less."""
    for one, other in itertools.combinations(totals, 2):
        if totals[one] == totals[other]:
            assert mus[one] == pytest.approx(mus[other], abs=ALMOST * sigma)
        else:
            better, worse = (one, other) if totals[one] > totals[other] else (other, one)
            assert mus[better] >= mus[worse]


def mus_of(ratings: Mapping[str, Rating]) -> Mus:
    return {name: rating.mu for name, rating in ratings.items()}


def fitted(result: MatchResult[str], times: int = 1) -> Mus:
    return {one.entrant: one.rating.mu for one in fit_whole_history([result] * times)}


@EACH
@given(result=matches(), start=USUAL)
@settings(few, deadline=None)
def test_of_equals_who_tie_stay_equal_and_the_better_place_has_no_less(
    name: str, result: MatchResult[str], start: Rating
) -> None:
    new = rate(dict.fromkeys(result.entrants, start), result, rating_system(name))
    totals = dict(zip(result.entrants, (-place for place in result.places), strict=True))
    assert_in_order(mus_of(new), totals, start.sigma)


@EACH
@given(played=blocks(), start=USUAL)
@settings(few, deadline=None)
def test_of_equals_the_units_of_a_block_keep_that_order_too(
    name: str, played: list[MatchResult[str]], start: Rating
) -> None:
    sides = dict(zip(played[0].entrants, played[0].sides, strict=True))
    made = dict.fromkeys(sides, 0)
    for result in played:
        for entrant, points in zip(result.entrants, result.points, strict=True):
            made[entrant] += points
    totals = {one: sum(made[other] for other in sides if sides[other] == sides[one]) for one in sides}
    new = rate_units(units(played), rating_system(name), dict.fromkeys(sides, start))
    assert_in_order(mus_of(new), totals, start.sigma)


@given(result=matches(), times=st.integers(1, 5))
@fewest
def test_a_whole_history_of_equal_play_is_equal_and_the_better_place_has_no_less(
    result: MatchResult[str], times: int
) -> None:
    totals = dict(zip(result.entrants, (-place for place in result.places), strict=True))
    assert_in_order(fitted(result, times), totals, TrueSkill().sigma)


@pytest.mark.parametrize(
    "of",
    [
        *(lambda result, name=name: mus_of(rate({}, result, rating_system(name))) for name in SYSTEMS),
        *(lambda result, name=name: mus_of(rate_units(units([result]), rating_system(name))) for name in SYSTEMS),
        fitted,
    ],
    ids=[*(f"rate {name}" for name in SYSTEMS), *(f"units {name}" for name in SYSTEMS), "whole history"],
)
@given(result=matches(forfeits=True), data=st.data())
@settings(fewest, deadline=None)
def test_ratings_do_not_depend_on_who_sits_where(
    of: Callable[[MatchResult[str]], Mus], result: MatchResult[str], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(result.entrants))))
    assert of(turned(result, order)) == of(result)


@EACH
@example(result_of((0, 1), (1, 0)), [Rating(1e154, 8e-312)] * 5)
@example(result_of((0, 1, 2, 3), (0, 1, 1, 1)), [Rating(0.0, 1e308)] * 5)
@example(result_of((0, 1, 0, 1), (0, 1)), [Rating(-1e308, 1e-200), *[Rating(1e308, 1e-200)] * 4])
@given(result=matches(forfeits=True), ratings=st.lists(st.one_of(USUAL, ANY), min_size=5, max_size=5))
@settings(few, deadline=None)
def test_any_finite_ratings_and_places_give_finite_ratings(
    name: str, result: MatchResult[str], ratings: list[Rating]
) -> None:
    old = dict(zip("abcde", ratings, strict=True))
    for new in (
        rate(old, result, rating_system(name)),
        rate_units(units([result, result]), rating_system(name), old),
    ):
        assert all(math.isfinite(rating.mu) and 0 < rating.sigma < math.inf for rating in new.values())


@given(played=st.lists(matches(forfeits=True), min_size=1, max_size=4), times=st.integers(1, 6))
@fewest
def test_a_whole_history_of_any_results_is_finite(played: list[MatchResult[str]], times: int) -> None:
    for one in fit_whole_history(played * times):
        assert math.isfinite(one.rating.mu)
        assert one.low < one.rating.mu < one.high


@EACH
@given(ratings=st.lists(ANY, min_size=2, max_size=2))
@settings(few, deadline=None)
def test_no_winner_falls_and_no_loser_rises_however_far_apart(name: str, ratings: list[Rating]) -> None:
    winner, loser = ratings
    assume(abs(winner.mu - loser.mu) < 1e300)
    new = rate({"a": winner, "b": loser}, result_of((0, 1), (1, 0)), rating_system(name))
    assert new["a"].mu >= winner.mu * (1 - 1e-9 * math.copysign(1, winner.mu)) - 1e-9
    assert new["b"].mu <= loser.mu * (1 + 1e-9 * math.copysign(1, loser.mu)) + 1e-9
