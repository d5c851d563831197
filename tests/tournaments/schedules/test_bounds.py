"""How even a schedule can be, and that it says so truly."""

import random
from itertools import chain, combinations, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.examples import written_down

from farfalia_tournaments import Span, round_robin
from farfalia_tournaments.schedules.designs.bounds import narrowest_meetings
from farfalia_tournaments.schedules.span import around


@pytest.mark.parametrize(("counts", "text"), [([3, 3], "3"), ([4, 3], "3 or 4"), ([3, 9, 5], "3 to 9")])
def test_a_span_reads_as_people_write_it(counts: list[int], text: str) -> None:
    assert str(Span.of(counts)) == text


def test_pieces_are_dealt_around_their_mean() -> None:
    assert around(12, 4) == Span(3, 3)
    assert around(13, 4) == Span(3, 4)


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds", "bound"),
    [
        (6, 5, 10, Span(6, 8)),
        (7, 5, 10, Span(4, 6)),
        (4, 3, 10, Span(4, 6)),
        (25, 5, 6, Span(1, 1)),
        (11, 5, 11, Span(4, 4)),
        (100, 5, 10, Span(0, 1)),
    ],
)
def test_byes_alone_force_some_unevenness(entrants: int, seats: int, rounds: int, bound: Span) -> None:
    assert narrowest_meetings(entrants, seats, rounds * (entrants // seats) * seats) == bound


@pytest.mark.parametrize(("entrants", "seats", "rounds"), [(4, 3, 5), (5, 3, 3), (4, 2, 3), (6, 5, 4), (5, 4, 6)])
def test_no_schedule_at_all_stays_within_less_than_the_bound(entrants: int, seats: int, rounds: int) -> None:
    """All schedules with equal byes, tried one by one."""
    tables = list(combinations(range(entrants), seats))
    choices = [
        round_
        for round_ in combinations(tables, entrants // seats)
        if len(set(chain.from_iterable(round_))) == entrants // seats * seats
    ]
    bound = narrowest_meetings(entrants, seats, rounds * (entrants // seats) * seats)
    widths = set()
    for played in product(choices, repeat=rounds):
        flat = list(chain.from_iterable(played))
        matches = [sum(entrant in table for table in flat) for entrant in range(entrants)]
        if Span.of(matches).width <= 1:
            met = [sum({*pair} <= {*table} for table in flat) for pair in combinations(range(entrants), 2)]
            widths.add(Span.of(met).width)
    assert min(widths) >= bound.width


@written_down
@given(st.sampled_from([2, 3, 4, 5]), st.integers(2, 60), st.integers(1, 6), st.integers())
@example(seats=2, entrants=7, rounds=3, seed=1)
@example(seats=3, entrants=8, rounds=3, seed=2)
@example(seats=4, entrants=2, rounds=6, seed=3)
@example(seats=5, entrants=6, rounds=4, seed=4)
@example(seats=5, entrants=30, rounds=2, seed=5)
def test_a_schedule_claims_to_be_best_only_with_a_proof(seats: int, entrants: int, rounds: int, seed: int) -> None:
    schedule = round_robin(max(entrants, seats), seats, rounds, rng=random.Random(seed))
    width = schedule.balance.meetings.width
    bound = narrowest_meetings(schedule.entrants, seats, schedule.matches * seats)
    assert width >= bound.width
    assert schedule.best_possible == (width == bound.width)
    assert schedule.best_possible >= (width <= 1)
    assert str(schedule.balance.meetings) in schedule.summary.sentence


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds", "width"),
    [
        (12, 5, 10, 3),
        pytest.param(23, 5, 10, 2, marks=pytest.mark.prove),
        pytest.param(17, 4, 10, 2, marks=pytest.mark.prove),
        pytest.param(20, 3, 10, 2, marks=pytest.mark.prove),
        pytest.param(8, 4, 10, 2, marks=pytest.mark.prove),
        pytest.param(16, 5, 10, 2, marks=pytest.mark.prove),
        pytest.param(30, 5, 10, 3, marks=pytest.mark.prove),
        pytest.param(64, 5, 10, 2, marks=pytest.mark.prove),
    ],
)
def test_ten_rounds_are_nearly_even_where_no_design_helps(entrants: int, seats: int, rounds: int, width: int) -> None:
    schedule = round_robin(entrants, seats, rounds, rng=random.Random("even"))
    assert schedule.balance.meetings.width <= width
    assert schedule.balance.byes.width <= 1
