"""Who favours whom with its cards, by what all matches of a field say."""

from __future__ import annotations

import random
from collections.abc import Mapping
from statistics import NormalDist

import pytest
from tests.tournaments.fields import field, table

from farfalia_tournaments import MatchFavours, MatchResult, collusion
from farfalia_tournaments.statistics.favours import favours

#: What the cards of a match favour a seat with by chance, as measured with Chinkway.
LUCK = 3.2


def seated(rng: random.Random, entrants: int, matches: int) -> list[list[int]]:
    return [rng.sample(range(entrants), 5) for _ in range(matches)]


def given(
    rng: random.Random, table: list[int], *, help: float = 0.0, left: float = 0.0, pity: float = 0.0
) -> list[list[float]]:
    """What cards give at a table: 0 helps 1, everybody gives to its left, and everybody pities 2, by so much."""
    return [
        [
            0.0
            if mine == its
            else rng.gauss(0, LUCK)
            + help * (giver == 0 and taker == 1)
            + left * ((its - mine) % 5 == 1)
            + pity * (taker == 2)
            for its, taker in enumerate(table)
        ]
        for mine, giver in enumerate(table)
    ]


def matches(seed: int, number: int, **habits: float) -> list[MatchFavours[int]]:
    rng = random.Random(seed)
    return [
        MatchFavours(tuple(table), tuple(map(tuple, given(rng, table, **habits)))) for table in seated(rng, 10, number)
    ]


def test_one_that_helps_another_stands_out_that_way_round_alone() -> None:
    found = favours(matches(1, 600, help=6.0))
    first, second = sorted(found, key=lambda pair: found[pair].p_value)[:2]
    assert first == (0, 1)
    # Some of it is taken for what everybody gives to 1.
    assert 4 < found[first].points < 6
    assert found[first].p_value < 1e-6 < 1e-4 < found[second].p_value


@pytest.mark.parametrize("habits", [{}, {"left": 3.0}, {"pity": 3.0}])
def test_habits_that_have_nobody_in_mind_are_no_favour(habits: Mapping[str, float]) -> None:
    found = favours(matches(2, 600, **habits))
    assert len(found) == 90
    assert min(favour.p_value for favour in found.values()) > 0.05 / 90
    assert sum(favour.p_value < 0.05 for favour in found.values()) < 12


def test_a_style_that_suits_some_and_not_others_is_no_favour() -> None:
    """0 gives a point more or less to each other one."""
    flagged = 0
    for seed in range(10):
        rng = random.Random(seed)
        suits = [rng.gauss(0, 1.5) for _ in range(10)]
        cards = []
        for one in matches(seed, 600):
            rows = [list(row) for row in one.points]
            if 0 in one.entrants:
                mine = one.entrants.index(0)
                rows[mine] = [
                    points + (suits[other] if other else 0.0)
                    for points, other in zip(rows[mine], one.entrants, strict=True)
                ]
            cards.append(MatchFavours(one.entrants, tuple(map(tuple, rows))))
        flagged += min(favour.p_value for favour in favours(cards).values()) < 0.05 / 90
    assert flagged <= 1


def test_seats_that_have_decided_nothing_and_pairs_that_hardly_met_say_nothing() -> None:
    assert favours([MatchFavours((0, 1, 2), ((0.0,) * 3,) * 3)] * 50) == {}
    assert favours(matches(3, 12)) == {}


def test_the_report_tests_results_and_cards_and_counts_both() -> None:
    rng = random.Random(4)
    skills, cards = field(rng, 10), matches(4, 400, help=5.0)
    results: list[MatchResult[int]] = [table(rng, skills, list(one.entrants)) for one in cards]
    alone, both = collusion(results), collusion(results, cards=cards)
    assert not any(effect.flagged for effect in alone)
    assert {(one.entrant, one.other) for one in both if one.flagged} == {(0, 1), (1, 0)}
    assert both[0].probability > 0.9
    scores = {(one.entrant, one.other): one.favour.score for one in both if one.favour}
    for effect in both:
        ways = scores[effect.entrant, effect.other], scores[effect.other, effect.entrant]
        # One helps the other, either way, or both help.
        least = 1 - NormalDist().cdf(max(*ways, sum(ways) / 2**0.5))
        assert effect.adjusted_p_value == pytest.approx(min(1.0, 2 * 45 * min(effect.p_value, 3 * least)), abs=1e-9)


def test_cards_that_say_nothing_leave_the_report_as_it_is() -> None:
    rng = random.Random(5)
    skills = field(rng, 10)
    tables = seated(rng, 10, 300)
    results: list[MatchResult[int]] = [table(rng, skills, one) for one in tables]
    nothing = [MatchFavours(tuple(one), ((0.0,) * 5,) * 5) for one in tables]
    assert collusion(results, cards=nothing) == collusion(results)
