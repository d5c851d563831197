"""Farrago beside a second opinion, and ruling by ruling."""

from functools import partial
from random import Random
from typing import cast

import pytest
from tests.engine import farrago_opinion
from tests.engine.agreeing import play_beside
from tests.engine.conftest import Walk
from tests.engine.games import FARRAGO, label
from tests.engine.tables import legal, start

from farfalia_engine import BadAction, BadOption, Deals, IllegalAction, Kind, State, board_key, ruleset
from farfalia_engine.farrago.deal_types import TYPES, DealType, majority
from farfalia_engine.farrago.packs import DUPLICATES, FIVE_HUNDRED, FULL, SHORT, Pack, cards_in
from farfalia_engine.farrago.state import FarragoState
from farfalia_engine.games.farrago import Farrago

S, H, D, C = range(4)


@pytest.mark.parametrize("game", FARRAGO, ids=label)
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(4, 12))])
def test_a_match_at_random_is_what_the_second_opinion_says(game: tuple[str, dict[str, str]], seed: int) -> None:
    """Who is asked, what is legal, and the points of every deal (G1, G2, G3, G5, G6, G7)."""
    play_beside(game, partial(farrago_opinion.match, game[1]), seed)


@pytest.mark.parametrize(
    ("pack", "cards"),
    [
        (SHORT, "7H JH 6C 7S 7C KH"),
        (FULL, "2S AH 5H 8S 4S JC"),
        (DUPLICATES, "5C 4D 7H AH 3C JS"),
        (FIVE_HUNDRED, "QD KH 6H 13H 13D 11S"),
    ],
)
def test_packs_are_numbered_as_the_published_deals_say(pack: Pack, cards: str) -> None:
    """G1."""
    deals = Deals(board_key(bytes(range(32)), (), "board-1"))
    deck = deals.shuffle("deal/2/cards", pack.size)
    assert " ".join(pack.names[card] for card in deck[:6]) == cards


def test_a_random_order_is_the_one_that_the_published_deals_say() -> None:
    deals = Deals(board_key(bytes(range(32)), (), "board-1"))
    game = cast(Farrago, ruleset("farrago", {"order": "random"}).game)
    order = "seconds ups-downs snap surprise red-black top-suit top-rank majority barred"
    assert [kind.text for kind in game.order(deals)] == order.split()


def majority_deal() -> State:
    return start("farrago", order="listed:majority," + ",".join(t for t in TYPES if t != "majority"))


def test_all_show_a_card_at_once_hidden_and_take_it_back() -> None:
    """G4."""
    state = majority_deal()
    assert state.pending
    assert (state.pending.kind, state.pending.seats) == (Kind.SHOW, (0, 1, 2, 3))
    before = [state.observation(seat) for seat in range(4)]
    for seat in (2, 0, 3):
        assert legal(state, seat) == [f"show={state.rules.card_text(card)}" for card in before[seat].hand]
        state.apply(state.legal_actions(seat)[0], seat)
        assert state.observation(1) == before[1]
        assert (state.observation(seat).choice, state.observation(seat).kind) == (96 + before[seat].hand[0], None)
    state.apply(state.legal_actions()[0])
    view = state.observation(3)
    assert view.shown == bytes(observation.hand[0] for observation in before)
    assert view.hand == before[3].hand
    assert view.trumps == majority(FULL, view.shown) + 1


def test_the_second_to_show_is_checked_against_its_own_cards() -> None:
    state = majority_deal()
    others = state.legal_actions(0)
    with pytest.raises(IllegalAction, match="seat 1 may choose among show="):
        state.apply(others[0], 1)


def test_if_skint_is_left_over_the_first_of_those_in_last_place_names_trumps() -> None:
    """G3: all are level before the last deal, which seat 1 deals."""
    state = start("farrago")
    assert isinstance(state, FarragoState)
    state.types = bytes(kind for kind in DealType if kind is not DealType.SKINT)
    state.deal, state.totals, state.scores = 9, (30, 30, 30, 30), (0,) * 36
    state._begin_deal()
    assert state.pending
    assert (state.pending.kind, state.pending.seats, state.pending.position) == (Kind.NAME_TRUMPS, (2,), 1)
    assert legal(state) == ["trump=S", "trump=H", "trump=D", "trump=C"]


def test_later_types_of_a_random_order_stay_unknown() -> None:
    state = start("farrago", order="random")
    assert [len(state.observation(seat).types) for seat in range(4)] == [1] * 4


def test_most_points_win_and_equal_points_share_the_win() -> None:
    """G8."""
    assert ruleset("farrago").winners((90, 120, 120, 0)) == (1, 2)
    assert ruleset("farrago").places((90, 120, 120, 0)) == (3, 1, 1, 4)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": "6"}, "option 'players' of farrago is '6', expected one of 4, 3, 5"),
        ({"pack": "tarot", "players": "5"}, "expected one of duplicates, five-hundred"),
        ({"pack": "duplicates"}, "option 'pack' of farrago is for 5 players, not for 4"),
        ({"order": "listed:skint"}, "expected dealer, random, or listed: and all of skint,barred,"),
        ({"order": "listed:" + ",".join(["snap"] * 10)}, "expected dealer, random, or listed:"),
        ({"burnin": "on"}, "farrago has no option 'burnin', expected one of: order, pack, players"),
    ],
)
def test_a_wrong_option_is_refused_with_what_is_allowed(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadOption) as caught:
        ruleset("farrago", options)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (0, "2S"),
        (12, "AS"),
        (52, "7S'"),
        (59, "8C'"),
        (64, "type=skint"),
        (71, "type=seconds"),
        (73, "type=snap"),
        (80, "bar=S"),
        (83, "bar=C"),
        (84, "trump=S"),
        (87, "trump=C"),
        (96, "show=2S"),
        (155, "show=8C'"),
    ],
)
def test_actions_have_the_numbers_of_the_contract(action: int, text: str) -> None:
    rules = ruleset("farrago", {"players": "5"})
    assert rules.text(action) == text
    assert rules.parse(text) == action


def test_a_card_that_the_pack_does_not_have_is_no_action() -> None:
    rules = ruleset("farrago", {"players": "3"})
    assert rules.text(35) == "AC"
    for action in (36, 63, 74, 88, 132, 256):
        with pytest.raises(BadAction):
            rules.text(action)
    with pytest.raises(BadAction, match="'2S' is not an action, expected one like AS, type=seconds"):
        rules.parse("2S")


@pytest.mark.parametrize("game", FARRAGO, ids=label)
def test_what_is_computed_agrees_with_what_happened(walk: Walk, game: tuple[str, dict[str, str]]) -> None:
    for state in walk(3, *game):
        assert isinstance(state, FarragoState)
        view = state.observation(1)
        pack = view.pack
        assert view.position == state.seats.index(1)
        assert view.partners == ()
        assert view.seats[view.dealer] is not None
        hidden = [c for p, hand in enumerate(state._hands) if p != view.position for c in cards_in(hand)]
        assert list(view.unseen) == sorted(hidden)
        for other, suits in enumerate(view.voids):
            assert all(pack.suit[card] not in suits for card in cards_in(state._hands[other]))
        assert sum(view.tricks) == len(view.winners)
        if view.trick:
            assert view.led == pack.suit[view.trick[0]]
            assert view.best is not None
            assert view.best_position == (view.leaders[-1] + view.trick.index(view.best)) % len(view.seats)


@pytest.mark.parametrize("game", FARRAGO, ids=label)
def test_an_observation_is_the_same_in_all_worlds_that_differ_only_in_what_is_hidden(
    walk: Walk, game: tuple[str, dict[str, str]]
) -> None:
    random = Random(5)
    for state in walk(6, *game):
        assert isinstance(state, FarragoState)
        seat = random.randrange(state.rules.seats)
        own = state.seats.index(seat)
        other = state.clone()
        cards = [card for position, hand in enumerate(state._hands) if position != own for card in cards_in(hand)]
        random.shuffle(cards)
        for position, hand in enumerate(state._hands):
            if position != own:
                other._hands[position] = sum(1 << cards.pop() for _ in range(hand.bit_count()))
        other._choices = {chooser: choice for chooser, choice in state._choices.items() if chooser == seat}
        other._order = tuple(reversed(state._order))
        other._deals = Deals(bytes(32))
        assert repr(state.observation(seat)) == repr(other.observation(seat))
