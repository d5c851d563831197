"""Who wins a trick is defined by `best_card` and the rules of Farrago's types; the state is quicker, and agrees."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.games import FARFALIA, FARRAGO

from farfalia_engine import Deals, best_card, ruleset
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.farrago.deal_types import RULES, DealType
from farfalia_engine.farrago.state import FarragoState


@given(st.sampled_from(FARFALIA), st.integers(0, 2**32), st.integers(1, 70))
def test_the_card_that_wins_so_far_is_that_of_the_definition(
    game: tuple[str, dict[str, str]], seed: int, actions: int
) -> None:
    random = Random(seed)
    state = ruleset(*game).new_match(Deals(random.randbytes(32)))
    for _ in range(actions):
        seat = random.choice(state.pending.seats) if state.pending else 0
        state.apply(random.choice(state.legal_actions(seat)), seat)
        if state.pending is None:
            break
        observation = state.observation(state.pending.seats[0])
        for other in (state, observation.sample(random)):
            assert isinstance(other, FarfaliaState)
            trick = other.plays[len(other.winners) * len(observation.seats) :]
            if trick:
                won = (other.leaders[-1] + best_card(trick, other.trumps)) % len(observation.seats)
                assert other._winning.position == won == observation.best_position


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
