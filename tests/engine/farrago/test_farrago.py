"""Farrago beside a second opinion, and ruling by ruling."""

from functools import partial
from random import Random
from typing import cast

import pytest
from tests.engine import farrago_opinion
from tests.engine.agreeing import play_beside
from tests.engine.conftest import Walk
from tests.engine.games import FARRAGO, LISTED, label
from tests.engine.tables import do, legal, play_until, start

from farfalia_engine import BadAction, BadOption, Deals, IllegalAction, Kind, State, board_key, ruleset
from farfalia_engine.farrago.deal_types import TYPES, DealType, majority
from farfalia_engine.farrago.observation import FarragoObservation
from farfalia_engine.farrago.packs import DUPLICATES, FIVE_HUNDRED, FULL, SHORT, Pack, cards_in
from farfalia_engine.farrago.state import FarragoState
from farfalia_engine.games.farrago import Farrago

S, H, D, C = range(4)


@pytest.mark.parametrize("game", FARRAGO, ids=label)
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(4, 12))])
def test_a_match_at_random_is_what_the_second_opinion_says(game: tuple[str, dict[str, str]], seed: int) -> None:
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


@pytest.mark.parametrize(("pack", "size"), [(SHORT, 36), (FULL, 52), (DUPLICATES, 60), (FIVE_HUNDRED, 60)])
def test_a_pack_has_no_card_twice_and_every_card_in_one_suit(pack: Pack, size: int) -> None:
    """G1."""
    assert len(set(pack.names)) == pack.size == size
    assert sum(pack.suit_masks) == 2**size - 1
    assert cards_in(2**size - 1) == tuple(range(size))


@pytest.mark.parametrize(("pack", "length"), [(SHORT, 9), (FULL, 13), (DUPLICATES, 15), (FIVE_HUNDRED, 15)])
def test_every_suit_of_a_pack_has_as_many_cards(pack: Pack, length: int) -> None:
    """G1."""
    assert [mask.bit_count() for mask in pack.suit_masks] == [length] * 4


def test_the_five_hundred_pack_has_black_twos_and_red_thirteens() -> None:
    """G1."""
    assert [name for name in FIVE_HUNDRED.names if name[:-1] in ("2", "13")] == ["2S", "13H", "13D", "2C"]


@pytest.mark.parametrize(
    ("players", "pack", "held"), [("3", {}, 12), ("4", {}, 13), ("5", {}, 12), ("5", {"pack": "five-hundred"}, 12)]
)
def test_the_whole_pack_is_dealt_and_the_dealers_left_leads(players: str, pack: dict[str, str], held: int) -> None:
    """G2."""
    state = play_until(start("farrago", 0, **{"players": players, **pack}), lambda state: bool(state.leaders))
    assert set(state.observation(0).held) <= {held, held - 1}
    assert list(state.leaders) == [1]


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


def test_each_of_three_positions_bars_a_suit_and_the_fourth_is_trumps() -> None:
    for players, seats in (("3", [1, 2, 0]), ("4", [1, 2, 3]), ("5", [1, 2, 3])):
        state = start(
            "farrago",
            order=LISTED.replace("snap", "x").replace("barred", "snap").replace("x", "barred"),
            players=players,
        )
        asked: list[int] = []
        for suit in "HSC":
            assert state.pending
            assert state.pending.kind is Kind.BAR
            asked += state.pending.seats
            do(state, f"bar={suit}")
        assert asked == seats
        view = state.observation(0)
        assert (view.trumps, list(view.bars)) == (D + 1, [H, S, C])


def test_a_barred_suit_cannot_be_barred_again() -> None:
    state = start("farrago", order="listed:barred," + ",".join(t for t in TYPES if t != "barred"))
    assert legal(do(state, "bar=H")) == ["bar=S", "bar=D", "bar=C"]


def test_the_first_suit_that_does_not_follow_is_trumps_from_that_card_on(walk: Walk) -> None:
    """G6: in that trick, too."""
    turned = 0
    for seed in range(12):
        for state in walk(seed, "farrago", {"order": "listed:surprise," + ",".join(TYPES).replace(",surprise", "")}):
            view = cast(FarragoObservation, state.observation(0))
            if view.type is not DealType.SURPRISE or state.outcome:
                continue
            strays = [
                FULL.suit[card]
                for trick, _ in enumerate(view.leaders)
                for card in view.plays[4 * trick : 4 * trick + 4]
                if FULL.suit[card] != FULL.suit[view.plays[4 * trick]]
            ]
            assert view.trumps == (strays[0] + 1 if strays else 0)
            in_trick = [card for card in view.trick if FULL.suit[card] != view.led]
            if len(strays) == 1 and in_trick:
                assert view.best is not None
                assert FULL.suit[view.best] == strays[0]
                turned += 1
    assert turned


@pytest.mark.parametrize("game", FARRAGO, ids=label)
def test_skint_is_played_once_one_player_alone_is_behind_or_else_last(
    walk: Walk, game: tuple[str, dict[str, str]]
) -> None:
    """G3; the other types of an order keep their places."""
    for seed in range(4):
        *_, state = walk(seed, *game)
        assert isinstance(state, FarragoState)
        n = state.rules.seats
        assert sorted(state.types) == list(range(1, 11))
        due = [
            deal
            for deal in range(10)
            if (totals := [sum(state.scores[seat : n * deal : n]) for seat in range(n)]).count(min(totals)) == 1
        ]
        assert state.types.index(DealType.SKINT) == (due[0] if due else 9)
        if game[1].get("order") == LISTED:
            others = [DealType(kind).text for kind in state.types if kind != DealType.SKINT]
            assert others == LISTED.removeprefix("listed:").replace("skint,", "").split(",")


def test_if_skint_is_left_over_the_first_of_those_behind_from_the_dealers_left_names_trumps() -> None:
    """G3: all are level before the last deal, which seat 1 deals."""
    state = start("farrago")
    assert isinstance(state, FarragoState)
    state.types = bytes(kind for kind in DealType if kind is not DealType.SKINT)
    state.deal, state.totals, state.scores = 9, (30, 30, 30, 30), (0,) * 36
    state._begin_deal()
    assert state.pending
    assert (state.pending.kind, state.pending.seats, state.pending.position) == (Kind.NAME_TRUMPS, (2,), 1)
    assert legal(state) == ["trump=S", "trump=H", "trump=D", "trump=C"]


def test_a_dealer_picks_any_type_that_is_left_but_skint_and_is_not_asked_about_the_last() -> None:
    """F19 for the last one."""
    state = start("farrago")
    assert state.pending
    assert (state.pending.kind, state.pending.seats) == (Kind.PICK_TYPE, (0,))
    assert legal(state) == [f"type={name}" for name in list(TYPES)[1:]]
    assert len(state.observation(0).hand) == 13
    assert isinstance(state, FarragoState)
    state.types = bytes(kind for kind in DealType if kind not in (DealType.SECONDS, DealType.SKINT))
    state._find_type()
    assert state.types[-1] == DealType.SECONDS


def test_later_types_of_a_random_order_stay_unknown() -> None:
    state = start("farrago", order="random")
    assert [len(state.observation(seat).types) for seat in range(4)] == [1] * 4


@pytest.mark.parametrize(
    ("players", "points"),
    [
        ("4", {0: 45, 1: 30, 2: 15, 3: 0, 4: 10, 13: 100}),
        ("3", {0: 60, 4: 0, 5: 10}),
        ("5", {0: 30, 2: 0, 3: 10}),
    ],
)
def test_tricks_beyond_par_are_worth_ten_and_those_short_of_it_fifteen(players: str, points: dict[int, int]) -> None:
    game = cast(Farrago, ruleset("farrago", {"players": players}).game)
    assert {tricks: game.points(tricks) for tricks in points} == points


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
