"""Quantiles of mixtures of Student distributions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia_tournaments.statistics.strengths.student_mixtures import Difference, quantile

one = st.tuples(st.floats(0.01, 1), st.floats(-200, 200), st.floats(0.01, 100), st.floats(3, 2000))


@given(st.lists(one, min_size=1, max_size=12), st.floats(0.001, 0.999))
def test_a_quantile_has_its_probability_below_it(
    parts: list[tuple[float, float, float, float]], probability: float
) -> None:
    total = sum(weight for weight, *_ in parts)
    mixture = [(weight / total, mean, scale, degrees) for weight, mean, scale, degrees in parts]
    found = quantile(mixture, probability)
    # A narrow part makes the probability steep: there a quantile that is exact to its last digits may be off by more.
    step = 1e-6 * max(scale for _, _, scale, _ in mixture) + 1e-6 * max(abs(mean) for _, mean, _, _ in mixture)
    assert below(mixture, found - step) - 1e-9 <= probability <= below(mixture, found + step) + 1e-9


def below(mixture: list[tuple[float, float, float, float]], value: float) -> float:
    """The probability below a value."""
    return 1 - Difference(tuple((weight, mean - value, scale, own) for weight, mean, scale, own in mixture)).ahead()


def test_the_quantiles_of_a_symmetric_mixture_are_symmetric() -> None:
    mixture = [(0.25, -3.0, 1.0, 5.0), (0.25, 3.0, 1.0, 5.0), (0.5, 0.0, 4.0, 30.0)]
    assert quantile(mixture, 0.5) == pytest.approx(0, abs=1e-6)
    assert quantile(mixture, 0.025) == pytest.approx(-quantile(mixture, 0.975), abs=1e-6)
