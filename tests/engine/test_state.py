import subprocess
import sys
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.conftest import Walk
from tests.engine.games import ALL, label
from tests.examples import few

from farfalia_engine import Deals, IllegalAction, Kind, State, ruleset

SEEDS = st.integers(0, 10**9)

PROGRAM = """
from random import Random
from hashlib import sha256
from farfalia_engine import Deals, ruleset
random, digest = Random(7), sha256()
state = ruleset("chinkway").new_match(Deals(bytes(32)))
while state.pending:
    state.apply(random.choice(state.legal_actions()))
    digest.update(repr([state.observation(seat) for seat in range(5)]).encode())
print(digest.hexdigest(), state.outcome)
"""


def shown(state: State) -> list[object]:
    views = (state.observation(seat) for seat in range(state.rules.seats))
    return [*views, state.pending, state.legal_actions(), state.outcome]


@pytest.mark.parametrize("game", ALL, ids=label)
def test_a_clone_is_equal_and_goes_its_own_way(walk: Walk, game: tuple[str, dict[str, str]]) -> None:
    random = Random(2)
    for state in walk(1, *game):
        if state.pending and random.random() < 0.1:
            before, clone = shown(state), state.clone()
            assert shown(clone) == before
            for _ in range(random.choice((1, 2, 80))):
                if clone.pending:
                    clone.apply(random.choice(clone.legal_actions()))
            assert shown(state) == before


@pytest.mark.parametrize("game", ALL, ids=label)
def test_an_illegal_action_leaves_the_state_as_it_was(walk: Walk, game: tuple[str, dict[str, str]]) -> None:
    random = Random(3)
    for state in walk(1, *game):
        if random.random() < 0.1:
            before = shown(state)
            for action in {0, 30, 52, 59, 64, 70, 82, 85, 100, 116, 124, 125, 140, 256, 1581, -1, 10**30}:
                if action not in state.legal_actions():
                    with pytest.raises(IllegalAction):
                        state.apply(action)
            assert shown(state) == before


@pytest.mark.parametrize("game", ["chinkway", "farrago"])
@pytest.mark.parametrize(("action", "given"), [(0, False), (1, True)])
def test_true_and_false_are_no_cards(game: str, action: int, given: bool) -> None:
    state = ruleset(game).new_match(Deals(bytes(32)))
    random = Random(5)
    while state.pending and (state.pending.kind is not Kind.PLAY or action not in state.legal_actions()):
        state.apply(random.choice(state.legal_actions()))
    before = shown(state)
    with pytest.raises(IllegalAction, match=f"^{given} is illegal: {given} is not the number of an action$"):
        state.apply(given)
    assert shown(state) == before
    state.apply(np.int64(action))  # type: ignore[arg-type]  # NumPy's integers are as good
    assert state.plays[-1] == action


@few
@given(SEEDS)
def test_clones_end_as_their_original_if_the_same_is_done(seed: int) -> None:
    random = Random(seed)
    state = ruleset("chinkway").new_match(Deals(random.randbytes(32)))
    clones: list[State] = []
    while state.pending:
        if random.random() < 0.01:
            clones.append(state.clone())
        action = random.choice(state.legal_actions())
        for each in (state, *clones):
            each.apply(action)
    assert all(shown(clone) == shown(state) for clone in clones)


@pytest.mark.parametrize("game", ALL, ids=label)
def test_a_match_that_ends_with_its_deal_has_the_points_of_that_deal(game: tuple[str, dict[str, str]]) -> None:
    random = Random(4)
    state = ruleset(*game).new_match(Deals(bytes(32)))
    short = state.clone()
    short.end_with_deal()
    while short.pending:
        action = random.choice(state.legal_actions())
        for each in (state, short):
            each.apply(action)
    assert short.outcome
    assert (short.legal_actions(), short.deal, state.deal) == ((), 1, 2)
    assert short.outcome.points == short.totals == state.totals == state.scores


@pytest.mark.parametrize("game", ALL, ids=label)
def test_a_match_with_other_deals_stays_as_it_is_until_the_next_deal(
    walk: Walk, game: tuple[str, dict[str, str]]
) -> None:
    *_, last = (state.clone() for state in walk(1, *game) if state.deal == 1)
    before = shown(last)
    first, second, third = (last.with_deals(Deals(bytes([key]) * 32)) for key in (1, 1, 2))
    assert shown(first) == shown(third) == before
    for other in (first, second, third):
        other.apply(other.legal_actions()[0])
        while other.pending and not any(len(observation.hand) > 1 for observation in map(other.observation, range(2))):
            other.apply(other.legal_actions()[0])
    assert shown(last) == before
    assert shown(first) == shown(second) != shown(third)


def test_a_decision_is_one_object_however_often_it_comes_up(walk: Walk) -> None:
    first, second = ([state.pending for state in walk(3)] for _ in range(2))
    assert len(first) == len(second)
    assert all(one is other for one, other in zip(first, second, strict=True))


def test_matches_do_not_depend_on_the_order_of_hashes() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={"PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hash_seed in ("0", "2026")
    }
    assert len(outputs) == 1
    assert "Outcome(points=" in outputs.pop()
