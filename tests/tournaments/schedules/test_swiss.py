"""Rounds for many entrants: neighbours meet, hardly anybody twice, and nobody sits out more than others."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations, permutations
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import fewest

from farfalia_tournaments import History, Round, ScheduleError, swiss_round
from farfalia_tournaments.schedules.grouping import grouped
from farfalia_tournaments.schedules.swiss import seated

seats_of_a_table = st.sampled_from([2, 3, 4, 5])


def play(entrants: int, seats: int, rounds: int, seed: int) -> list[Round]:
    """A tournament whose entrants differ in strength, and in luck three times as much."""
    luck = random.Random(f"luck {seed}")
    scores = dict.fromkeys(range(entrants), 0.0)
    drawn: list[Round] = []
    for number in range(rounds):
        history = History.of(round_.tables for round_ in drawn)
        drawn.append(swiss_round(scores, seats, history, rng=random.Random(f"{seed} {number}")))
        for entrant in chain.from_iterable(drawn[-1].tables):
            scores[entrant] += luck.gauss(entrant / entrants, 3)
    return drawn


def repeats(drawn: Sequence[Round]) -> list[int]:
    """How many meetings of each round are not the first of two."""
    found = []
    for number, round_ in enumerate(drawn):
        history = History.of(earlier.tables for earlier in drawn[:number])
        found.append(sum(history.meetings(*pair) > 0 for table in round_.tables for pair in combinations(table, 2)))
    return found


@fewest
@given(seats_of_a_table, st.integers(2, 60), st.integers(1, 8), st.integers(0, 99))
def test_everybody_has_one_place_a_round_and_byes_are_equal(seats: int, entrants: int, rounds: int, seed: int) -> None:
    entrants = max(entrants, seats)
    drawn = play(entrants, seats, rounds, seed)
    for round_ in drawn:
        assert sorted([*chain.from_iterable(round_.tables), *round_.byes]) == list(range(entrants))
        assert {len(table) for table in round_.tables} == {seats}
        assert len(round_.byes) < seats
    byes = Counter(chain.from_iterable(round_.byes for round_ in drawn))
    assert max(byes[entrant] for entrant in range(entrants)) - min(byes[entrant] for entrant in range(entrants)) <= 1


@fewest
@given(seats_of_a_table, st.integers(4, 60), st.integers(1, 9), st.integers(0, 99))
def test_nobody_meets_again_while_there_are_more_tables_than_opponents_met(
    seats: int, entrants: int, rounds: int, seed: int
) -> None:
    # Hajnal and Szemerédi: with more tables than anybody has met others, the entrants can always be dealt to them.
    entrants = max(entrants, seats)
    possible = [number * (seats - 1) < entrants // seats for number in range(rounds)]
    for number, found in enumerate(repeats(play(entrants, seats, rounds, seed))):
        assert found == 0 or not possible[number]


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"),
    [
        (100, 5, 8),
        pytest.param(250, 2, 7, marks=pytest.mark.prove),
        pytest.param(250, 5, 7, marks=pytest.mark.prove),
        pytest.param(250, 3, 7, marks=pytest.mark.prove),
    ],
)
def test_large_fields_play_many_rounds_without_meeting_again(entrants: int, seats: int, rounds: int) -> None:
    drawn = play(entrants, seats, rounds, seed=1)
    assert repeats(drawn) == [0] * rounds
    history = History.of(round_.tables for round_ in drawn)
    held = [[history.held(entrant, seat) for seat in range(seats)] for entrant in range(entrants)]
    assert max(max(counts) - min(counts) for counts in held) <= (2 if seats > 2 else 3)


@fewest
@given(seats_of_a_table, st.integers(2, 30), st.integers(1, 12), st.integers(0, 99))
def test_seats_stay_about_even(seats: int, entrants: int, rounds: int, seed: int) -> None:
    entrants = max(entrants, seats)
    history = History.of(round_.tables for round_ in play(entrants, seats, rounds, seed))
    for entrant in range(entrants):
        held = [history.held(entrant, seat) for seat in range(seats)]
        # Two who have both sat more often to the right cannot both sit to the left; at larger tables there is a way.
        assert max(held) - min(held) <= (3 if seats > 2 else 2 + log2(entrants))


def test_tables_are_paired_by_score() -> None:
    scores = {entrant: float(-entrant) for entrant in range(20)}
    drawn = swiss_round(scores, 5, History.of([]), rng=random.Random(1))
    assert [sorted(table) for table in drawn.tables] == [list(range(at, at + 5)) for at in range(0, 20, 5)]


def test_those_who_met_are_parted_within_reach_of_their_standing() -> None:
    scores = {entrant: float(-entrant) for entrant in range(100)}
    earlier = [[range(at, at + 5) for at in range(0, 100, 5)]]
    drawn = swiss_round(scores, 5, History.of(earlier), rng=random.Random(1))
    assert repeats([Round(tuple(map(tuple, earlier[0])), ()), drawn])[1] == 0
    assert max(max(table) - min(table) for table in drawn.tables) <= 40
    assert sum(max(table) - min(table) for table in drawn.tables) <= 20 * 25


def test_the_last_of_those_with_the_fewest_byes_has_the_next() -> None:
    scores = {entrant: float(-entrant) for entrant in range(7)}
    first = swiss_round(scores, 5, History.of([]), rng=random.Random(1))
    assert first.byes == (5, 6)
    second = swiss_round(scores, 5, History.of([first.tables]), rng=random.Random(1))
    assert second.byes == (3, 4)


@fewest
@given(seats_of_a_table, st.integers(6, 40), st.integers(2, 12), st.integers(0, 99))
def test_who_comes_late_or_leaves_changes_nothing_about_the_others_byes(
    seats: int, entrants: int, rounds: int, seed: int
) -> None:
    rng = random.Random(seed)
    present = set(range(entrants))
    stayed = set(present)
    drawn: list[Round] = []
    for number in range(rounds):
        if number and len(present) > seats:
            leaver = rng.choice(sorted(present))
            present.remove(leaver)
            stayed.discard(leaver)
        if rng.random() < 0.5:
            present.add(entrants + number)
        history = History.of(round_.tables for round_ in drawn)
        drawn.append(swiss_round(dict.fromkeys(present, 0.0), seats, history, rng=rng))
        assert {*chain.from_iterable(drawn[-1].tables), *drawn[-1].byes} == present
    byes = Counter(chain.from_iterable(round_.byes for round_ in drawn))
    assert not stayed or max(byes[one] for one in stayed) - min(byes[one] for one in stayed) <= 1


def test_a_history_counts_no_house_bots() -> None:
    history = History.of([[(3, None, 1)], [(1, 3, None)], [(None, 4, 1)]])
    assert (history.meetings(1, 3), history.meetings(3, 1), history.meetings(4, 3)) == (2, 2, 0)
    assert [history.held(1, seat) for seat in range(3)] == [1, 0, 2]
    assert [history.byes(entrant) for entrant in (1, 3, 4, 9)] == [0, 1, 2, 3]


@settings(max_examples=20)
@given(st.integers(0, 999))
def test_a_table_is_seated_as_evenly_as_any_order_is(seed: int) -> None:
    rng = random.Random(seed)
    history = History.of([[rng.sample(range(5), 5)] for _ in range(rng.randrange(6))])
    least = [min(history.held(entrant, seat) for seat in range(5)) for entrant in range(5)]

    def worst(order: Sequence[int]) -> int:
        return max(history.held(entrant, seat) - least[entrant] for seat, entrant in enumerate(order))

    assert worst(seated(range(5), history)) == min(map(worst, permutations(range(5))))


def test_where_all_have_met_the_fewest_meetings_are_repeated() -> None:
    met = {(0, 1): 2, (2, 3): 2}
    tables = grouped(range(4), 2, lambda one, other: met.get((min(one, other), max(one, other)), 1), random.Random(1))
    assert sorted(map(sorted, tables)) in ([[0, 2], [1, 3]], [[0, 3], [1, 2]])


def test_the_same_state_of_chance_gives_the_same_round() -> None:
    scores = dict.fromkeys(range(23), 0)
    rounds = [swiss_round(scores, 4, History.of([]), rng=random.Random(seed)) for seed in ("x", "x", "y")]
    assert rounds[0] == rounds[1] != rounds[2]
    backwards = dict.fromkeys(reversed(range(23)), 0)
    assert swiss_round(backwards, 4, History.of([]), rng=random.Random("x")) == rounds[0]


def test_too_few_for_a_table_is_named() -> None:
    with pytest.raises(ScheduleError, match="4 entrants present: expected at least 5"):
        swiss_round(dict.fromkeys(range(4), 0), 5, History.of([]), rng=random.Random(1))
