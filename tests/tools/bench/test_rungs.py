"""`farfalia bench strengths` of the rungs: each beside the one below, beside cautious, and beside open cards."""

from dataclasses import replace
from random import Random

import pytest

from farfalia_engine import ruleset
from farfalia_tools.bench import rungs, strengths
from farfalia_tools.bench.rungs import BASE, RUNGS, Rung


@pytest.fixture(scope="module")
def two() -> list[Rung]:
    """The rungs of `two`, on a few deals."""
    [rows] = rungs.run(["two"], 3, 2, processes=1)
    return rows


def test_each_rung_has_its_gain_over_the_one_below_and_over_cautious(two: list[Rung]) -> None:
    assert [row.bot for row in two] == [*RUNGS, strengths.OPEN_CAUTIOUS]
    assert [row.bot for row in two if row.below is None] == [RUNGS[0], strengths.OPEN_CAUTIOUS]
    assert [row.bot for row in two if row.base is None] == [BASE]
    # The one above cautious is measured once.
    assert two[RUNGS.index(BASE) + 1].below is two[RUNGS.index(BASE) + 1].base
    bound = two[-1].base
    assert bound is not None
    for row in two:
        if row.base is not None and row.share is not None:
            assert row.share == row.base.points / bound.points


def test_all_begin_with_the_same_deals_and_play_whole_matches(two: list[Rung]) -> None:
    assert all(row.measured.deals % ruleset("two").last_deal == 0 for row in two)
    assert two[-2].measured.deals == two[-1].measured.deals == 4
    expert = strengths.strength("two", "expert", BASE, 4, 2, Random("two 1"))
    assert two[-2].base is not None
    assert (two[-2].base.points, two[-2].base.error) == (expert.points, expert.error)


def test_a_rung_that_is_not_clearly_above_is_named(two: list[Rung]) -> None:
    greedy = two[1]
    assert greedy.below is not None
    level = replace(greedy, below=replace(greedy.below, points=1.0, error=0.5))
    above = replace(greedy, below=replace(greedy.below, points=1.1, error=0.5))
    assert (level.is_above, above.is_above, two[0].is_above) == (False, True, True)
    assert rungs.table([two[0], level]).endswith("\nNot above the rung below by 2 standard errors: greedy in two.")
    assert len({len(line) for line in rungs.table([two[0], above]).splitlines()[1:]}) == 1


def test_games_come_one_after_the_other_as_they_were_asked_for() -> None:
    found = rungs.run(["two", "farrago"], 2, 1, processes=2)
    assert [{row.game for row in rows} for rows in found] == [{"two"}, {"farrago"}]
