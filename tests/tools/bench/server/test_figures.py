"""From given slices to the report of the servers' benchmark."""

import pytest

from farfalia_tools.bench.server.figures import compare, costs, figures
from farfalia_tools.bench.server.load import Slice


def slices(*decisions: int, cpu_ms: float = 1.0) -> list[Slice]:
    """Slices of half a second with these decisions, each of which costs so much CPU."""
    return [Slice(0.5, number, server_cpu=number * cpu_ms / 1000) for number in decisions]


def test_figures_are_medians_and_quartiles_of_slices() -> None:
    full = slices(100, 500, 200, 400, 300)
    half = [Slice(0.5, 75, overhead_p50=0.001, overhead_p99=late) for late in (0.004, 0.009, 0.005)]
    found = figures(full, half, longest_gap=0.02)
    rate = found.decisions_per_second
    assert (rate.lower, rate.median, rate.upper) == (400, 600, 800)
    assert found.server_cpu_ms.median == pytest.approx(1)
    assert found.half_rate.median == 150
    assert (found.overhead_p50_ms.median, found.overhead_p99_ms.median) == (1, 5)
    assert found.longest_gap_ms == 20


def test_messages_of_all_slices_make_the_sizes_of_batches() -> None:
    full = [Slice(0.5, 14, {1: 4, 5: 2}), Slice(0.5, 22, {1: 2, 10: 2})]
    batches = figures(full, full).batches
    assert (batches.mean, batches.p50, batches.p90) == (3.6, 1, 10)


def test_the_fit_tells_the_cost_of_a_match_from_that_of_its_decisions() -> None:
    ended = (0, 3, 1, 0, 2, 7)
    full = [
        Slice(0.5, 1000 + 10 * number, matches=matches, server_cpu=(1000 + 10 * number) * 0.0002 + matches * 0.03)
        for number, matches in enumerate(ended)
    ]
    found = costs(full)
    assert found is not None
    assert found.decision_ms.value == pytest.approx(0.2)
    assert found.match_ms.value == pytest.approx(30)
    assert found.match_ms.low == pytest.approx(30)
    assert found.match_ms.high == pytest.approx(30)


def test_without_matches_that_end_there_is_no_cost_of_a_match() -> None:
    assert costs(slices(100, 200, 300)) is None
    same = [Slice(0.5, 100, matches=2, server_cpu=0.1), Slice(0.5, 200, matches=4, server_cpu=0.2)]
    assert costs(same) is None


def test_a_server_is_compared_with_another_slice_by_slice() -> None:
    found = compare([slices(200, 100, 300, cpu_ms=3)], [slices(100, 50, 150, cpu_ms=2)])
    for ratio, value in ((found.decisions_per_second, 2), (found.server_cpu, 1.5)):
        assert (ratio.value, ratio.low, ratio.high) == pytest.approx((value, value, value))
        assert ratio.level == 0.95


def test_with_six_starts_each_start_is_one_value() -> None:
    ours = [slices(10 * (start + 1), 30 * (start + 1)) for start in range(6)]
    found = compare(ours, [slices(10, 30)] * 6).decisions_per_second
    assert (found.low, found.value, found.high) == pytest.approx((1, 3.5, 6))
    assert found.level == 1 - 2 / 2**6


def test_slices_in_which_many_matches_end_are_not_left_out() -> None:
    busy = [*slices(100, 100, 100, cpu_ms=1), *slices(100, cpu_ms=5)]
    assert compare([busy], [slices(100, 100, 100, 100)]).server_cpu.value == pytest.approx(2)
