import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tournaments.fields import field, finished, played

from farfalia_tournaments import MatchResult, TrueSkill, fit_whole_history, rate_all

#: Performance noise on the scale of the ladder, where newcomers have one of 25 / 3.
BETA = TrueSkill().beta


def test_the_order_of_matches_does_not_matter_at_all() -> None:
    rng = random.Random(4)
    results = played(rng, field(rng, 7), 20)
    fitted = fit_whole_history(results)
    rng.shuffle(results)
    assert fit_whole_history(results) == fitted
    assert len({one.entrant for one in fitted}) == 7


@given(st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=1, max_size=12))
def test_ties_of_points_less_luck_are_fitted(points: list[list[int]]) -> None:
    luck = (Fraction(3, 2), Fraction(-1, 2), Fraction(-1, 2), Fraction(-1, 2), 0)
    results = [replace(finished(range(5), made), luck=luck) for made in points]
    assert {one.entrant for one in fit_whole_history(results)} == set(range(5))


def test_strong_ones_come_first_and_intervals_hold_their_ratings() -> None:
    rng = random.Random(5)
    skills = [24.0, 12.0, 0.0, -12.0, -24.0, -36.0]
    fitted = fit_whole_history(played(rng, skills, 50, noise=10))
    assert [one.entrant for one in fitted] == [0, 1, 2, 3, 4, 5]
    assert all(one.low < one.rating.mu < one.high for one in fitted)
    assert sum(one.matches for one in fitted) == 50 * 5


def test_for_bots_that_do_not_change_it_is_close_to_the_online_rating() -> None:
    rng = random.Random(6)
    results = played(rng, field(rng, 6), 60)
    online = rate_all(results, TrueSkill())
    for one in fit_whole_history(results):
        assert one.rating.mu == pytest.approx(online[one.entrant].mu, abs=1.0)
        assert one.rating.sigma == pytest.approx(online[one.entrant].sigma, rel=0.1)


def test_partners_share_what_their_side_has_shown() -> None:
    match = MatchResult(("a", "b", "c", "d"), (9, 1, 9, 1), (1, 2, 1, 2), sides=(0, 1, 0, 1))
    fitted = {one.entrant: one.rating.mu for one in fit_whole_history([match] * 5)}
    assert fitted["a"] == pytest.approx(fitted["c"])
    assert fitted["a"] > 25 > fitted["b"]


def test_fillers_are_opponents_and_are_not_listed() -> None:
    match = MatchResult(("a", "b", "house"), (9, 5, 1), (1, 2, 3), rated=(True, True, False))
    assert {one.entrant for one in fit_whole_history([match])} == {"a", "b"}


def test_who_loses_its_seat_is_behind_all_others() -> None:
    crashed = MatchResult(("a", "b", "c"), (9, 5, 7), (3, 2, 1), forfeits=(0,))
    fitted = fit_whole_history([crashed])
    assert [(one.entrant, one.matches) for one in fitted] == [("c", 1), ("b", 1), ("a", 1)]


def test_a_partner_of_who_loses_its_seat_has_what_its_side_made() -> None:
    match = MatchResult(("a", "b", "c", "d"), (9, 1, 9, 1), (3, 2, 1, 2), forfeits=(0,), sides=(0, 1, 0, 1))
    fitted = {one.entrant: one.rating.mu for one in fit_whole_history([match])}
    assert fitted["c"] > 25 > fitted["a"]
    assert fitted["b"] == pytest.approx(fitted["d"])


@pytest.mark.slow
@pytest.mark.parametrize(("fields", "off"), [(3, 0.05), pytest.param(40, 0.02, marks=pytest.mark.prove)])
def test_of_the_intervals_shown_nineteen_in_twenty_hold_the_truth(fields: int, off: float) -> None:
    inside = shown = 0
    for seed in range(fields):
        rng = random.Random(seed)
        skills = [25 + one for one in field(rng, 10, 25 / 3)]
        for one in fit_whole_history(played(rng, skills, 40, noise=BETA)):
            shown += 1
            inside += one.low <= skills[one.entrant] <= one.high
    assert inside / shown == pytest.approx(0.95, abs=off)
