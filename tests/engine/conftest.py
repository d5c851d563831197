"""Matches played at random, for all tests of the engine."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Protocol

import pytest
from tests.engine.games import NOTHING

from farfalia_engine import Deals, Ruleset, State, ruleset


class Walk(Protocol):
    """Every state of a match that is played at random; one state that moves on. A match is drawn once in a process."""

    def __call__(self, seed: int, name: str = "chinkway", options: Mapping[str, str] = NOTHING) -> Iterator[State]: ...


@pytest.fixture(scope="session")
def walk() -> Walk:
    walked: dict[tuple[int, Ruleset], list[tuple[int, int]]] = {}

    def states(seed: int, name: str = "chinkway", options: Mapping[str, str] = NOTHING) -> Iterator[State]:
        random, rules = Random(seed), ruleset(name, options)
        state = rules.new_match(Deals(random.randbytes(32)))
        yield state
        if (seed, rules) in walked:
            for action, seat in walked[seed, rules]:
                state.apply(action, seat)
                yield state
            return
        actions: list[tuple[int, int]] = []
        while state.pending:
            seat = random.choice(state.pending.seats)
            action = random.choice(state.legal_actions(seat))
            actions.append((action, seat))
            state.apply(action, seat)
            yield state
        walked[seed, rules] = actions

    return states
