"""How many more rounds it takes until the first place is known."""

import math
import random
from collections.abc import Mapping

import pytest

from farfalia_tournaments import FirstPlace, MatchResult, Strength, StrengthFit, first_place, fit_strengths


def fit(ahead: float, rounds: int, seed: int = 2, known: Mapping[int, Strength] | None = None) -> StrengthFit[int]:
    """The strengths of ten entrants, the first of whom is so many points ahead of nine equal ones."""
    rng, results = random.Random(seed), []
    for _ in range(rounds):
        order = rng.sample(range(10), 10)
        for table in (tuple(order[:5]), tuple(order[5:])):
            points = tuple(round(100 + ahead * (entrant == 0) + rng.gauss(0, 9)) for entrant in table)
            places = tuple(1 + sum(other > one for other in points) for one in points)
            results.append(MatchResult(table, points, places))
    return fit_strengths(results, known=known)


def said(ahead: float, rounds: int, *, planned: int = 40) -> FirstPlace[int]:
    found = first_place(fit(ahead, rounds), rounds, planned, final=rounds == planned)
    assert found is not None
    return found


def test_a_clear_first_place_is_known_and_takes_no_more_rounds() -> None:
    assert said(20, 40) == FirstPlace(0, said(20, 40).probability, known=True)
    assert said(20, 40).probability > 0.95


def test_the_nearer_the_others_are_the_more_rounds_it_takes() -> None:
    near, far = said(4, 12), said(8, 12)
    assert not near.known
    assert not far.known
    assert far.entrant == 0
    assert 0 < far.low <= far.more <= far.high
    assert far.more < near.more


def test_what_a_ladder_knew_counts_as_rounds_that_were_played() -> None:
    known = {one: Strength(0.0, 1.5) for one in range(10)}
    few, many = (fit(0, rounds, known=known) for rounds in (10, 90))
    assert fit(0, 10).played_before(10) == 0
    # A round tells 4/5 of a match with a deviation of 9 points.
    assert few.played_before(10) == pytest.approx(9**2 / 1.5**2 * 5 / 4, rel=0.3)
    assert many.played_before(90) == pytest.approx(9**2 / 1.5**2 * 5 / 4, rel=0.15)


def test_of_a_level_field_it_is_said_that_nobody_will_know() -> None:
    assert said(0, 40).high == math.inf


def test_without_rounds_there_is_no_answer() -> None:
    assert first_place(fit(3, 4), 0, 12, final=False) is None
    assert first_place(fit_strengths([]), 4, 12, final=False) is None
