"""Worlds that are weighed: by how others have played, or by a likelihood of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from farfalia.bots import create
from farfalia.learning.likelihood import evidence_of
from farfalia.learning.likely_worlds import Likelihood, likely_worlds, world_weights
from farfalia.learning.lockstep_policy import Floats
from farfalia_engine import Deals, Observation, State, ruleset


def view_of(name: str = "four", options: dict[str, str] | None = None, plays: int = 18) -> Observation:
    """What the seat sees that is asked after this number of cards, all played by cautious."""
    state, bot = ruleset(name, options).new_match(Deals(bytes(32))), create("cautious")
    while len(state.plays) < plays:
        assert state.pending
        seat = state.pending.seats[0]
        state.apply(bot.decide(state.observation(seat)), seat)
    assert state.pending
    return state.observation(state.pending.seats[0])


def flat(view: Observation, worlds: Sequence[State]) -> Floats:
    """All worlds alike."""
    return np.zeros(len(worlds))


def test_counts_come_to_the_number_that_was_asked_for_and_follow_from_the_seed() -> None:
    view = view_of()
    likely = likely_worlds(view, Random(1), 50)
    again = likely_worlds(view, Random(1), 50)
    assert likely.counts.sum() == 50
    assert [world.hands for world in likely.worlds] == [world.hands for world in again.worlds]
    assert (likely.counts == again.counts).all()
    assert len(likely.worlds) < 50, "some stand for several"
    assert all(world.observation(view.seat).hand == view.hand for world in likely.worlds)


def test_a_likelihood_of_ones_own_decides_how_often_a_world_comes() -> None:
    view = view_of()
    card = view.unseen[0]
    holder = next(place for place in range(4) if any(world.hands[place] >> card & 1 for world in drawn(view, 50)))

    def holds(world: State) -> bool:
        return bool(world.hands[holder] >> card & 1)

    def twice(view: Observation, worlds: Sequence[State]) -> Floats:
        return np.log([2.0 if holds(world) else 1.0 for world in worlds])

    def share(likelihood: Likelihood, counted: int = 400) -> float:
        likely = likely_worlds(view, Random(2), counted, likelihood)
        return float(likely.counts[[holds(world) for world in likely.worlds]].sum() / counted)

    plain = share(flat)
    assert share(twice) == pytest.approx(2 * plain / (1 + plain), abs=0.01)


def drawn(view: Observation, number: int) -> list[State]:
    random = Random(3)
    return [view.sample(random) for _ in range(number)]


def test_impossible_worlds_never_come() -> None:
    view = view_of()

    def first_half(view: Observation, worlds: Sequence[State]) -> Floats:
        return np.where(np.arange(len(worlds)) < 5, 0.0, -np.inf)

    likely = likely_worlds(view, Random(1), 40, first_half)
    assert (len(likely.worlds), likely.counts.tolist()) == (5, [8.0] * 5)


def test_weights_are_less_sharp_where_few_worlds_would_count_alone() -> None:
    weights = world_weights(np.array([0.0] * 9 + [50.0]))
    assert weights.sum() == pytest.approx(1)
    assert 1 / (weights @ weights) >= 5
    assert weights[9] == weights.max()
    assert world_weights(np.log(np.array([1.0, 1.0, 2.0]))).tolist() == pytest.approx([0.25, 0.25, 0.5])
    assert world_weights(np.array([-np.inf, 3.0])).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("values", [[], [-np.inf, -np.inf], [0.0, np.nan], [0.0, np.inf]])
def test_values_that_are_no_likelihood_are_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="no world is possible by this likelihood"):
        world_weights(np.array(values))


def test_wrong_arguments_are_told() -> None:
    view = view_of()
    with pytest.raises(ValueError, match="number is 0, expected at least 1"):
        likely_worlds(view, Random(1), 0)
    with pytest.raises(ValueError, match=r"likelihood returned the shape \(1,\), expected \(30,\): one of each world"):
        likely_worlds(view, Random(1), 3, lambda view, worlds: np.zeros(1))


def test_a_game_with_wild_cards_takes_a_likelihood_of_ones_own_only() -> None:
    view = view_of("basic", {"burnin": "on"})
    with pytest.raises(ValueError, match=r"basic {'burnin': 'on'} is not played in lock step"):
        evidence_of(view, drawn(view, 2))
    likely = likely_worlds(view, Random(1), 10, flat)
    assert (len(likely.worlds), likely.counts.sum()) == (10, 10)
