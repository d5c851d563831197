"""What greedy and cautious do where a game rewards something of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from farfalia import Bot
from farfalia.bots import create
from farfalia.bots.farfalia_tactics import burning
from farfalia.testing import play_match
from farfalia.view import View
from farfalia_engine import (
    DOUBLE_YES,
    RANK,
    SUIT,
    WILD,
    Deals,
    DealType,
    FarragoObservation,
    Kind,
    Observation,
    cards_discarded,
    ruleset,
)

BOTS = ("greedy", "cautious")


class Watched(Bot):
    """A sample bot, and all that it was asked and answered."""

    def __init__(self, name: str) -> None:
        self.bot = create(name)
        self.seen: list[tuple[View, int]] = []

    def decide(self, view: Observation) -> int:
        assert isinstance(view, View)
        action = self.bot.decide(view)
        self.seen.append((view, action))
        return action


def decisions(
    name: str, game: str, options: Mapping[str, str] | None = None, matches: int = 3
) -> Iterator[tuple[View, int]]:
    """All that a table of one sample bot decides in a few matches."""
    for seed in range(matches):
        bot = Watched(name)
        play_match([bot] * ruleset(game, options).seats, seed, game, options)
        yield from bot.seen


@pytest.mark.parametrize("game", ["four", "three", "three-short", "two"])
def test_greedy_gives_away_tricks_from_which_nothing_may_be_collected(game: str) -> None:
    barren = [(view, card) for view, card in decisions("greedy", game) if view.kind is Kind.PLAY and view.barren]
    assert barren
    for view, card in barren:
        cheaper = [other for other in view.legal if SUIT[other] == SUIT[card] and RANK[other] < RANK[card]]
        assert not cheaper


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("game", ["chinkway", "four", "two"])
def test_a_wild_card_is_played_where_it_burns_what_the_others_could_collect(name: str, game: str) -> None:
    played = [view for view, card in decisions(name, game, {"burnin": "on"}) if view.kind is Kind.PLAY and card >= WILD]
    assert played
    for view in played:
        assert burning(view)
        assert view.best_position is not None
        assert view.sides[view.best_position] != view.side


def test_dealers_double_and_the_others_wait_until_the_last_deals() -> None:
    asked = [
        (view, action == DOUBLE_YES)
        for view, action in decisions("greedy", "chinkway", {"double_you": "on"}, 8)
        if view.kind is Kind.DOUBLE
    ]
    assert {doubled for view, doubled in asked if view.dealer == view.seat} == {True}
    assert {doubled for view, doubled in asked if view.dealer != view.seat and view.deal < 9} == {False}
    assert {doubled for view, doubled in asked if view.deal == 11} == {True}


def test_in_basic_a_wild_card_is_left_for_the_deal_that_counts_double() -> None:
    spent: Counter[tuple[int, int]] = Counter()
    for view, action in decisions("greedy", "basic", {"double_you": "on"}, 8):
        if view.kind is Kind.DOUBLE and view.deal < 3:
            spent[view.match, view.seat] += action == DOUBLE_YES
    assert len(spent) == 8 * 5
    assert max(spent.values()) == 1


@pytest.mark.parametrize("target", [60, 200])
def test_with_a_target_wild_cards_wait_until_the_match_may_soon_be_over(target: int) -> None:
    options = {"double_you": "on", "target": str(target)}
    asked = [
        (max(view.totals[0] + view.totals[2], view.totals[1] + view.totals[3]), action == DOUBLE_YES)
        for view, action in decisions("greedy", "four", options, 8)
        if view.kind is Kind.DOUBLE
    ]
    assert {doubled for best, doubled in asked if best < target / 3} == {False}
    assert {doubled for best, doubled in asked if best >= target - 10} == {True}


def test_the_last_dealer_of_three_short_discards_no_trump() -> None:
    discards = [
        (view, action) for view, action in decisions("greedy", "three-short", None, 10) if view.kind is Kind.DISCARD
    ]
    assert len(discards) == 10
    for view, action in discards:
        (card,) = cards_discarded(action)
        assert SUIT[card] != view.trumps - 1


def test_a_dealer_declares_what_is_long_with_its_dummy() -> None:
    view = next(view for view, _ in decisions("greedy", "three") if view.kind is Kind.DECLARE)
    strawberries, leaves, fishes, seashells = (13 * suit for suit in range(4))
    view.hand = bytes(range(strawberries + 8, strawberries + 13)) + bytes(range(leaves + 3, leaves + 7))
    view.hand += bytes(range(fishes, fishes + 4))
    view.face_up = (bytes(range(leaves + 9, leaves + 13)) + bytes((fishes + 5, fishes + 6, seashells + 8)),)
    assert create("greedy").declare(view) == SUIT[leaves]


@pytest.mark.parametrize("name", BOTS)
def test_the_hand_before_a_dummy_that_wins_keeps_its_high_cards(name: str) -> None:
    # Three of one suit are still to come, the own dummy last: its high card takes the trick.
    views = [view for view, _ in decisions(name, "three", None, 6) if view.kind is Kind.PLAY and not view.barren]
    view = next(view for view in views if view.acting == 0 and view.dummies == b"\2" and len(view.trick) == 1)
    assert view.led is not None
    suit = view.led * 13
    view.plays = view.plays[:-1] + bytes((suit + 7,))
    view.hand = view.legal = bytes((suit + 2, suit + 11))  # type: ignore[assignment]
    view.face_up = (bytes((suit + 12,)),)
    assert create(name).play(view) == suit + 2


# Farrago --------------------------------------------------------------------------------------------------------

STRONG = "AS KS QS JS TS AH KH QH AD KD AC KC QC"
MIDDLING = "QS TS 7S 3S JH 9H 6H TD 8D 4D 9C 8C 5C"
WEAK = "5S 4S 3S 2S 4H 3H 2H 5D 3D 2D 6C 4C 2C"


def asked(kind: DealType, hand: str) -> FarragoObservation:
    """The first lead of a deal of this type, with this hand."""
    listed = ",".join(each.text for each in sorted(DealType, key=lambda each: each is not kind))
    rules = ruleset("farrago", {"order": f"listed:{listed}"})
    state = rules.new_match(Deals(bytes(32)))
    assert state.pending is not None
    view = state.observation(state.pending.seats[0])
    assert isinstance(view, FarragoObservation)
    assert view.type is kind
    view.hand = bytes(sorted(map(rules.parse, hand.split())))
    view.legal = tuple(view.hand)
    return view


def lead(view: FarragoObservation) -> str:
    return view.text(create("greedy").decide(view))


def test_a_strong_hand_goes_for_tricks_and_all_others_avoid_them() -> None:
    assert lead(asked(DealType.SNAP, STRONG)).startswith("A")
    assert lead(asked(DealType.SNAP, WEAK)).startswith("2")
    assert lead(asked(DealType.SNAP, MIDDLING)) in ("3S", "4D")


def test_each_type_has_its_own_strong_cards() -> None:
    assert lead(asked(DealType.TOP_SUIT, "AS KS QS JS TS 9S 8S 7S 6S 5S AC KC AD")) in ("AS", "KS", "QS")
    assert lead(asked(DealType.UPS_DOWNS, "9S 8S 8H 9H TH 8D 9D TD 8C 9C TC JC 2S")) != "2S"  # a two would win


def test_who_has_won_par_goes_for_more() -> None:
    view = asked(DealType.SNAP, MIDDLING)
    view.hand, view.winners = bytes(list(view.hand)[-6:]), bytes((view.position,)) * 7
    view.legal = tuple(view.hand)
    assert lead(view) == "TD"


def test_trumps_are_named_to_fit_the_hand() -> None:
    greedy = create("greedy")
    view = asked(DealType.TOP_RANK, "AC KC QC JC TC 9C 8C 7C AS KS AH KH AD")
    view.types = bytes((DealType.SKINT,))
    assert greedy.name_trumps(view) == 3
    view.types, view.legal = bytes((DealType.BARRED,)), tuple(range(80, 84))
    assert greedy.bar(view) != 3
    view.types = bytes((DealType.MAJORITY,))
    assert view.text(greedy.show(view)) == "AC"
