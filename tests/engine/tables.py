"""Matches brought to where a test wants them."""

from collections.abc import Callable
from random import Random

from farfalia_engine import Deals, State, ruleset


def start(name: str, key: int = 0, /, **options: str) -> State:
    """A match with a key of this byte, repeated."""
    return ruleset(name, options).new_match(Deals(bytes([key]) * 32))


def play_until(state: State, wanted: Callable[[State], bool], seed: int = 0) -> State:
    """Play on at random until the state is as wanted."""
    random = Random(seed)
    while not wanted(state):
        assert state.pending, "the match is over before that"
        seat = random.choice(state.pending.seats)
        state.apply(random.choice(state.legal_actions(seat)), seat)
    return state


def do(state: State, *actions: str) -> State:
    """Take these actions."""
    for action in actions:
        state.apply(state.rules.parse(action))
    return state


def legal(state: State, seat: int | None = None) -> list[str]:
    """What may be done, as text."""
    return [state.rules.text(action) for action in state.legal_actions(seat)]
