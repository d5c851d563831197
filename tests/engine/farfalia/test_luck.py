"""The luck of the cards: its mean over all deals is exactly 0, and no play after the deal changes it."""

import re
from collections import Counter
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
from farfalia_engine.farfalia import deal_luck as luck_of_deals
from farfalia_engine.farfalia.cards import RANK, SUIT
from farfalia_engine.farfalia.deal_luck import DealtCards, deal_luck, mean_values, parse_weights, table_name
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.hand_values import SideValue, SuitWeights, likely_trumps
from farfalia_engine.farfalia.hand_weights import HAND_WEIGHTS
from farfalia_engine.farfalia.layout import DISCARD_THEN_DECLARE, Layout
from farfalia_engine.games.chinkway import ALTERNATE

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
def small_values(draw: st.DrawFn) -> tuple[int, tuple[int, ...], tuple[int, ...], SideValue]:
    """Return the ranks of a small deck, how many cards each position is dealt and the dealer sees, and any weights."""
    ranks, dealt, seen = draw(
        st.sampled_from(
            [
                (2, (4, 2, 2), (4, 0, 0)),
                (2, (4, 1, 1, 1, 1), (4, 0, 0, 0, 0)),
                (2, (5, 2, 1), (5, 0, 0)),
                (1, (2, 1, 1), (2, 0, 0)),
                (2, (2, 2, 2, 2), (2, 0, 1, 0)),
                (2, (3, 2, 3), (3, 0, 2)),
            ]
        )
    )

    def weights() -> SuitWeights:
        lengths = tuple(draw(st.lists(_WEIGHT, min_size=3, max_size=3)))
        return SuitWeights(tuple(draw(st.lists(_WEIGHT, min_size=ranks, max_size=ranks))), lengths)

    return ranks, dealt, seen, SideValue(tuple((weights(), weights(), weights()) for _ in dealt))


@few
@given(small_values())
def test_the_mean_over_all_deals_of_a_small_deck_is_exact(
    small: tuple[int, tuple[int, ...], tuple[int, ...], SideValue],
) -> None:
    ranks, dealt, seen, value = small
    unseen = tuple(size - part for size, part in zip(dealt, seen, strict=True))
    declared, first_suit, without = [], [], []
    for deal in all_deals(range(4 * ranks), seen + unseen):
        parts = [as_mask(part, ranks) for part in deal]
        hands = [part | other for part, other in zip(parts[: len(dealt)], parts[len(dealt) :], strict=True)]
        declared.append(value.of(hands, likely_trumps(sum(parts[: len(dealt)]))))
        first_suit.append(value.of(hands, 0))
        without.append(value.of(hands, None))
    assert value.mean(dealt, seen) == Fraction(sum(declared), len(declared))
    assert value.mean_with(dealt, 0) == Fraction(sum(first_suit), len(first_suit))
    assert value.mean_with(dealt, None) == Fraction(sum(without), len(without))


def layouts() -> dict[str, Layout]:
    """The tables of all games of Farfalia, by their names."""
    games = [rules.game for name in GAMES if isinstance((rules := ruleset(name)).game, Farfalia)]
    found = [game.layout(deal, [0] * (game.seats * (deal - 1))) for game in games for deal in range(1, game.deals + 1)]
    return {table_name(layout): layout for layout in found}


@pytest.mark.parametrize("layout", layouts().values(), ids=layouts())
def test_luck_is_nothing_on_average(layout: Layout) -> None:
    cards = (DealtCards.of(Deals(board_key(bytes(32), (), str(n))), 1, layout) for n in range(4000))
    lucks = [deal_luck(layout, dealt) for dealt in cards]
    for seat in range(len(layout.positions)):
        points = [float(luck[seat]) for luck in lucks]
        assert abs(fmean(points)) < 4 * pstdev(points) / len(points) ** 0.5
        assert pstdev(points) > 1


def test_the_text_has_the_tables_of_all_games_and_no_others() -> None:
    assert sorted(parse_weights(HAND_WEIGHTS)) == sorted(layouts())


def test_the_means_are_those_of_the_page_on_deals() -> None:
    page = (Path(__file__).parents[3] / "docs" / "deals.md").read_text("utf-8")
    rows = re.findall(r"^\| `([\dd]+(?:-s)?)`(, no trumps)? \|.*?\| (.*) \|$", page, re.MULTILINE)
    expected = {
        (name, mark) for name, layout in layouts().items() for mark in ("", ", no trumps")[: 2 - layout.declared]
    }
    assert {(name, mark) for name, mark, _ in rows} == expected
    for name, mark, means in rows:
        exact = mean_values(layouts()[name], parse_weights(HAND_WEIGHTS)[name], trumps=not mark)
        assert [f"{float(mean):.6f}".replace("-", "−") for mean in exact] == means.rstrip(" |").split(" | ")


def test_the_means_of_a_table_are_worked_out_once_whoever_sits_where(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: Counter[str] = Counter()

    def counting(layout: Layout, values: Sequence[SideValue], *, trumps: bool = True) -> tuple[Fraction, ...]:
        counted[table_name(layout)] += 1
        return mean_values(layout, values, trumps=trumps)

    monkeypatch.setattr(luck_of_deals, "_means", {})
    monkeypatch.setattr(luck_of_deals, "mean_values", counting)
    cards = DealtCards.of(Deals(bytes(32)), 1, layouts()["01212"])
    for first in range(5):
        seats = bytes((first + place) % 5 for place in range(5))
        deal_luck(Layout(seats, ALTERNATE, DISCARD_THEN_DECLARE, b""), cards)
    assert counted == {table_name(Layout(bytes(range(5)), ALTERNATE, DISCARD_THEN_DECLARE, b"")): 1}


def test_partners_are_equally_lucky() -> None:
    layout = Layout(bytes(range(5)), ALTERNATE, DISCARD_THEN_DECLARE, b"")
    alone, left, right, *others = deal_luck(layout, DealtCards.of(Deals(bytes(32)), 1, layout))
    assert others == [left, right]
    assert len({alone, left, right}) == 3


def test_a_dealer_who_sees_a_dummy_is_likely_to_declare_a_suit_of_both() -> None:
    layout = layouts()["010d1"]
    for number in range(200):
        deals = Deals(board_key(bytes(32), (), str(number)))
        deck = deals.shuffle("deal/1/cards", 52)
        seen = [*deck[3::4], *deck[1::4][6:]]
        strengths = [sum(10 + RANK[card] for card in seen if SUIT[card] == suit) for suit in range(4)]
        assert DealtCards.of(deals, 1, layout).trumps == strengths.index(max(strengths))


def test_the_first_subject_makes_trumps_and_butterflies_make_none() -> None:
    layout = layouts()["0101-s"]
    trumps = set()
    for number in range(100):
        deals = Deals(board_key(bytes(32), (), str(number)))
        family = deals.shuffle("deal/1/subjects", 25)[0] // 5
        assert DealtCards.of(deals, 1, layout).trumps == ([None, 0, 1, 2, 3][family])
        trumps.add(family)
    assert trumps == set(range(5))


def test_high_trumps_are_good_luck_for_a_dealer() -> None:
    value, *_ = parse_weights(HAND_WEIGHTS)["01212"]
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
    once = deal_luck(layout, DealtCards.of(deals, 3, layout))
    assert rules.game.deal_luck(deals, 3, [0] * 10) == tuple(2 * points for points in once)


def test_games_of_farfalia_have_a_value_function_and_farrago_none() -> None:
    assert {name for name in GAMES if not ruleset(name).value_function} == {"farrago"}
    assert match_luck(ruleset("farrago"), Deals(bytes(32)), [(0,) * 4] * 10) is None
