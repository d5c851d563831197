"""A ladder that never ends: everybody has a share, nobody meets a sibling, and it can be told why somebody waits."""

import random
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farfalia_tournaments import Candidate, Reason, WaitingPool, WaitStatus
from farfalia_tournaments import why_waiting as why
from farfalia_tournaments.ladder import _information

#: The moment at which these tables are drawn, seconds.
NOW = 1000.0


def candidate(
    entrant: int, matches: int = 0, owner: Hashable = None, *, idle: float = 10.0, **more: float
) -> Candidate:
    return replace(Candidate(entrant, 25.0, 25 / 3, matches, NOW - idle, owner), **more)  # type: ignore[arg-type]


def pool_of(field: Iterable[Candidate], seats: int, *, siblings: bool = False) -> WaitingPool:
    pool = WaitingPool(seats, siblings=siblings)
    for one in field:
        pool.put(one)
    return pool


def next_table(
    field: Iterable[Candidate], seats: int, *, rng: random.Random, siblings: bool = False
) -> tuple[int, ...] | None:
    """The first table of those who wait."""
    return pool_of(field, seats, siblings=siblings).next_table(NOW, rng)


def why_waiting(entrant: int, field: Iterable[Candidate], seats: int, **more: Any) -> WaitStatus:
    pool = pool_of(field, seats, siblings=more.pop("siblings", False))
    return why(pool, pool.places().get(entrant), **more)


def play(
    owners: Sequence[Hashable], seats: int, tables: int, seed: int, start: Sequence[int] = (), busy: int = 0
) -> tuple[list[int], list[tuple[int, ...]]]:
    """How many matches everybody has after `tables` tables, of which `busy` are played at any time, and the tables."""
    rng = random.Random(seed)
    strength = [rng.gauss(25, 4) for _ in owners]
    matches, last = [*(start or [0] * len(owners))], [0.0] * len(owners)
    begun: list[tuple[int, ...]] = []
    for now in range(tables):
        playing = {entrant for table in begun[len(begun) - busy :] for entrant in table}
        field = [
            Candidate(
                entrant,
                strength[entrant],
                25 / 3 / (1 + matches[entrant] / 8) ** 0.5,
                matches[entrant],
                NOW - now + last[entrant],
                owner,
                capacity=entrant not in playing,
            )
            for entrant, owner in enumerate(owners)
        ]
        table = next_table(field, seats, rng=rng)
        assert table is not None
        begun.append(table)
        for entrant in table:
            matches[entrant] += 1
            last[entrant] = float(now)
    return matches, begun


@pytest.mark.parametrize(
    ("entrants", "seats", "tables", "busy"),
    [
        (7, 5, 400, 0),
        (30, 5, 300, 4),
        (20, 2, 300, 3),
        *(
            pytest.param(*field, marks=pytest.mark.prove)
            for field in ((30, 5, 1500, 0), (30, 5, 1500, 4), (100, 5, 1000, 3), (20, 2, 1000, 3), (12, 3, 800, 1))
        ),
    ],
)
def test_everybody_has_about_an_equal_share(entrants: int, seats: int, tables: int, busy: int) -> None:
    matches, _ = play(range(entrants), seats, tables, seed=1, busy=busy)
    mean = tables * seats / entrants
    assert min(matches) >= 0.95 * mean - 1
    assert max(matches) <= 1.05 * mean + 8


@settings(max_examples=15)
@given(st.sampled_from([2, 3, 4, 5]), st.integers(5, 30), st.integers(0, 200), st.integers(0, 99))
def test_the_entrant_that_has_played_least_is_at_every_table(seats: int, entrants: int, tables: int, seed: int) -> None:
    matches = [0] * entrants
    for table in play(range(entrants), seats, tables, seed)[1]:
        assert len(set(table)) == len(table) == seats
        assert min(matches) in {matches[entrant] for entrant in table}
        for entrant in table:
            matches[entrant] += 1
    # The least played rises by one in as many tables as there are entrants, at the latest.
    assert min(matches) >= tables // entrants


def test_a_newcomer_plays_at_once_and_with_settled_bots() -> None:
    matches, tables = play(range(20), 5, 60, seed=3, start=[400] * 19 + [0])
    assert matches[19] == 60
    opponents = Counter(entrant for table in tables for entrant in table if entrant != 19)
    assert len(opponents) == 19
    assert max(opponents.values()) <= 3 * 60 * 4 / 19


def test_newcomers_meet_each_other_and_settled_bots() -> None:
    _, tables = play(range(30), 5, 100, seed=3, start=[400] * 20 + [0] * 10)
    newcomers = Counter(sum(entrant >= 20 for entrant in table) for table in tables)
    assert sum(number * count for number, count in newcomers.items()) >= 250
    assert sum(count for number, count in newcomers.items() if number < 5) >= 50


def test_those_of_whom_less_is_known_are_preferred_and_those_who_are_near() -> None:
    rng = random.Random(8)
    field = [
        candidate(0),
        candidate(1, 1, sigma=2.0),
        candidate(2, 1),
        candidate(3, 1, mu=60.0),
        candidate(4, 1, idle=60.0),
    ]
    drawn = Counter(entrant for _ in range(2000) for entrant in next_table(field, 2, rng=rng) or ())
    assert drawn[0] == 2000
    assert drawn[1] < drawn[3] < drawn[2] < drawn[4]
    assert drawn[1] > 50


@settings(max_examples=50)
@given(st.data(), st.sampled_from([2, 3, 4, 5]), st.integers(0, 99))
def test_a_table_begins_whenever_enough_owners_wait_and_never_with_siblings(
    data: st.DataObject, seats: int, seed: int
) -> None:
    owners = data.draw(st.lists(st.sampled_from([None, "ada", "ben", "cleo", "dan"]), max_size=12), label="owners")
    field = [candidate(entrant, entrant % 3, owner) for entrant, owner in enumerate(owners)]
    possible = owners.count(None) + len(set(owners) - {None})
    table = next_table(field, seats, rng=random.Random(seed))
    assert (table is not None) == (possible >= seats)
    for one, other in combinations(table or (), 2):
        assert owners[one] is None or owners[one] != owners[other]
    allowed = next_table(field, seats, rng=random.Random(seed), siblings=True)
    assert (allowed is not None) == (len(owners) >= seats)


def test_siblings_share_their_owners_places_equally() -> None:
    owners = ["ada"] * 6 + ["ben", "cleo", "dan", "eve", "fay"]
    matches, _ = play(owners, 5, 300, seed=2)
    assert max(matches[:6]) - min(matches[:6]) <= 1
    assert sum(matches[:6]) >= 200


def test_who_has_no_free_place_is_not_seated() -> None:
    field = [candidate(0, capacity=0), candidate(1), candidate(2), candidate(3)]
    assert set(next_table(field, 3, rng=random.Random(1)) or ()) == {1, 2, 3}
    assert next_table(field, 4, rng=random.Random(1)) is None


def test_a_table_depends_on_the_candidates_and_the_state_of_chance_alone() -> None:
    field = [candidate(entrant, entrant % 4) for entrant in range(12)]
    table = next_table(field, 5, rng=random.Random(4))
    assert next_table(field, 5, rng=random.Random(4)) == table
    assert {next_table(field, 5, rng=random.Random(seed)) for seed in range(9)} > {table}


def test_who_waited_longest_of_the_least_played_is_first() -> None:
    field = [candidate(entrant, 3, idle=float(entrant)) for entrant in range(6)]
    assert all(5 in (next_table(field, 2, rng=random.Random(seed)) or ()) for seed in range(20))


@pytest.mark.parametrize(
    ("owners", "busy", "reason", "sentence"),
    [
        ([1, 2, 3, 4, 5, 6], {0}, Reason.AT_CAPACITY, "It plays as many matches at a time as it can."),
        ([1, 2, 3], set(), Reason.TOO_FEW, "A table needs 4 others, and 2 are waiting."),
        ([1, 2, 3, 4, 5], {3, 4}, Reason.TOO_FEW, "A table needs 4 others, and 2 are waiting."),
        ([1], set(), Reason.TOO_FEW, "A table needs 4 others, and none is waiting."),
        (
            [1, 1, 1, 1, 1, 2],
            set(),
            Reason.ONLY_SIBLINGS,
            "A table needs 4 others, all of different owners, and 1 is waiting.",
        ),
        ([1, 2, 3, 4, 5], set(), Reason.IN_LINE, "It is the first in line, and sits at the next table."),
    ],
)
def test_it_says_why_somebody_waits(owners: list[int], busy: set[int], reason: Reason, sentence: str) -> None:
    field = [candidate(entrant, entrant, owner, capacity=entrant not in busy) for entrant, owner in enumerate(owners)]
    waiting = why_waiting(0, field, 5, seconds_between_tables=4.0)
    assert (waiting.reason, waiting.sentence) == (reason, sentence)
    assert waiting.seconds == {Reason.IN_LINE: 4.0}.get(reason)
    assert (next_table(field, 5, rng=random.Random(1)) is None) == (reason in (Reason.TOO_FEW, Reason.ONLY_SIBLINGS))


def test_it_says_who_is_ahead_and_for_about_how_long() -> None:
    field = [candidate(entrant, entrant) for entrant in range(12)]
    waiting = why_waiting(2, field, 5, seconds_between_tables=4.0)
    assert (waiting.place, waiting.seconds) == (3, 12.0)
    assert waiting.sentence == "It is number 3 of 12 in line, by matches played; a table seats 5."
    assert why_waiting(11, field, 5, seconds_between_tables=4.0).seconds == 12.0
    assert why_waiting(11, field, 5).seconds is None


def test_siblings_that_may_meet_do_not_wait_for_others() -> None:
    field = [candidate(entrant, entrant, owner="ada") for entrant in range(5)]
    assert why_waiting(3, field, 5).reason is Reason.ONLY_SIBLINGS
    assert why_waiting(3, field, 5, siblings=True).reason is Reason.IN_LINE


@pytest.mark.parametrize("tables", [2000, pytest.param(20_000, marks=pytest.mark.prove)])
def test_tables_are_drawn_by_what_a_match_teaches_exactly(tables: int) -> None:
    rng = random.Random(5)
    field = [
        candidate(entrant, 1, mu=rng.gauss(25, 6), sigma=rng.uniform(1, 8), idle=rng.uniform(0, 60))
        for entrant in range(1, 12)
    ]
    first = candidate(0)
    drawn = Counter(
        entrant for _ in range(tables) for entrant in next_table([first, *field], 2, rng=rng) or () if entrant
    )
    spread = max(
        statistics.pstdev(one.mu for one in [first, *field]), statistics.fmean(one.sigma for one in [first, *field])
    )
    patience = statistics.fmean(NOW - one.since for one in [first, *field])
    lessons = {one.entrant: _information(first, one, spread, patience, NOW) for one in field}
    expected = {entrant: tables * lesson / sum(lessons.values()) for entrant, lesson in lessons.items()}
    assert (
        sum((drawn[entrant] - count) ** 2 / count for entrant, count in expected.items()) < 25
    )  # 10 degrees of freedom


@settings(max_examples=50)
@given(st.data(), st.integers(0, 99))
def test_a_pool_that_was_kept_up_to_date_is_a_pool_made_again(data: st.DataObject, seed: int) -> None:
    rng = random.Random(seed)
    kept, known = WaitingPool(3), dict[int, Candidate]()
    for _ in range(data.draw(st.integers(0, 60))):
        entrant = rng.randrange(12)
        if rng.random() < 0.3:
            kept.remove(entrant)
            known.pop(entrant, None)
        else:
            one = candidate(
                entrant, rng.randrange(5), rng.choice([None, "ada", "ben"]), mu=rng.gauss(25, 4), idle=rng.random()
            )
            kept.put(one)
            known[entrant] = one
    anew = pool_of(known.values(), 3)
    assert kept.places() == anew.places()
    assert (len(kept), kept.groups) == (len(anew), anew.groups)
    table, other = kept.next_table(NOW, random.Random(1)), anew.next_table(NOW, random.Random(1))
    assert (table is None) == (other is None)
    if table and other:
        first = min(known.values(), key=lambda one: (one.matches, one.since, one.entrant)).entrant
        assert first in table
        assert first in other


def test_who_is_seated_has_played_one_more_and_waits_from_now_on() -> None:
    pool = pool_of([candidate(entrant, capacity=2 if entrant else 1) for entrant in range(3)], 3)
    assert set(pool.next_table(NOW, random.Random(1)) or ()) == {0, 1, 2}
    assert pool.places().keys() == {1, 2}
    assert pool.next_table(NOW, random.Random(1)) is None
    assert set(pool.next_partial_table(NOW)) == {1, 2}
    assert len(pool) == 0
    assert pool.next_partial_table(NOW) == ()


def steps(work: Callable[[], object]) -> int:
    """How many lines of Python a call runs through."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("many", [2000, pytest.param(10_000, marks=pytest.mark.prove)])
def test_a_table_among_thousands_costs_little_more_than_one_among_a_hundred(many: int) -> None:
    def cost(entrants: int) -> float:
        rng = random.Random(7)
        pool = pool_of(
            (
                candidate(entrant, rng.randrange(40), entrant % (entrants // 2), mu=rng.gauss(25, 5), capacity=99)
                for entrant in range(entrants)
            ),
            5,
        )
        return statistics.median(steps(lambda: pool.next_table(NOW, rng)) for _ in range(30))

    assert cost(many) < 2.5 * cost(100)
