"""`farfalia bench luck`: fields, ways to deal, what comes out, and the fit of the value function."""

import pytest

from farfalia_engine.farfalia.deal_luck import parse_weights
from farfalia_tools.bench.fairness.schemes import DATUM, RANDOM, ROTATIONS
from farfalia_tools.bench.luck import fit as luck_fit
from farfalia_tools.bench.luck.benchmark import play, run, table


def test_a_field_plays_the_same_again_and_each_match_has_its_luck() -> None:
    first, again = (play(("lopsided", DATUM, 6, 3)) for _ in range(2))
    assert first == again
    assert len({result.board for result in first}) == 3
    assert all(any(result.luck) for result in first)


def test_a_field_that_searches_plays() -> None:
    (result,) = play(("searching", RANDOM, 1, 1))
    assert sum(result.points) > 0


@pytest.mark.slow
def test_luck_is_a_good_part_of_what_fresh_cards_make() -> None:
    report = run(60, seed=2, scenes=[("even", RANDOM), ("even", ROTATIONS)])
    by_scene = {(row.field, row.scheme): row for row in report.rows}
    assert by_scene["even", RANDOM].high < 0.9
    assert by_scene["even", RANDOM].ratio < by_scene["even", ROTATIONS].ratio
    assert all(row.low <= row.ratio <= row.high for row in report.rows)
    assert report.value_function in table(report)


@pytest.mark.slow
def test_a_fit_knows_that_high_trumps_are_worth_more_to_the_dealer() -> None:
    text = luck_fit.fit(60, "1")
    assert luck_fit.fit(60, "1") == text
    for values in parse_weights(text).values():
        ranks = values[0].positions[0][0].ranks
        assert sum(ranks[-3:]) > sum(ranks[:3])
    compiled: dict[str, object] = {}
    exec(luck_fit.module(text, "Made for a test."), compiled)
    assert compiled["HAND_WEIGHTS"] == text
