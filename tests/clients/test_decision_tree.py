"""The tree over a seat's own decisions: exact where nothing is hidden, and never better than what a seat can know."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from farfalia.bots.cautious import CautiousBot
from farfalia.learning.decision_tree import _Branching
from farfalia.learning.likely_worlds import LikelyWorlds, likely_worlds
from farfalia.learning.lockstep_policy import Floats
from farfalia.learning.play_models import PLAY_MODELS
from farfalia.learning.world_values import tree_values_in, values_in
from farfalia_engine import Deals, Kind, Observation, State, ruleset

GAMES = ["two", "three", "three-short", "four", "chinkway", "basic", "five-hand", "farrago"]


def near_the_end(name: str, key: int, cards: int = 4) -> State:
    """A deal played by cautious until a seat has this number of cards, and a choice among them."""
    state, bot = ruleset(name).new_match(Deals(bytes([key]) * 32)), CautiousBot()
    state.end_with_deal()
    while True:
        assert state.pending is not None
        seat = state.pending.seats[0]
        view = state.observation(seat)
        if view.kind is Kind.PLAY and len(view.hand) <= cards and len(view.legal) > 1:
            return state
        state.apply(bot.decide(view), seat)


def view_of(state: State) -> Observation:
    assert state.pending is not None
    return state.observation(state.pending.seats[0])


def alone(worlds: list[State], seats: int) -> LikelyWorlds:
    """Worlds that are equally likely, and count enough that the tree believes them."""
    return LikelyWorlds(worlds, np.full(len(worlds), 8.0), np.ones((len(PLAY_MODELS), seats, len(worlds))))


def by_hand(state: State, seat: int) -> float:
    """What the seat comes to if it plays its cards best and everything else is as cautious does it."""
    bot = CautiousBot()
    while state.pending is not None:
        asked = state.pending.seats[0]
        legal = state.legal_actions(asked)
        if asked == seat and state.pending.kind is Kind.PLAY and len(legal) > 1:
            return max(after(state, action, seat) for action in legal)
        state.apply(legal[0] if len(legal) == 1 else bot.decide(state.observation(asked)), asked)
    rules, points = state.rules, state.scores[-state.rules.seats :]
    own = next((team for team in rules.teams or () if seat in team), (seat,))
    others = [points[other] for other in range(rules.seats) if other not in own]
    return sum(points[one] for one in own) / len(own) - sum(others) / len(others)


def after(state: State, action: int, seat: int) -> float:
    state = state.clone()
    state.apply(action, seat)
    return by_hand(state, seat)


@pytest.mark.parametrize("key", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_what_it_knows_it_plays_out_best(name: str, key: int) -> None:
    """With one world alone the ending is solved: no line of its own cards comes to more."""
    state = near_the_end(name, key)
    view = view_of(state)
    found = tree_values_in(view, alone([state], len(view.seats)), view.legal, CautiousBot(), None)
    assert found[:, 0] == pytest.approx([after(state, action, view.seat) for action in view.legal], abs=1e-5)


def mean(values: Floats, likely: LikelyWorlds) -> Floats:
    means: Floats = values @ likely.counts / likely.counts.sum()
    return means


@pytest.mark.parametrize("name", GAMES)
def test_it_gains_from_what_it_will_see_and_not_from_what_it_cannot(name: str) -> None:
    """It is never worse than cautious, and never better than with open cards, which would tell equal worlds apart."""
    more = less = 0.0
    for key in range(3):
        view, bot = view_of(near_the_end(name, key)), CautiousBot()
        likely = alone(likely_worlds(view, Random(key), 40).worlds, len(view.seats))
        cautious = mean(values_in(view, likely.worlds, view.legal, bot), likely)
        tree = mean(tree_values_in(view, likely, view.legal, bot, None), likely)
        shown = [tree_values_in(view, alone([one], len(view.seats)), view.legal, bot, None) for one in likely.worlds]
        best = mean(np.hstack(shown), likely)
        assert (tree >= cautious - 1e-5).all()
        assert (tree <= best + 1e-5).all()
        more += float((tree - cautious).sum())
        less += float((best - tree).sum())
    if name in ("two", "three"):  # with more who play, few worlds look the same
        assert more > 0
        assert less > 0


def test_a_card_that_seems_better_by_chance_gains_nothing() -> None:
    """What is chosen for some worlds is counted in others, unless all worlds there are have been drawn."""
    worlds, numbers = 40, np.random.default_rng(1)
    tree = _Branching(
        parent=np.repeat(np.arange(worlds), 3),
        card=np.tile(np.arange(3, dtype=np.uint8), worlds),
        policy=np.tile(np.array([True, False, False]), worlds),
        group=np.zeros(worlds, np.intp),
        world=np.arange(worlds),
    )

    def gained(counts: float) -> Floats:
        noise = numbers.normal(size=(300, worlds, 3)) * [0, 1, 1]
        return np.array([tree.decided(one.reshape(-1), np.full(worlds, counts)).mean() for one in noise])

    few, every = gained(1.0), gained(8.0)
    assert abs(few.mean()) < 3 * few.std() / np.sqrt(len(few))
    assert every.mean() > 10 * every.std() / np.sqrt(len(every))
