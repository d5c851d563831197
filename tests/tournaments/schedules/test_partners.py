"""Who plays together, where some seats are a team."""

import hashlib
import random
from collections import Counter
from functools import cache
from itertools import chain, combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.examples import written_down

from farfalia_tournaments import Schedule, Span, round_robin

TEAMS = ((0, 2), (1, 3))


@cache
def draw(entrants: int, rounds: int | None = None, seed: object = 1) -> Schedule:
    return round_robin(entrants, 4, rounds, rng=random.Random(repr(seed)), teams=TEAMS)


def partners(schedule: Schedule, rounds: int | None = None) -> Span:
    """How often any two play together in the first rounds, or in all."""
    tables = chain.from_iterable(round_.tables for round_ in schedule.rounds[:rounds])
    pairs = Counter(tuple(sorted(table[seat] for seat in team)) for table in tables for team in TEAMS)
    return Span.of(pairs[pair] for pair in combinations(range(schedule.entrants), 2))


@pytest.mark.parametrize(
    ("rounds", "together"), [(6, Span(2, 2)), (7, Span(2, 3)), (None, Span(2, 2)), (12, Span(4, 4)), (36, Span(12, 12))]
)
def test_four_have_each_other_as_partners_equally_often(rounds: int | None, together: Span) -> None:
    schedule = draw(4, rounds)
    assert partners(schedule) == together
    assert schedule.balance.seats.width <= 1


@pytest.mark.parametrize("rounds", [3, 4, 5, 8, 9, 10, 15, 16, 21])
def test_of_four_no_two_are_partners_much_more_often_at_any_time(rounds: int) -> None:
    # In a multiple of four rounds, seats that are exactly even leave an even number to every pair: two apart at best.
    schedule = draw(4, rounds)
    assert schedule.balance.seats.width <= 1
    for played in range(1, rounds + 1):
        assert partners(schedule, played).width <= 2


@written_down
@given(st.integers(5, 20), st.none() | st.integers(1, 20), st.integers())
@example(entrants=5, rounds=7, seed=1)
@example(entrants=8, rounds=None, seed=1)
@example(entrants=9, rounds=8, seed=1)
def test_partners_are_nearly_even_in_every_field(entrants: int, rounds: int | None, seed: int) -> None:
    schedule = draw(entrants, rounds, seed)
    assert partners(schedule).width <= 4
    assert schedule.balance.seats.width <= 1
    assert schedule.balance.byes.width <= 1


@pytest.mark.parametrize(
    ("entrants", "rounds"),
    [
        (5, None),
        (8, None),
        (16, None),
        *(pytest.param(*field, marks=pytest.mark.prove) for field in ((5, 20), (12, 11), (40, 20))),
    ],
)
def test_partners_are_even_within_two_in_usual_fields(entrants: int, rounds: int | None) -> None:
    assert partners(draw(entrants, rounds)).width <= 2


@pytest.mark.parametrize(("entrants", "expected"), [(4, "136b2c387dd800bf"), (9, "487104a3da5a5165")])
def test_a_seed_gives_the_same_partners_on_every_machine(entrants: int, expected: str) -> None:
    # A change of the drawing itself may change these; say so in the changelog, for tournaments cannot be redrawn then.
    rounds = draw(entrants, 14, seed=2026).rounds
    text = repr(rounds).replace(" byes=", " sitting_out=")  # as it was when the digests were taken
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == expected


def test_teams_change_nothing_about_who_meets_whom() -> None:
    schedule, plain = draw(9, 8, 1), round_robin(9, 4, 8, rng=random.Random(repr(1)))
    assert [[sorted(table) for table in round_.tables] for round_ in schedule.rounds] == [
        [sorted(table) for table in round_.tables] for round_ in plain.rounds
    ]
