"""Playing a deal to its end at random."""

from collections.abc import Mapping
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.conftest import Walk
from tests.engine.games import ALL, label
from tests.engine.tables import play_until, start

from farfalia_engine import Deals, State, rollouts, ruleset


def played_out_step_by_step(state: State, random: Random) -> tuple[int, ...]:
    """What a playout is, said again: any legal action, one decision after the other."""
    other = state.clone()
    other.end_with_deal()
    while other.pending:
        legal = other.legal_actions()
        other.apply(legal[int(random.random() * len(legal))])
    assert other.outcome
    return other.outcome.deals[-1]


@pytest.mark.parametrize("game", ALL, ids=label)
def test_a_playout_gives_the_points_of_the_deal_that_is_being_played(
    walk: Walk, game: tuple[str, dict[str, str]]
) -> None:
    random = Random(1)
    for state in walk(1, *game):
        if state.pending and random.random() < 0.1:
            shown = [state.observation(seat) for seat in range(state.rules.seats)]
            points = state.playout(random)
            assert len(points) == state.rules.seats
            assert all(value >= 0 for value in points)
            assert [state.observation(seat) for seat in range(state.rules.seats)] == shown


@given(st.sampled_from(ALL), st.binary(min_size=32, max_size=32), st.integers(0, 200), st.randoms())
def test_a_playout_takes_the_same_decisions_as_playing_step_by_step(
    game: tuple[str, Mapping[str, str]], key: bytes, depth: int, random: Random
) -> None:
    state = ruleset(*game).new_match(Deals(key))
    for _ in range(depth):
        if state.pending:
            state.apply(random.choice(state.legal_actions()))
    asked = state if state.pending else ruleset(*game).new_match(Deals(key))
    assert asked.pending
    observation = asked.observation(random.choice(asked.pending.seats))
    for determinization in (asked, observation.sample(Random(depth))):
        one, other = Random(depth), Random(depth)
        assert determinization.playout(one) == played_out_step_by_step(determinization, other)
        assert one.random() == other.random()


@pytest.mark.parametrize("game", ALL, ids=label)
def test_every_decision_of_a_deal_may_be_followed_by_a_playout(walk: Walk, game: tuple[str, dict[str, str]]) -> None:
    for number, state in enumerate(walk(1, *game)):
        if state.deal > 1 or not state.pending:
            break
        one, other = Random(number), Random(number)
        assert state.playout(one) == played_out_step_by_step(state, other)
        assert one.random() == other.random()


def test_a_playout_from_the_last_card_is_what_happens() -> None:
    state = play_until(start("chinkway"), lambda state: len(state.plays) == 49)
    playout = {state.playout(Random(seed)) for seed in range(30)}
    ends = set()
    for seed in range(30):
        end = play_until(state.clone(), lambda state: state.deal == 2, seed)
        ends.add(end.scores)
    assert playout == ends


def test_rollouts_are_the_mean_of_playouts_and_depend_on_the_seed_only() -> None:
    state = start("four", 1)
    random = Random(5)
    points = [state.playout(random) for _ in range(20)]
    assert rollouts(state, 20, 5) == tuple(sum(values) / 20 for values in zip(*points, strict=True))
    assert rollouts(state, 20, 5) != rollouts(state, 20, 6)


def test_there_is_nothing_to_play_out_once_the_match_is_over() -> None:
    state = play_until(start("two"), lambda state: state.pending is None)
    with pytest.raises(ValueError, match="the match is over"):
        state.playout(Random(1))
    with pytest.raises(ValueError, match="0 rollouts have no mean"):
        rollouts(start("two"), 0, 1)


def test_true_is_no_number_of_rollouts_and_no_seed() -> None:
    with pytest.raises(TypeError, match=r"^n is True, expected an integer$"):
        rollouts(start("two"), True, 1)
    with pytest.raises(TypeError, match=r"^seed is False, expected an integer$"):
        rollouts(start("two"), 1, False)
    assert rollouts(start("two"), np.int64(3), np.int64(1)) == rollouts(start("two"), 3, 1)  # type: ignore[arg-type]
