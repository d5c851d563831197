"""Knock-out of tables: full tables, a full final, and the better ones go on."""

import random
from collections import Counter
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia_tournaments import History, KnockoutRound, ScheduleError, knockout_plan, knockout_round
from farfalia_tournaments.schedules.knockout import advanced

shapes = st.sampled_from([(2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 1), (5, 2), (5, 3), (5, 4)])


def play(entrants: int, seats: int, advance: int, seed: int) -> list[KnockoutRound]:
    """A knock-out whose results are drawn, to its final."""
    rng = random.Random(seed)
    seeds = list(range(entrants))
    drawn: list[KnockoutRound] = []
    while not drawn or len(drawn[-1].tables) > 1 or drawn[-1].byes:
        history = History.of(round_.tables for round_ in drawn)
        byes = Counter(chain.from_iterable(round_.byes for round_ in drawn))
        drawn.append(knockout_round(seeds, seats, advance, history, byes, rng=rng))
        seeds = advanced(drawn[-1], seeds, advance, {entrant: rng.random() for entrant in seeds})
    return drawn


def present(round_: KnockoutRound) -> list[int]:
    """The entrants at the tables of a round."""
    return [entrant for entrant in chain.from_iterable(round_.tables) if entrant is not None]


@given(shapes, st.integers(2, 300), st.integers(0, 99))
def test_a_knockout_goes_as_it_was_planned(shape: tuple[int, int], entrants: int, seed: int) -> None:
    seats, advance = shape
    entrants = max(entrants, seats)
    plan = knockout_plan(entrants, seats, advance)
    drawn = play(entrants, seats, advance, seed)
    assert len(drawn) == len(plan)
    still_in = set(range(entrants))
    for round_, size in zip(drawn, plan, strict=True):
        seated = present(round_)
        assert {*seated, *round_.byes} <= still_in
        still_in = {*seated, *round_.byes}
        assert size.entrants == len(still_in) == len(seated) + len(round_.byes)
        assert len(round_.tables) == size.tables
        assert {len(table) for table in round_.tables} == {seats}
        assert len(round_.byes) == size.byes < seats
        assert sum(table.count(None) for table in round_.tables) == size.house_bots


@given(shapes, st.integers(2, 400))
def test_a_final_is_one_table_full_of_entrants(shape: tuple[int, int], entrants: int) -> None:
    seats, advance = shape
    entrants = max(entrants, seats)
    *earlier, final = knockout_plan(entrants, seats, advance)
    assert (final.entrants, final.tables, final.byes, final.house_bots) == (seats, 1, 0, 0)
    with_house_bots = [size.house_bots for size in earlier if size.house_bots]
    assert len(with_house_bots) <= 1
    # Even if all house bots sit at one table, an entrant is knocked out there, and no house bot goes on.
    assert sum(with_house_bots) < seats - advance


@given(shapes, st.integers(2, 300), st.integers(0, 99))
def test_nobody_goes_on_without_playing_again_before_all_others_have(
    shape: tuple[int, int], entrants: int, seed: int
) -> None:
    seats, advance = shape
    byes: Counter[int] = Counter()
    for round_ in play(max(entrants, seats), seats, advance, seed):
        seated = present(round_)
        assert max((byes[entrant] for entrant in round_.byes), default=0) <= min(byes[entrant] for entrant in seated)
        byes.update(round_.byes)


@pytest.mark.parametrize(
    ("entrants", "seats", "advance", "rounds"),
    [
        (16, 2, None, [(16, 8, 0, 0), (8, 4, 0, 0), (4, 2, 0, 0), (2, 1, 0, 0)]),
        (11, 2, 1, [(11, 5, 1, 0), (6, 3, 0, 0), (3, 1, 1, 0), (2, 1, 0, 0)]),
        (16, 4, 2, [(16, 4, 0, 0), (8, 2, 0, 0), (4, 1, 0, 0)]),
        (25, 5, None, [(25, 5, 0, 0), (10, 2, 1, 1), (5, 1, 0, 0)]),
        (10, 5, 2, [(10, 2, 1, 1), (5, 1, 0, 0)]),
        (6, 5, 2, [(6, 1, 3, 2), (5, 1, 0, 0)]),
        (5, 5, 2, [(5, 1, 0, 0)]),
        (9, 3, 1, [(9, 3, 0, 0), (3, 1, 0, 0)]),
    ],
)
def test_a_plan_tells_rounds_tables_and_house_bots_ahead(
    entrants: int, seats: int, advance: int | None, rounds: list[tuple[int, int, int, int]]
) -> None:
    plan = knockout_plan(entrants, seats, advance)
    assert [(size.entrants, size.tables, size.byes, size.house_bots) for size in plan] == rounds


def test_the_best_seeds_are_parted_and_tables_about_equally_strong() -> None:
    drawn = knockout_round(range(12), 4, 2, History.of([]), {}, rng=random.Random(1))
    assert sorted(sorted(map(str, table)) for table in drawn.tables) == [
        ["0", "11", "5", "6"],
        ["1", "10", "4", "7"],
        ["2", "3", "8", "9"],
    ]


def test_the_best_of_each_table_go_on_and_equal_scores_by_seed() -> None:
    round_ = KnockoutRound(((4, 1, None, 2), (5, 3, 6, 7)), (0,))
    scores = {1: -3.0, 2: 5.5, 4: -3.0, 3: 1.0, 5: 1.0, 6: 9.0, 7: 1.0}
    assert advanced(round_, range(8), 2, scores) == [0, 1, 2, 3, 6]


def test_who_withdrew_between_rounds_is_replaced_by_a_house_bot() -> None:
    drawn = knockout_round([7, 3], 4, 2, History.of([]), {}, rng=random.Random(1))
    assert Counter(drawn.tables[0]) == {3: 1, 7: 1, None: 2}
    assert drawn.byes == ()


@pytest.mark.parametrize(
    ("entrants", "seats", "advance", "named"),
    [
        (4, 5, None, "a knock-out of 4 entrants: expected at least 5"),
        (9, 5, 5, "advance 5: expected 1 to 4 of the 5 at a table"),
        (9, 5, 0, "advance 0: expected 1 to 4"),
        (9, 2, -1, "advance -1: expected 1 to 1"),
    ],
)
def test_what_cannot_be_knocked_out_is_named(entrants: int, seats: int, advance: int | None, named: str) -> None:
    with pytest.raises(ScheduleError, match=named):
        knockout_plan(entrants, seats, advance)
