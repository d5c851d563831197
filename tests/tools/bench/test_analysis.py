"""`farfalia bench analysis`: whether prices foretell what is lost, and whom they accuse."""

from random import Random

import pytest

from farfalia_tools.bench import analysis


def test_every_game_has_a_row_with_all_bots() -> None:
    counts: list[tuple[int, int]] = []

    def done(count: int, of: int) -> None:
        counts.append((count, of))

    report = analysis.run(["two", "farrago"], 4, 8, 8, done=done)
    rows = report.games
    assert [row.game for row in rows] == ["two", "farrago"]
    assert [[rung.bot for rung in row.rungs] for row in rows] == [list(analysis.RUNGS)] * 2
    assert counts == [(count, 8) for count in range(1, 9)]
    assert all(row.slope.low < row.slope.value < row.slope.high for row in rows)
    assert all(row.milliseconds > 0 for row in rows)
    text = analysis.table(report).splitlines()
    assert [line.split()[0] for line in text[2:]] == ["two", "farrago", "all"]


def test_the_same_seed_gives_the_same_figures() -> None:
    one, again, other = (analysis.run(["two"], 4, 8, 8, seed=seed).games[0] for seed in (1, 1, 2))
    assert (one.rungs, one.slope, one.accused) == (again.rungs, again.slope, again.accused)
    assert one.rungs != other.rungs


def test_a_slope_is_found_with_an_interval_that_mostly_holds_it() -> None:
    random, held = Random(1), 0
    for _ in range(200):
        pairs, clusters = [], []
        for cluster in range(40):
            shared = random.gauss(0, 1)
            for _ in range(5):
                x = random.gauss(1, 1)
                pairs.append((x, 2 * x + 3 + shared * x + random.gauss(0, 1)))
                clusters.append(cluster)
        found, at_zero = analysis.slope(pairs, clusters)
        assert found.value == pytest.approx(2, abs=0.8)
        assert at_zero.value == pytest.approx(3, abs=0.8)
        held += found.low <= 2 <= found.high
    assert 180 <= held <= 198
