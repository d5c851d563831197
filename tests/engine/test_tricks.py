"""Who must follow suit, and who wins, is defined by functions; states are quicker, and agree."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.games import ALL, FARRAGO

from farfalia_engine import (
    SUIT,
    SUIT_MASKS,
    WILD,
    Deals,
    Kind,
    State,
    Trumps,
    best_card,
    cards_in,
    mask_of,
    parse_card,
    ruleset,
)
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.farrago import packs
from farfalia_engine.farrago.deal_types import RULES, DealType
from farfalia_engine.farrago.observation import FarragoObservation
from farfalia_engine.farrago.state import FarragoState
from farfalia_engine.following_suit import follow_suit


@pytest.mark.parametrize(
    ("trick", "trumps", "winner"),
    [
        ("S5 S9 S2 S13 S1", Trumps.NONE, "S13"),
        ("S5 L13 F13 O13 S4", Trumps.NONE, "S5"),
        ("S5 L13 F13 O13 S6", Trumps.LEAVES, "L13"),
        ("S13 L1 S12 L2 O13", Trumps.LEAVES, "L2"),
        ("L1 S13 F13 O13 L2", Trumps.LEAVES, "L2"),
        ("O1 S1 L1 F1 F2", Trumps.STRAWBERRIES, "S1"),
        ("O1 S13 L13 F13 F12", Trumps.SEASHELLS, "O1"),
        ("S8 S10 S12 S11 S9", Trumps.NONE, "S12"),
    ],
)
def test_the_highest_trump_wins_or_else_the_highest_of_the_suit_led(trick: str, trumps: Trumps, winner: str) -> None:
    names = trick.split()
    assert names[best_card(bytes(map(parse_card, names)), trumps)] == winner


def test_a_hand_follows_suit_and_one_that_is_void_plays_any_card() -> None:
    hand = mask_of([3, 7, 20])
    assert cards_in(follow_suit(hand, SUIT_MASKS[0])) == (3, 7)
    assert cards_in(follow_suit(hand, SUIT_MASKS[1])) == (20,)
    assert cards_in(follow_suit(hand, SUIT_MASKS[2])) == (3, 7, 20)


def drawn(game: tuple[str, dict[str, str]], seed: int, actions: int) -> Iterator[State]:
    """The states of so many actions at random in which a trick may lie open, each with one that looks like it."""
    random = Random(seed)
    state = ruleset(*game).new_match(Deals(random.randbytes(32)))
    for _ in range(actions):
        if state.pending:
            seat = random.choice(state.pending.seats)
            state.apply(random.choice(state.legal_actions(seat)), seat)
        if state.pending:
            yield state
            yield state.observation(random.randrange(state.rules.seats)).sample(random)


@given(st.sampled_from(ALL), st.integers(0, 2**32), st.integers(1, 70))
def test_legal_cards_and_the_card_that_wins_are_those_of_the_definitions(
    game: tuple[str, dict[str, str]], seed: int, actions: int
) -> None:
    for state in drawn(game, seed, actions):
        assert state.pending
        if state.pending.kind is Kind.PLAY and state.mid_trick:
            assert state.legal_actions() == may_play(state)
        seats = len(state.observation(0).seats)
        if isinstance(state, FarfaliaState) and (trick := state.plays[len(state.winners) * seats :]):
            won = (state.leaders[-1] + best_card(trick, state.trumps)) % seats
            assert state._winning.position == won == state.observation(0).best_position


def may_play(state: State) -> tuple[int, ...]:
    """What the one who is to act may play, from what the seat sees."""
    assert state.pending is not None
    observation = state.observation(state.pending.seats[0])
    if isinstance(observation, FarragoObservation):
        pack = observation.pack
        return packs.cards_in(follow_suit(mask_of(observation.hand), pack.suit_masks[pack.suit[observation.trick[0]]]))
    hand = (
        observation.face_up[observation.dummies.index(observation.acting)]
        if observation.acting in observation.dummies
        else observation.hand
    )
    wilds = tuple(card for card in hand if card >= WILD)
    ordinary = mask_of([card for card in hand if card < WILD])
    return cards_in(follow_suit(ordinary, SUIT_MASKS[SUIT[observation.trick[0]]])) + wilds


@given(st.sampled_from(FARRAGO), st.integers(0, 2**32))
def test_a_trick_of_farrago_goes_to_the_winner_of_the_types_rules(game: tuple[str, dict[str, str]], seed: int) -> None:
    random = Random(seed)
    rules = ruleset(*game)
    state = rules.new_match(Deals(random.randbytes(32)))
    assert isinstance(state, FarragoState)
    while state.pending and not state.winners:
        kind, deal, trick = state.types[-1:], state.deal, bytes(state.plays)
        seat = random.choice(state.pending.seats)
        action = random.choice(state.legal_actions(seat))
        state.apply(action, seat)
    assert deal == state.deal
    index = RULES[DealType(kind[0])].winner(state._terms.pack, (*trick, action), state.trumps)
    assert state.winners[0] == (state.leaders[0] + index) % rules.seats
