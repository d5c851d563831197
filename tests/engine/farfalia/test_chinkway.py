"""Chinkway rule by rule; `test_games` has the second opinion."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.conftest import Walk
from tests.examples import few

from farfalia_engine import Deals, IllegalAction, Kind, State, ruleset
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.games.chinkway import standing

RULES = ruleset("chinkway")
assert isinstance(RULES.game, Farfalia)
CHINKWAY = RULES.game
SEEDS = st.integers(0, 10**9)


def test_position_one_is_dealt_first_and_the_dealer_gets_the_last_two() -> None:
    """F17."""
    state = RULES.new_match(Deals(bytes(32)))
    deck = Deals(bytes(32)).shuffle("deal/1/cards", 52)
    assert list(state.observation(1).hand) == sorted(deck[0:50:5])
    assert list(state.observation(4).hand) == sorted(deck[3:50:5])
    assert list(state.observation(0).hand) == sorted([*deck[4:50:5], *deck[50:]])


def test_the_dealer_discards_then_declares_and_only_then_the_proposal_is_turned_up() -> None:
    """F3: two decisions."""
    state = RULES.new_match(Deals(bytes(32)))
    for kind in (Kind.DISCARD, Kind.DECLARE):
        assert state.pending
        assert (state.pending.kind, state.pending.seats, state.pending.position) == (kind, (0,), 0)
        assert state.subjects == b""
        state.apply(state.legal_actions()[0])
    assert state.pending
    assert (state.pending.kind, state.pending.seats) == (Kind.PLAY, (1,))
    assert len(state.subjects) == 5


def test_a_dealer_may_discard_any_two_of_twelve() -> None:
    assert len(RULES.new_match(Deals(bytes(32))).legal_actions()) == 66


@few
@given(SEEDS)
def test_all_ten_tricks_of_every_deal_are_played(walk: Walk, seed: int) -> None:
    """F20."""
    last_tricks = {state.deal: (len(state.plays), len(state.leaders)) for state in walk(seed)}
    assert set(last_tricks) == set(range(1, 12))
    plays = Counter(state.deal for state in walk(seed) if state.pending and state.pending.kind is Kind.PLAY)
    assert set(plays.values()) == {50}


@few
@given(SEEDS)
def test_every_card_is_always_in_one_place(walk: Walk, seed: int) -> None:
    for state in walk(seed):
        hands = [card for seat in range(5) for card in state.observation(seat).hand]
        dealer = state.observation(0).dealer
        discards = state.observation(dealer).discarded
        assert sorted([*hands, *discards, *state.plays]) == list(range(52))


@few
@given(SEEDS)
def test_a_side_never_holds_more_of_a_family_than_the_proposal_shows(walk: Walk, seed: int) -> None:
    for state in walk(seed):
        view = state.observation(0)
        for side in set(view.sides):
            cards = [c for w, c in zip(view.winners, view.collected, strict=False) if view.sides[w] == side and c < 52]
            families = Counter("B" if card % 13 + 1 in (8, 10, 12) else "SLFO"[card // 13] for card in cards)
            assert families <= Counter("BSLFO"[family] for family in view.subjects)


def test_every_two_seats_are_partners_exactly_twice_in_ten_deals_and_alone_twice() -> None:
    partners: Counter[tuple[int, ...]] = Counter()
    for deal in range(1, 11):
        layout = CHINKWAY.layout(deal, [])
        for side in set(layout.sides):
            partners[tuple(sorted(layout.seats[p] for p in range(5) if layout.sides[p] == side))] += 1
    assert partners == {pair: 2 for size in (1, 2) for pair in combinations(range(5), size)}


def test_the_deal_passes_to_the_left() -> None:
    assert [CHINKWAY.layout(deal, []).seats[0] for deal in range(1, 11)] == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]


def scores(*deals: str) -> list[int]:
    """Points of ten deals, the last ones as given, by seat, one digit each."""
    return [0] * 5 * (10 - len(deals)) + [int(digit) for deal in deals for digit in deal]


@pytest.mark.parametrize(
    ("points", "order"),
    [
        (scores("31204"), [4, 0, 2, 1, 3]),
        (scores("12345", "54321"), [0, 1, 2, 3, 4]),
        (scores("54321", "12345"), [4, 3, 2, 1, 0]),
        (scores("30000", "03000", "00300", "00000"), [2, 1, 0, 3, 4]),
        (scores("10000", "01000", "11111", "00311"), [2, 3, 4, 1, 0]),
        (scores(), [0, 1, 2, 3, 4]),
        (scores("66666"), [0, 1, 2, 3, 4]),
        ([9, 0, 0, 0, 0] + [0] * 40 + [0, 9, 9, 0, 0], [1, 2, 0, 3, 4]),
        ([0, 0, 0, 3, 1] + [0] * 40 + [0, 0, 0, 0, 2], [4, 3, 0, 1, 2]),
    ],
)
def test_ties_before_deal_eleven_go_to_the_last_deal_then_back_then_to_the_lower_seat(
    points: list[int], order: list[int]
) -> None:
    """F5."""
    assert standing(points) == order


@given(st.permutations(range(5)))
def test_in_deal_eleven_third_fourth_fifth_first_second_sit_clockwise_from_the_dealer(order: list[int]) -> None:
    points = [0] * 5
    for place, seat in enumerate(order):
        points[seat] = 15 - 3 * place
    layout = CHINKWAY.layout(11, [*([0] * 45), *points])
    first, second, third, fourth, fifth = order
    assert list(layout.seats) == [third, fourth, fifth, first, second]
    side = {seat: layout.sides[position] for position, seat in enumerate(layout.seats)}
    assert side[first] == side[fourth]
    assert side[second] == side[fifth]
    assert len({side[first], side[second], side[third]}) == 3


def test_partners_and_the_dealer_score_their_sides_full_figure(walk: Walk) -> None:
    for state in walk(5):
        before = state.observation(0) if len(state.winners) == 10 else None
        if before and before.deciding and state.deal < 11:
            after = state.clone()
            after.apply(after.legal_actions()[-1])  # none
            expected = [before.points(before.sides[before.seats.index(seat)]) for seat in range(5)]
            assert list(after.scores[-5:]) == expected
            assert max(expected) > 0


def test_an_illegal_action_leaves_the_state_as_it_was(walk: Walk) -> None:
    for state in walk(11):
        before = [state.observation(seat) for seat in range(5)]
        for action in {0, 30, 51, 64, 116, 124, 256, 1581, -1, 1582, 10**30} - set(state.legal_actions()):
            with pytest.raises(IllegalAction):
                state.apply(action)
        assert [state.observation(seat) for seat in range(5)] == before


def test_only_the_seat_that_is_asked_may_act() -> None:
    state = RULES.new_match(Deals(bytes(32)))
    for seat in (1, 2, 3, 4, 5, -1):
        assert state.legal_actions(seat) == ()
        with pytest.raises(IllegalAction, match="is illegal: seat 0 is to act"):
            state.apply(state.legal_actions()[0], seat)
    state.apply(state.legal_actions(0)[0], 0)


def test_a_refusal_says_what_may_be_done() -> None:
    state = RULES.new_match(Deals(bytes(32)))
    state.apply(state.legal_actions()[0])
    with pytest.raises(IllegalAction, match=r"S10 is illegal: seat 0 may choose among trump=S .* trump=NT"):
        state.apply(RULES.parse("S10"))


def test_nothing_can_be_done_once_the_match_is_over(walk: Walk) -> None:
    state: State
    *_, state = walk(1)
    assert state.pending is None
    assert state.legal_actions() == ()
    assert state.outcome
    with pytest.raises(IllegalAction, match="the match is over"):
        state.apply(0)


def test_there_is_no_outcome_before_the_end(walk: Walk) -> None:
    *states, _last = (state.outcome for state in walk(2))
    assert set(states) == {None}
