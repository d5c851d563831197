"""No rating of a settled bot rises by bots that were registered to lose, and an honest ladder is as good as without.

In each attack one bot always wins, and the others at its table are its owner's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest
from tests.tournaments.fields import finished

from farfalia_tournaments import (
    MATCH_PARTS,
    SETTLED,
    YOUNG,
    ChainEntry,
    ChainSeat,
    Company,
    MatchResult,
    Rating,
    TrueSkill,
    VersionedRatings,
    rate,
)

SYSTEM = TrueSkill()
#: The strongest of a ladder that has begun, and how well it is known.
STAR, SKILL = 1, Rating(35.0, 2.5)
FULL = SETTLED * MATCH_PARTS


class Chain:
    """A ladder as its chain has it; from entry 101 on it is no longer young. House bots are called house."""

    def __init__(self, beta: float | None = 18.75) -> None:
        self.ratings = VersionedRatings(SYSTEM, lambda name: name.startswith("house"))
        self.entries = 0
        self._beta = beta
        for _ in range(YOUNG):
            self._write(dict.fromkeys((STAR, 2, 3, 4, 5), SKILL))

    def play(self, *ranking: int, house: Sequence[int] = ()) -> None:
        """A match with this ranking, the best first."""
        entry = self._entry(dict.fromkeys(ranking, SKILL), house)
        after = self.ratings.after(entry, finished(ranking, range(len(ranking), 0, -1)))
        self._write(after, house)

    def of(self, bot: int) -> Rating:
        return self.ratings.of(bot, "1")

    def _entry(self, ratings: dict[int, Rating], house: Sequence[int] = ()) -> ChainEntry:
        seats = (ChainSeat("house" if bot in house else str(bot), bot, "1", one) for bot, one in ratings.items())
        return ChainEntry("chinkway", self.entries + 1, 1, "", "trueskill", tuple(seats), "", self._beta)

    def _write(self, ratings: dict[int, Rating], house: Sequence[int] = ()) -> None:
        self.ratings.learn(self._entry(ratings, house))
        self.entries += 1


def throwaways(every: int, matches: int) -> Iterator[list[int]]:
    """Four bots for each match, replaced by new ones after `every` matches."""
    for match in range(matches):
        first = 1000 + 4 * (match // every)
        yield list(range(first, first + 4))


@pytest.mark.parametrize("beta", [None, 18.75], ids=["as played", "less luck"])
@pytest.mark.parametrize("every", [1, 5, 20, 60, 240])
def test_throwaway_bots_of_whatever_age_do_not_raise_a_settled_bot(every: int, beta: float | None) -> None:
    ladder = Chain(beta)
    for losers in throwaways(every, 120):
        ladder.play(STAR, *losers)
    assert ladder.of(STAR) == SKILL


@pytest.mark.parametrize("every", [1, 5, 20])
def test_a_new_bot_does_not_rise_with_each_row_of_throwaway_bots(every: int) -> None:
    ladder, new = Chain(), 500
    seen = []
    for losers in throwaways(every, 120):
        ladder.play(new, *losers)
        seen.append(ladder.of(new))
    assert seen[-1].conservative - seen[every - 1].conservative < seen[every - 1].sigma


def test_without_the_rule_a_row_of_throwaway_bots_is_worth_eight_sigmas() -> None:
    ratings = {STAR: SKILL}
    for losers in throwaways(20, 120):
        ratings |= rate(ratings, finished((STAR, *losers), range(5, 0, -1)), SYSTEM, 18.75)
    assert ratings[STAR].conservative - SKILL.conservative > 8 * SKILL.sigma


def test_owned_losers_at_honest_tables_are_as_good_as_not_there() -> None:
    attacked, alone = Chain(), Chain()
    for number, losers in enumerate(throwaways(5, 30)):
        honest = [STAR, 2, 3] if number % 2 else [2, STAR, 3]
        attacked.play(*honest, *losers[:2])
        alone.play(*honest)
    for bot in (STAR, 2, 3):
        assert attacked.of(bot) == alone.of(bot)


def test_owned_losers_who_have_settled_raise_all_who_meet_them_alike() -> None:
    attacked, alone, chance = Chain(), Chain(), random.Random(1)
    for losers in throwaways(20, 120):
        honest = chance.sample([STAR, 2, 3], 3)
        attacked.play(*honest, *losers[:2])
        alone.play(*honest)
    gains = {bot: attacked.of(bot).mu - alone.of(bot).mu for bot in (STAR, 2)}
    assert gains[2] > 0
    assert gains[STAR] - gains[2] < attacked.of(STAR).sigma


def test_a_newcomer_is_rated_at_once_and_settles_after_ten_with_settled_bots() -> None:
    ladder, new = Chain(), 500
    for _ in range(SETTLED):
        before = ladder.of(STAR), ladder.of(new)
        ladder.play(new, STAR, 2, 3, 4)
        assert ladder.of(new).mu > before[1].mu
        assert ladder.of(STAR).mu > before[0].mu, "it was the best of those from whom it learns"
    earlier = ladder.of(STAR)
    ladder.play(new, 6, 7, 8, STAR)
    assert ladder.of(STAR).mu < earlier.mu, "of who beat it, one is settled"


def test_house_bots_are_settled_from_the_first_match() -> None:
    ladder = Chain()
    ladder.play(7, STAR, 8, house=[7])
    assert ladder.of(STAR).mu < SKILL.mu
    assert ladder.of(7).mu > 25


def test_everybody_is_settled_while_a_ladder_is_young() -> None:
    counted = {"a": 0, "b": FULL, "c": 7}
    young, grown = (Company(counted, (), entry) for entry in (YOUNG, YOUNG + 1))
    assert all(young.learns(one, other) for one in counted for other in counted)
    assert [young.parts(one) for one in counted] == [MATCH_PARTS] * 3
    assert [[grown.learns(one, other) for other in counted] for one in counted] == [
        [True, True, True],
        [False, True, False],
        [False, True, True],
    ]
    assert [grown.parts(one) for one in counted] == [MATCH_PARTS, 0, MATCH_PARTS]


def test_what_a_match_counts() -> None:
    """By the number of settled bots among five: for a newcomer, and for a settled bot."""

    def parts(settled: int, bot: int) -> int:
        return Company({one: FULL * (one < settled) for one in range(5)}, (), YOUNG + 1).parts(bot)

    assert [parts(settled, 4) for settled in range(5)] == [1, 0, MATCH_PARTS, MATCH_PARTS, MATCH_PARTS]
    assert [parts(settled, 0) for settled in range(1, 6)] == [0, 0, MATCH_PARTS, MATCH_PARTS, MATCH_PARTS]


def test_who_sits_alone_with_bots_that_missed_the_match_is_not_settled_by_it() -> None:
    assert Company({1: 0}, (), YOUNG + 1).parts(1) == 1
    assert Company({1: FULL}, (), YOUNG + 1).parts(1) == 0


def test_newcomers_alone_settle_after_fifty_matches() -> None:
    ladder = Chain()
    for _ in range(MATCH_PARTS * SETTLED):
        ladder.play(6, 7, 8, 9, 10)
    before = ladder.of(STAR)
    ladder.play(6, STAR)
    assert ladder.of(STAR).mu < before.mu


def test_a_forfeit_costs_as_much_whoever_was_there() -> None:
    company = Company({"a": FULL, "b": 0, "c": 0}, (), YOUNG + 1)
    result = MatchResult(("a", "b", "c"), (0, 2, 1), (3, 1, 2), forfeits=(0,))
    assert rate({}, result, SYSTEM, None, company)["a"] == rate({}, result, SYSTEM)["a"]


def test_partners_are_left_out_together_if_one_is_new() -> None:
    result = MatchResult(("a", "b", "c", "d"), (2, 1, 2, 1), (1, 2, 1, 2), sides=(0, 1, 0, 1))
    company = Company({"a": FULL, "b": FULL, "c": FULL, "d": 0}, (), YOUNG + 1)
    new = rate({}, result, SYSTEM, None, company)
    assert (new["a"], new["c"]) == (SYSTEM.prior, SYSTEM.prior)
    assert new["d"].mu < 25 > new["b"].mu


@pytest.mark.parametrize("bots", [30, 60])
def test_an_honest_ladder_is_in_order_as_soon_as_without_the_rule(bots: int) -> None:
    chance = random.Random(3)
    strengths = {bot: chance.gauss(0, 12) for bot in range(bots)}
    with_rule: dict[int, Rating] = {}
    without: dict[int, Rating] = {}
    counted = dict.fromkeys(range(bots), 0)
    taus = []
    for match in range(1, 25 * bots):
        # Half of them come when the ladder is no longer young.
        seated = chance.sample(range(bots if match > 2 * YOUNG else bots // 2), 5)
        made = {bot: strengths[bot] + chance.gauss(0, 25) for bot in seated}
        ranked = sorted(seated, key=lambda bot: -made[bot])
        result = finished(ranked, range(5, 0, -1))
        company = Company({bot: counted[bot] for bot in seated}, (), match)
        with_rule |= rate(with_rule, result, SYSTEM, None, company)
        without |= rate(without, result, SYSTEM)
        for bot in seated:
            counted[bot] += company.parts(bot)
        if match % (5 * bots) == 0:
            taus.append((agreement(strengths, with_rule), agreement(strengths, without)))
    assert all(parts >= FULL for parts in counted.values())
    assert all(ruled > free - 0.05 for ruled, free in taus[1:]), taus


def agreement(strengths: dict[int, float], ratings: dict[int, Rating]) -> float:
    """Kendall's tau of what bots are worth and how they are rated."""
    pairs = [(one, other) for one in ratings for other in ratings if one < other]
    agree = sum((strengths[a] > strengths[b]) == (ratings[a].mu > ratings[b].mu) for a, b in pairs)
    return 2 * agree / len(pairs) - 1
