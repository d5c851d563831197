"""Who must follow suit is defined by `follow_suit`; states are quicker, and agree."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.games import FARFALIA, FARRAGO

from farfalia_engine import SUIT, SUIT_MASKS, WILD, Deals, Kind, State, cards_in, mask_of, ruleset
from farfalia_engine.farrago import packs
from farfalia_engine.farrago.observation import FarragoObservation
from farfalia_engine.following_suit import follow_suit


def test_a_hand_follows_suit_and_one_that_is_void_plays_any_card() -> None:
    hand = mask_of([3, 7, 20])
    assert cards_in(follow_suit(hand, SUIT_MASKS[0])) == (3, 7)
    assert cards_in(follow_suit(hand, SUIT_MASKS[1])) == (20,)
    assert cards_in(follow_suit(hand, SUIT_MASKS[2])) == (3, 7, 20)


@given(st.sampled_from(FARFALIA + FARRAGO), st.integers(0, 2**32), st.integers(1, 70))
def test_legal_to_a_trick_is_what_follows_suit_and_a_wild_card(
    game: tuple[str, dict[str, str]], seed: int, actions: int
) -> None:
    random = Random(seed)
    state = ruleset(*game).new_match(Deals(random.randbytes(32)))
    for _ in range(actions):
        seat = random.choice(state.pending.seats) if state.pending else 0
        state.apply(random.choice(state.legal_actions(seat)), seat)
        if state.pending is None:
            break
        if state.pending.kind is Kind.PLAY and state.mid_trick:
            assert state.legal_actions() == may_play(state)
            sampled = state.observation(random.randrange(state.rules.seats)).sample(random)
            assert sampled.legal_actions() == may_play(sampled)


def may_play(state: State) -> tuple[int, ...]:
    """Return what the one who is to act may play, from what the seat sees."""
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
