"""`farfalia bench strengths`: bots in the place of another one on the same deals, beside open cards."""

import math
from random import Random

from farfalia_tools.bench import strengths


def test_a_bot_gains_nothing_in_its_own_place() -> None:
    found = strengths.strength("two", "cautious", "cautious", 3, 1, Random(1))
    assert (found.points, found.error, found.deals) == (0, 0, 3)
    assert found.milliseconds > 0


def test_points_of_a_match_are_those_of_a_deal_times_its_deals() -> None:
    found = strengths.strength("two", "greedy", "random", 8, 1, Random(1))
    # Sums of whole points, alone and beside one other: the mean of two seats over 8 deals, times 4.
    assert (found.points * 8 * 2 / 4).is_integer()


def test_each_game_has_a_row_for_each_bot_and_for_open_cards() -> None:
    counts: list[tuple[int, int]] = []

    def done(count: int, of: int) -> None:
        counts.append((count, of))

    rows = strengths.run(["two", "farrago"], ["greedy"], "random", 2, 4, done=done)
    assert [(row.game, row.bot) for row in rows] == [
        (game, bot) for game in ("two", "farrago") for bot in ("greedy", strengths.OPEN_CARDS, strengths.OPEN_CAUTIOUS)
    ]
    assert counts == [(count, 6) for count in range(1, 7)]
    for greedy, *open_cards in (rows[:3], rows[3:]):
        assert max(row.share or 0 for row in open_cards) == 1
        assert greedy.share is not None
        assert math.isclose(greedy.share, greedy.points / max(row.points for row in open_cards))
    text = strengths.table(rows, "random").splitlines()
    assert len({len(line) for line in text[1:]}) == 1
    assert text[3].endswith(f"{rows[1].milliseconds:.2f}")


def test_the_seed_decides_the_deals() -> None:
    one, again, other = (strengths.strength("two", "greedy", "random", 4, 1, Random(seed)) for seed in (1, 1, 2))
    assert (one.points, one.error) == (again.points, again.error)
    assert (one.points, one.error) != (other.points, other.error)


def test_a_search_gets_the_rollouts_that_a_time_allows() -> None:
    few, many = (strengths.iterations_for("two", "flat-monte-carlo", time, Random(1)) for time in (0.001, 20.0))
    assert few == 1
    assert many > 20


def test_with_a_time_a_row_says_how_many_rollouts_that_was() -> None:
    flat, *_ = strengths.run(["two"], ["flat-monte-carlo"], "cautious", 2, 777, milliseconds=0.5)
    assert flat.iterations not in (777, 0)
    assert str(flat.iterations) in strengths.table([flat], "cautious").splitlines()[2].split()
