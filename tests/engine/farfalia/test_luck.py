"""The luck of the cards: its mean over all deals is exactly 0, and no play after the deal changes it."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import few

from farfalia_engine import GAMES, Deals, Observation, board_key, match_luck, play_to_end, ruleset
from farfalia_engine.farfalia.cards import RANK
from farfalia_engine.farfalia.deal_luck import deal_luck, hands_dealt, parse_weights
from farfalia_engine.farfalia.hand_values import SideValue, SuitWeights, likely_trumps
from farfalia_engine.farfalia.hand_weights import HAND_WEIGHTS
from farfalia_engine.farfalia.layout import Layout
from farfalia_engine.games.chinkway import ALTERNATE, NEIGHBOURS

_WEIGHT = st.integers(-999, 999)


def all_deals(cards: Sequence[int], dealt: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    if not dealt:
        yield []
        return
    for hand in combinations(cards, dealt[0]):
        for others in all_deals([card for card in cards if card not in hand], dealt[1:]):
            yield [hand, *others]


def choose(random: Random, observation: Observation) -> int:
    return random.choice(observation.legal)


def as_mask(hand: Sequence[int], ranks: int) -> int:
    """Return a hand of a small deck, whose suits have so many ranks, as a set of cards of the whole one."""
    return sum(1 << card // ranks * 13 + card % ranks for card in hand)


@st.composite
def small_values(draw: st.DrawFn) -> tuple[int, tuple[int, ...], SideValue]:
    ranks, dealt = draw(st.sampled_from([(2, (4, 2, 2)), (2, (4, 1, 1, 1, 1)), (2, (5, 2, 1)), (1, (2, 1, 1))]))

    def weights() -> SuitWeights:
        lengths = tuple(draw(st.lists(_WEIGHT, min_size=3, max_size=3)))
        return SuitWeights(tuple(draw(st.lists(_WEIGHT, min_size=ranks, max_size=ranks))), lengths)

    return ranks, dealt, SideValue(tuple((weights(), weights()) for _ in dealt))


@few
@given(small_values())
def test_the_mean_over_all_deals_of_a_small_deck_is_exact(small: tuple[int, tuple[int, ...], SideValue]) -> None:
    ranks, dealt, value = small
    values = []
    for deal in all_deals(range(4 * ranks), dealt):
        hands = [as_mask(hand, ranks) for hand in deal]
        values.append(value.of(hands, likely_trumps(hands[0])))
    assert value.mean(dealt) == Fraction(sum(values), len(values))


@pytest.mark.parametrize("sides", [NEIGHBOURS, ALTERNATE, bytes((0, 1, 2, 2, 1))])
def test_luck_is_nothing_on_average(sides: bytes) -> None:
    layout = Layout(bytes(range(5)), sides, (), b"")
    lucks = [deal_luck(layout, hands_dealt(Deals(board_key(bytes(32), (), str(n))), 1, layout)) for n in range(4000)]
    for position in range(5):
        points = [float(luck[position]) for luck in lucks]
        assert abs(fmean(points)) < 4 * pstdev(points) / len(points) ** 0.5
        assert pstdev(points) > 1


def test_the_means_are_those_of_the_page_on_deals() -> None:
    page = (Path(__file__).parents[3] / "docs" / "deals.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d \d \d \d \d) \|.*?\| (.*) \|$", page, re.MULTILINE)
    assert len(rows) == 3
    for sides, means in rows:
        values = parse_weights(HAND_WEIGHTS)[bytes(map(int, sides.split()))]
        exact = [value.mean((12, 10, 10, 10, 10)) for value in values]
        assert [f"{float(mean):.6f}".replace("-", "−") for mean in exact] == means.split(" | ")


def test_partners_are_equally_lucky() -> None:
    layout = Layout(bytes(range(5)), ALTERNATE, (), b"")
    alone, left, right, *others = deal_luck(layout, hands_dealt(Deals(bytes(32)), 1, layout))
    assert others == [left, right]
    assert len({alone, left, right}) == 3


def test_high_trumps_are_good_luck_for_a_dealer() -> None:
    value, *_ = parse_weights(HAND_WEIGHTS)[ALTERNATE]
    deck = sorted(range(52), key=RANK.__getitem__)
    best, worst = deck[-12:], deck[:12]

    def worth(dealer: Sequence[int]) -> int:
        others = [card for card in deck if card not in dealer]
        hands = [sum(1 << card for card in hand) for hand in (dealer, *(others[place::4] for place in range(4)))]
        return value.of(hands, likely_trumps(hands[0]))

    assert worth(best) > worth(worst) + 5000


def test_what_is_played_after_the_deal_changes_nothing_in_its_luck() -> None:
    rules, deals = ruleset("chinkway"), Deals(bytes(32))
    first = rules.game.deal_luck(deals, 1, ())
    lucks = []
    for seed in range(2):
        random = Random(seed)
        match = rules.new_match(deals)
        play_to_end(match, [partial(choose, random)] * 5)
        assert match.outcome is not None
        before_last = match.outcome.deals[:10]
        assert rules.game.deal_luck(deals, 1, ()) == first
        lucks.append(match_luck(rules, deals, before_last))
    assert lucks[0] == lucks[1]  # whatever was made in ten deals, everybody sat where they always sit


def test_the_eleventh_deal_is_lucky_for_anyone_who_sits_there() -> None:
    rules, deals = ruleset("chinkway"), Deals(bytes(32))
    level = [0] * 50
    leading = [0] * 49 + [9]
    assert rules.game.deal_luck(deals, 11, level) != rules.game.deal_luck(deals, 11, leading)
    by_role = [sorted(rules.game.deal_luck(deals, 11, scores)) for scores in (level, leading)]
    assert by_role[0] == by_role[1]


def test_a_deal_that_counts_double_is_twice_as_lucky() -> None:
    rules, deals = ruleset("basic"), Deals(bytes(32))
    layout = rules.game.layout(3, [0] * 10)  # type: ignore[attr-defined]
    once = deal_luck(layout, hands_dealt(deals, 3, layout))
    assert rules.game.deal_luck(deals, 3, [0] * 10) == tuple(2 * points for points in once)


def test_games_of_five_have_a_value_function_and_the_others_none() -> None:
    having = {name for name in GAMES if ruleset(name).value_function}
    assert having == {"chinkway", "five-hand", "basic"}
    assert match_luck(ruleset("two"), Deals(bytes(32)), [(0, 0)] * 4) is None
