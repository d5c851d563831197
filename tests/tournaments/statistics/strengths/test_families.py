"""Families: bots that are nearly equal by what they are, and how sure the fit is of who is stronger among them."""

import random

import pytest
from tests.tournaments.fields import TWO_FAMILIES, field, played, two_families

from farfalia_tournaments import fit_strengths
from farfalia_tournaments.statistics.strengths.algebra import cholesky, inverse, times


def test_members_of_a_family_are_told_apart_less_surely_than_strangers() -> None:
    for seed in range(4):
        results = two_families(seed, 80)
        known, alone = fit_strengths(results, families=TWO_FAMILIES), fit_strengths(results)
        for one in range(5):
            for other in range(one):
                assert abs(known.probability(one, other) - 0.5) <= abs(alone.probability(one, other) - 0.5) + 0.01
        assert all(known.probability(one, other) > 0.95 for one in range(5) for other in range(5, 10))


def test_a_member_that_is_far_behind_its_family_is_found() -> None:
    results = played(random.Random(3), [0.0] * 4 + [-35.0] + [3.0] * 5, 80)
    fit = fit_strengths(results, families=TWO_FAMILIES)
    assert all(fit.probability(one, 4) > 0.99 for one in range(10) if one != 4)
    assert all(0.1 < fit.probability(one, other) < 0.9 for one in range(4) for other in range(4) if one != other)


def test_a_family_of_one_changes_nothing() -> None:
    results = two_families(1, 30)
    alone = fit_strengths(results)
    assert fit_strengths(results, families={0: "north", 1: "south"}) == alone
    assert fit_strengths(results, families=dict.fromkeys(range(10), "")) == alone
    assert not alone.families


def test_names_of_families_change_nothing() -> None:
    results = two_families(2, 30)
    renamed = {number: "b" if family == "north" else "a" for number, family in TWO_FAMILIES.items()}
    assert fit_strengths(results, families=renamed) == fit_strengths(results, families=TWO_FAMILIES)


def test_a_difference_has_an_interval_around_it_that_turns_with_the_pair() -> None:
    fit = fit_strengths(two_families(2, 30), families=TWO_FAMILIES)
    low, high = fit.difference_interval(0, 9)
    assert low < fit.strength(0).mean - fit.strength(9).mean < high
    assert fit.difference_interval(9, 0) == pytest.approx((-high, -low), abs=1e-6)


def test_a_probability_that_hangs_on_how_close_the_field_is_is_not_known() -> None:
    rng = random.Random(5)
    short = fit_strengths(played(rng, [0.0] * 10, 12))
    pairs = [(one, other) for one in range(10) for other in range(one)]
    doubtful = [pair for pair in pairs if not short.knows_probability(*pair)]
    assert doubtful
    assert all(abs(short.probability(*pair) - 0.5) > 0.1 for pair in doubtful)
    assert all(short.knows_probability(*pair) == short.knows_probability(*pair[::-1]) for pair in pairs)
    wide = fit_strengths(played(rng, [12.0 * number for number in range(10)], 200))
    assert all(wide.knows_probability(*pair) for pair in pairs)


def test_strengths_follow_from_what_is_published_of_families() -> None:
    results = two_families(2, 40)
    fit = fit_strengths(results, families=TWO_FAMILIES)
    assert len(fit.components) > 1
    told, right = [[0.0] * 10 for _ in range(10)], [0.0] * 10
    for result in results:
        for seat, one in enumerate(result.entrants):
            right[one] += result.points[seat] - sum(result.points) / 5
            for there, other in enumerate(result.entrants):
                told[one][other] += (seat == there) - 1 / 5
    for part in fit.components:
        square = [row[:] for row in told]
        for one in range(10):
            square[one][one] += part.precisions[one]
        for family, common in zip(fit.families, part.family_precisions, strict=True):
            # The mean of a family is unknown, which leaves its members with something in common.
            whole = common + sum(part.precisions[one] for one in family)
            for one in family:
                for other in family:
                    square[one][other] -= part.precisions[one] * part.precisions[other] / whole
        found = times(inverse(cholesky(square)), right)
        middle = sum(found) / 10
        assert [value - middle for value in found] == pytest.approx(list(part.means), abs=1e-5)


def test_a_field_of_sixty_keeps_its_families() -> None:
    rng = random.Random(5)
    results = played(rng, field(rng, 60, skill=3), 240)
    families = {entrant: f"owner {entrant // 2}" for entrant in range(60)}
    fit = fit_strengths(results, families=families)
    assert len(fit.families) == 30
    alone = fit_strengths(results)
    order = alone.order()
    one, other = next((one, one ^ 1) for one in order if order.index(one) + 20 < order.index(one ^ 1))
    assert fit.probability(one, other) < alone.probability(one, other)
