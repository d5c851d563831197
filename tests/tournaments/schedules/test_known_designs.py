import random
from collections import Counter
from collections.abc import Callable
from itertools import chain, combinations

import pytest

from farfalia_tournaments.schedules.designs.base_rounds import developed, fewest_base_rounds
from farfalia_tournaments.schedules.designs.difference_families import cyclic_design
from farfalia_tournaments.schedules.designs.differences import Differences
from farfalia_tournaments.schedules.designs.doubled_planes import doubled_planes
from farfalia_tournaments.schedules.designs.known import BASE_ROUNDS, DIFFERENCE_FAMILIES
from farfalia_tournaments.schedules.designs.mixed_differences import balanced_rounds, rounds_at_most_once
from farfalia_tournaments.schedules.designs.resolvable import affine_geometry, circle_method
from farfalia_tournaments.schedules.designs.transversal import transversal_rounds
from farfalia_tournaments.schedules.designs.unital import hermitian_unital
from farfalia_tournaments.schedules.galois import plus, times
from farfalia_tournaments.schedules.model import Tables
from farfalia_tournaments.schedules.packing import packed
from farfalia_tournaments.schedules.relations import relate_evenly
from farfalia_tournaments.schedules.seats import evenly_seated


def meetings(rounds: list[Tables]) -> set[int]:
    """How often pairs meet, all pairs of those who sit anywhere."""
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))
    everybody = sorted(set(chain.from_iterable(chain.from_iterable(rounds))))
    return {met[pair] for pair in combinations(everybody, 2)}


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9, 16])
def test_a_field_is_a_field(order: int) -> None:
    elements = range(order)
    for a in elements:
        assert {plus(a, b, order) for b in elements} == set(elements)
        assert a == 0 or {times(a, b, order) for b in elements} == set(elements)
        assert plus(a, 0, order) == times(a, 1, order) == a
        for b in elements:
            assert times(a, b, order) == times(b, a, order)
            for c in elements:
                assert times(a, plus(b, c, order), order) == plus(times(a, b, order), times(a, c, order), order)
                assert times(a, times(b, c, order), order) == times(times(a, b, order), c, order)


@pytest.mark.parametrize("entrants", [3, 4, 7, 8, 20, 21])
def test_an_all_play_all_for_two_pairs_everybody_once(entrants: int) -> None:
    rounds = circle_method(entrants)
    assert len(rounds) == entrants - 1 + entrants % 2
    assert meetings(rounds) == {1}


@pytest.mark.parametrize(("entrants", "seats"), sorted(BASE_ROUNDS))
def test_a_known_base_round_develops_into_a_balanced_design(entrants: int, seats: int) -> None:
    infinity = entrants % seats == 0
    rounds = developed(entrants, seats, 1, infinity=infinity, rng=random.Random(1))
    assert rounds is not None
    assert len(rounds) == entrants - infinity
    for tables in rounds:
        seated = list(chain.from_iterable(tables))
        assert len(set(seated)) == len(seated) == entrants // seats * seats
    byes = Counter(chain.from_iterable(set(range(entrants)) - set(chain.from_iterable(tables)) for tables in rounds))
    assert set(byes.values()) <= {1}
    assert meetings(rounds) == {seats - 1}


@pytest.mark.parametrize(("entrants", "seats"), sorted(DIFFERENCE_FAMILIES))
def test_a_known_difference_family_lets_every_pair_meet_once(entrants: int, seats: int) -> None:
    tables = cyclic_design(entrants, seats, random.Random(1))
    assert len(tables) * seats * (seats - 1) == entrants * (entrants - 1)
    assert meetings([tables]) == {1}


@pytest.mark.parametrize(
    ("residues", "modulus", "times_met"),
    [([1, 3, 4, 5, 9], 11, 2), ([0, 1, 4, 14, 16], 21, 1), ([0, 1, 3, 9], 13, 1), ([0, 1, 3], 7, 1)],
)
def test_the_textbook_difference_sets_cost_nothing(residues: list[int], modulus: int, times_met: int) -> None:
    differences = Differences(modulus, [residues])
    assert differences.cost == 0
    assert set(differences.met[1:]) == {times_met}


def test_differences_stay_true_while_blocks_change() -> None:
    rng = random.Random(5)
    blocks = [rng.sample(range(12), 4) for _ in range(3)]
    kept = Differences(12, blocks)
    for _ in range(200):
        block = rng.choice(blocks)
        value = rng.choice([residue for residue in range(12) if residue not in block])
        before = kept.cost
        assert before + kept.replace(block, rng.randrange(4), value) == kept.cost
        fresh = Differences(12, blocks)
        assert (kept.met, kept.cost) == (fresh.met, fresh.cost)


@pytest.mark.parametrize(
    ("entrants", "seats", "turns"), [(20, 5, 1), (21, 5, 1), (9, 5, 2), (7, 5, 3), (13, 5, 3), (8, 5, 7)]
)
def test_as_many_base_rounds_can_develop_into_a_balanced_design(entrants: int, seats: int, turns: int) -> None:
    assert fewest_base_rounds(entrants, seats) == turns


def test_a_base_round_that_does_not_exist_is_not_found() -> None:
    # Ten entrants in nine rounds of two tables would be a design of triples that meet one and a half times.
    assert developed(10, 5, 1, infinity=True, rng=random.Random(1)) is None


def test_packing_keeps_all_tables_and_seats_nobody_twice() -> None:
    tables = cyclic_design(30, 5, random.Random(3))
    rounds = packed(tables, random.Random(4))
    assert sorted(map(tuple, chain.from_iterable(rounds))) == sorted(map(tuple, tables))
    for packed_tables in rounds:
        seated = list(chain.from_iterable(packed_tables))
        assert len(set(seated)) == len(seated)


def test_seats_come_out_even_whatever_the_tables_are() -> None:
    rng = random.Random(8)
    tables = [rng.sample(range(9), 4) for _ in range(101)]
    for seated in (evenly_seated(tables, 4), relate_evenly(evenly_seated(tables, 4), 4, rng)):
        assert [sorted(table) for table in seated] == [sorted(table) for table in tables]
        for entrant in range(9):
            held = Counter(table.index(entrant) for table in seated if entrant in table)
            assert max(held.values()) - min(held[seat] for seat in range(4)) <= 1


def test_relations_become_much_more_even_than_seats_alone_make_them() -> None:
    def unevenness(tables: Tables) -> int:
        met: Counter[tuple[int, int]] = Counter()
        related: Counter[tuple[int, int, int]] = Counter()
        for table in tables:
            for one, other in combinations(sorted(table), 2):
                met[one, other] += 1
                related[one, other, (table.index(other) - table.index(one)) % 5] += 1
        best = sum((count // 4) ** 2 * (4 - count % 4) + (count // 4 + 1) ** 2 * (count % 4) for count in met.values())
        return sum(count * count for count in related.values()) - best

    rng = random.Random(9)
    tables = evenly_seated([rng.sample(range(8), 5) for _ in range(60)], 5)
    assert unevenness(relate_evenly(tables, 5, rng)) < unevenness(tables) / 3


@pytest.mark.parametrize(
    ("design", "entrants", "seats", "rounds", "times_met"),
    [
        *((affine_geometry, *one, {1}) for one in ((25, 5, 6), (125, 5, 31), (16, 4, 5), (64, 4, 21), (9, 3, 4))),
        (affine_geometry, 81, 3, 40, {1}),
        *((hermitian_unital, *one, {1}) for one in ((9, 3, 4), (28, 4, 9), (65, 5, 16), (126, 6, 25))),
        *((balanced_rounds, *one, {1}) for one in ((21, 3, 10), (33, 3, 16), (39, 3, 19), (45, 3, 22), (51, 3, 25))),
        *((balanced_rounds, *one, {1}) for one in ((57, 3, 28), (40, 4, 13), (85, 5, 21))),
        (balanced_rounds, 10, 3, 10, {2}),
        # One round more would need more opponents than are left, here and of social golfers.
        (doubled_planes, 32, 4, 10, {0, 1}),
        *(
            (rounds_at_most_once, *one, {0, 1})
            for one in ((18, 3, 8), (24, 3, 11), (30, 3, 14), (36, 3, 17), (24, 4, 7))
        ),
    ],
)
def test_a_design_has_full_rounds_in_which_all_pairs_meet_as_often_as_it_says(
    design: Callable[[int, int], list[Tables] | None], entrants: int, seats: int, rounds: int, times_met: set[int]
) -> None:
    found = design(entrants, seats)
    assert found is not None
    assert len(found) == rounds
    assert_full_rounds(found, entrants, seats)
    byes = Counter(chain.from_iterable(set(range(entrants)) - set(chain.from_iterable(tables)) for tables in found))
    assert not byes or set(byes.values()) == {1}
    assert meetings(found) == times_met
    assert 0 not in times_met or (entrants - 1) // (seats - 1) == rounds


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"),
    [(35, 5, 7), (40, 5, 8), (45, 5, 9), (55, 5, 11), (65, 5, 13), (175, 5, 35), (28, 4, 7), (32, 4, 8), (24, 3, 8)],
)
def test_a_transversal_design_has_as_many_rounds_as_its_groups_have_members(
    entrants: int, seats: int, rounds: int
) -> None:
    """Nobody meets anybody twice in them."""
    design = transversal_rounds(entrants, seats, rounds)
    assert design is not None
    assert len(design) == rounds
    assert_full_rounds(design, entrants, seats)
    assert meetings(design) == {0, 1}
    assert transversal_rounds(entrants, seats, rounds + 1) is None


def assert_full_rounds(rounds: list[Tables], entrants: int, seats: int) -> None:
    for tables in rounds:
        seated = list(chain.from_iterable(tables))
        assert {len(table) for table in tables} == {seats}
        assert len(set(seated)) == len(seated) == entrants // seats * seats
        assert set(seated) <= set(range(entrants))


@pytest.mark.parametrize(
    ("design", "sizes"),
    [
        (affine_geometry, [(24, 5), (26, 5), (5 * 16, 5), (20, 4), (6, 3)]),
        (hermitian_unital, [(64, 5), (28, 5), (217, 7), (2, 2)]),
        (doubled_planes, [(31, 4), (32, 5), (50, 5), (18, 3)]),
        (transversal_rounds, [(30, 5, 2), (50, 5, 3), (20, 5, 2), (36, 5, 2), (24, 4, 3)]),
    ],
)
def test_other_sizes_have_no_such_design(design: Callable[..., object], sizes: list[tuple[int, ...]]) -> None:
    assert [size for size in sizes if design(*size) is not None] == []
