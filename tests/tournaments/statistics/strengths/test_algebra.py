"""Equations of many unknowns: their approximate solution is the exact one, as far as anybody can see."""

import random
from itertools import combinations, pairwise
from statistics import median

import pytest
from tests.tournaments.fields import field, played

from farfalia_tournaments import fit_strengths
from farfalia_tournaments.statistics.strengths import algebra


def equations(size: int, rng: random.Random) -> tuple[algebra.Matrix, list[float]]:
    """Equations as a field of entrants gives them, each of which has met the others in tables of five."""
    matrix = [[0.0] * size for _ in range(size)]
    for _ in range(6 * size):
        table = rng.sample(range(size), 5)
        for one in table:
            for other in table:
                matrix[one][other] += 0.8 if one == other else -0.2
    for number in range(size):
        matrix[number][number] += 0.5
    return matrix, [rng.gauss(0, 5) for _ in range(size)]


def test_many_unknowns_are_found_without_a_decomposition(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix, right = equations(algebra.EXACT + 10, random.Random(1))
    near = algebra.solution(matrix, right, [0.0] * len(right))
    monkeypatch.setattr(algebra, "EXACT", len(right))
    exact = algebra.solution(matrix, right, [])
    assert near.covariances is None
    assert near.values == pytest.approx(exact.values, abs=1e-6)
    covariances = exact.covariances
    assert covariances is not None
    ratios = []
    for one, other in combinations(range(len(right)), 2):
        difference = exact.variances[one] + exact.variances[other] - 2 * covariances[one][other]
        ratios.append((near.variances[one] + near.variances[other]) / difference)
    assert min(ratios) > 1
    assert median(ratios) == pytest.approx(1.03, abs=0.005)
    assert max(ratios) < 1.1
    assert near.log_determinant == pytest.approx(exact.log_determinant, rel=0.02)


def test_a_solution_that_is_known_is_kept() -> None:
    matrix, right = equations(algebra.EXACT + 1, random.Random(2))
    known = algebra.solution(matrix, right, [0.0] * len(right)).values
    assert algebra.solution(matrix, right, known).values == pytest.approx(known, abs=1e-9)


def test_a_large_field_is_told_apart_as_if_it_were_solved_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    size = algebra.EXACT + 5
    rng = random.Random(3)
    results = played(rng, field(rng, size), 6 * size)
    near = fit_strengths(results)
    monkeypatch.setattr(algebra, "EXACT", size)
    exact = fit_strengths(results)
    best, worst = exact.order()[0], exact.order()[-1]
    for one, other in ((best, worst), *pairwise(exact.order())):
        assert near.probability(one, other) == pytest.approx(exact.probability(one, other), abs=0.02)
    assert near.rank_interval(best) == pytest.approx(exact.rank_interval(best), abs=5)
