"""Matches played at random, for all tests of the engine."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Protocol

import pytest
from tests.engine.games import NOTHING

from farfalia_engine import Deals, State, ruleset


class Walk(Protocol):
    """Every state of a match that is played at random; one state that moves on."""

    def __call__(self, seed: int, name: str = "chinkway", options: Mapping[str, str] = NOTHING) -> Iterator[State]: ...


@pytest.fixture(scope="session")
def walk() -> Walk:
    def states(seed: int, name: str = "chinkway", options: Mapping[str, str] = NOTHING) -> Iterator[State]:
        random = Random(seed)
        state = ruleset(name, options).new_match(Deals(random.randbytes(32)))
        yield state
        while state.pending:
            seat = random.choice(state.pending.seats)
            state.apply(random.choice(state.legal_actions(seat)), seat)
            yield state

    return states
