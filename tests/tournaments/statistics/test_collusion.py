import random
import re
from itertools import permutations
from statistics import fmean

import pytest
from tests.tournaments.fields import NOISE, field, finished, played

from farfalia_tournaments import Effect, MatchResult, TournamentError, collusion


def match(rng: random.Random, skills: list[float], extra: float, board: str = "") -> MatchResult[int]:
    """A match at a random table, in which entrant 1 gives entrant 0 as many points."""
    seated = rng.sample(range(len(skills)), 5)
    made = [skills[entrant] + rng.gauss(0, NOISE) for entrant in seated]
    if {0, 1} <= set(seated):
        made[seated.index(0)] += extra
        made[seated.index(1)] -= extra
    return finished(seated, made, board)


def feeding(seed: int, extra: float, matches: int = 900) -> list[Effect[int]]:
    rng = random.Random(seed)
    skills = field(rng, 10)
    return collusion([match(rng, skills, extra) for _ in range(matches)])


def test_who_is_fed_is_found_and_by_whom_and_how_much_it_makes() -> None:
    effects = feeding(3, 8.0)
    assert {(effect.entrant, effect.other) for effect in effects if effect.flagged} == {(0, 1), (1, 0)}
    fed = next(effect for effect in effects if (effect.entrant, effect.other) == (0, 1))
    assert fed.low < 8 < fed.high
    assert fed.probability > 0.99
    assert min(fed.together, fed.apart) > 150


@pytest.mark.parametrize(("fields", "flagged"), [(4, 0), pytest.param(40, 4, marks=pytest.mark.prove)])
def test_honest_fields_are_rarely_flagged(fields: int, flagged: int) -> None:
    assert sum(any(effect.flagged for effect in feeding(seed, 0.0, 400)) for seed in range(fields)) <= flagged


def test_a_weak_or_strong_bot_at_the_table_is_no_collusion() -> None:
    # Everybody makes less when the strongest sits there, which the strengths of the table explain.
    rng = random.Random(3)
    for outsider in (30.0, -35.0):
        effects = collusion(played_points(rng, [outsider, *field(rng, 9)], 900))
        assert not any(effect.flagged for effect in effects)


def played_points(rng: random.Random, skills: list[float], matches: int) -> list[MatchResult[int]]:
    return [match(rng, skills, 0.0) for _ in range(matches)]


def in_a_circle(points: float) -> list[MatchResult[int]]:
    """Matches of three styles that beat each other in a circle, by so many points each."""
    rng = random.Random(7)
    results = []
    for _ in range(2500):
        seated = rng.sample(range(12), 5)
        wins = [
            sum((one - other) % 3 == 1 for other in seated) - sum((one - other) % 3 == 2 for other in seated)
            for one in seated
        ]
        results.append(finished(seated, [points * more + rng.gauss(0, NOISE) for more in wins]))
    return results


def test_styles_that_suit_each_other_are_no_collusion() -> None:
    results = in_a_circle(1.25)
    effects = collusion(results)
    assert not any(effect.flagged for effect in effects)
    assert max(effect.probability for effect in effects) < 0.9


def test_equal_cards_show_a_pair_sooner() -> None:
    """Two tables of ten entrants play each board; half of a score is the hand's."""

    def joint(boards: bool) -> Effect[int]:
        rng = random.Random(11)
        skills = field(rng, 10)
        results = []
        for number in range(400):
            drawn = rng.sample(range(10), 10)
            hands = [rng.gauss(0, NOISE) for _ in range(5)]
            for seated in (drawn[:5], drawn[5:]):
                made = [skills[one] + hand + rng.gauss(0, NOISE / 3) for one, hand in zip(seated, hands, strict=True)]
                results.append(finished(seated, made, f"board {number}" if boards else ""))
        return next(effect for effect in collusion(results) if (effect.entrant, effect.other) == (0, 1))

    assert joint(True).standard_error < 0.85 * joint(False).standard_error


def test_a_block_of_rotations_counts_as_one_unit_with_less_luck() -> None:
    rng = random.Random(12)
    skills = field(rng, 7)
    results = []
    for number in range(120):
        drawn = rng.sample(range(7), 5)
        hands = [rng.gauss(0, NOISE) for _ in range(5)]
        for turn in range(5):
            seated = drawn[turn:] + drawn[:turn]
            made = [skills[one] + hand + rng.gauss(0, NOISE / 2) for one, hand in zip(seated, hands, strict=True)]
            results.append(finished(seated, made, f"board {number}"))
    effects = collusion(results)
    assert len(effects) == len(list(permutations(range(7), 2)))
    assert all(effect.together + effect.apart <= 120 for effect in effects)
    assert max(effect.standard_error for effect in effects) < 2


def test_pairs_that_hardly_met_are_left_out() -> None:
    rng = random.Random(4)
    assert collusion(played(rng, field(rng, 10), 12)) == []


def test_each_row_says_how_often_and_how_much() -> None:
    effects = feeding(5, 0.0, 200)
    assert len(effects) == 10 * 9
    assert [effect.p_value for effect in effects] == sorted(effect.p_value for effect in effects)
    assert all(0 <= effect.p_value <= 1 and effect.standard_error > 0 for effect in effects)
    assert all(0 <= effect.probability <= 1 and effect.low < effect.difference < effect.high for effect in effects)


def test_an_impossible_share_of_false_alarms_is_refused() -> None:
    with pytest.raises(TournamentError, match=re.escape("share of false alarms 1.5: expected")):
        collusion([], 1.5)


def test_the_figures_behind_a_claim_follow_from_the_points() -> None:
    rng = random.Random(6)
    skills = field(rng, 10)
    results = played_points(rng, skills, 900)
    effects = collusion(results)
    both = next(effect for effect in effects if (effect.entrant, effect.other) == (2, 7))
    common = [one for one in results if {2, 7} <= set(one.entrants)]
    assert both.together == len(common)
    made = [one.points[one.entrants.index(2)] - fmean(one.points) for one in common]
    assert both.made == pytest.approx(fmean(made))
    # Without luck it would have made its strength above that of these tables.
    stronger = fmean(skills[2] - fmean(skills[other] for other in one.entrants) for one in common)
    assert both.expected == pytest.approx(stronger, abs=1.5)
    assert both.made - both.expected == pytest.approx(both.difference)
    assert all(effect.by_styles == 0 for effect in effects)


def test_a_p_value_is_adjusted_for_the_number_of_pairs() -> None:
    effects = feeding(3, 8.0)
    for effect in effects:
        assert effect.adjusted_p_value == pytest.approx(min(1.0, 45 * effect.p_value))
        assert effect.flagged == (effect.adjusted_p_value <= 0.05)
    assert len(effects) == 2 * 45


def test_what_styles_explain_is_told() -> None:
    """Entrants beat each other in a circle, by 4 points each."""
    results = in_a_circle(4)
    explained = {(effect.entrant, effect.other): effect.by_styles for effect in collusion(results)}
    for (one, other), part in explained.items():
        assert part == -explained[other, one]
        if (one - other) % 3:
            assert (part > 0) == ((one - other) % 3 == 1)
