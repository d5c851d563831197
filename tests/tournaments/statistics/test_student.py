import pytest

from farfalia_tournaments.statistics import student
from farfalia_tournaments.statistics.student import mean_interval, quantile, two_sided


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [
        (1, 12.7062047362),
        (2, 4.3026527297),
        (3, 3.1824463053),
        (4, 2.7764451052),
        (5, 2.5705818366),
        (10, 2.2281388520),
        (30, 2.0422724563),
        (60, 2.0002978220),
        (100, 1.9839715185),
        (1000, 1.9623390808),
    ],
)
def test_quantiles_are_those_of_the_tables(degrees: int, expected: float) -> None:
    assert quantile(0.975, degrees) == pytest.approx(expected, abs=1e-8)


def test_half_of_all_lies_below_nought() -> None:
    assert quantile(0.5, 7) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("probability", [0.6, 0.9, 0.975, 0.995, 0.999])
@pytest.mark.parametrize("degrees", [61, 100, 351])
def test_the_expansion_agrees_with_the_series_beyond_sixty_degrees(probability: float, degrees: int) -> None:
    series = student._by_bisection(probability, degrees)
    assert quantile(probability, degrees) == pytest.approx(series, rel=1e-7)


def test_an_interval_of_a_mean_is_that_of_the_textbook() -> None:
    low, high = mean_interval([4.0, 6.0, 8.0])
    half = 4.3026527297 * 2 / 3**0.5
    assert (low, high) == pytest.approx((6 - half, 6 + half))


def test_equal_values_have_an_interval_of_no_width() -> None:
    assert mean_interval([3.0, 3.0]) == (3.0, 3.0)


@pytest.mark.parametrize(
    ("t", "degrees", "p_value"), [(12.7062, 1, 0.05), (2.2281, 10, 0.05), (1.9623, 1000, 0.05), (0.0, 5, 1.0)]
)
def test_the_probability_of_a_value_further_out_is_that_of_the_tables(t: float, degrees: int, p_value: float) -> None:
    assert two_sided(t, degrees) == pytest.approx(p_value, abs=1e-5)
    assert two_sided(-t, degrees) == two_sided(t, degrees)
