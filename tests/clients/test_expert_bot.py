"""The strongest sample bot: legal everywhere, reproducible, in time, and clear about what it needs."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import numpy as np
import pytest
from tests.engine.games import label, pairwise

from farfalia.bots import create
from farfalia.bots.cautious import CautiousBot
from farfalia.bots.greedy import by_price
from farfalia.errors import BadSetting
from farfalia.learning.policy_search import _Race, policy_search
from farfalia.testing import play_match
from farfalia_engine import Deals, Kind, State, cards_discarded, ruleset


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_it_plays_every_game(game: tuple[str, dict[str, str]]) -> None:
    name, options = game
    seats = ruleset(name, options).seats
    bots = [create("expert", 1, iterations=2), *(create("random", seat) for seat in range(seats - 1))]
    assert len(play_match(bots, 3, name, options).outcome.points) == seats


@pytest.mark.parametrize("name", ["two", "three-short"])
def test_the_same_seed_gives_the_same_match(name: str) -> None:
    def played() -> tuple[tuple[int, int], ...]:
        bots = [create("expert", 7, iterations=20), *(create("greedy") for _ in range(ruleset(name).seats - 1))]
        return play_match(bots, 5, name).actions

    assert played() == played()


def before_the_end(name: str, cards: int) -> State:
    """A deal in which this number of cards was played, by cautious."""
    state, bot = ruleset(name).new_match(Deals(bytes(32))), create("cautious")
    while state.pending and (len(state.plays) < cards or state.pending.kind is not Kind.PLAY or len(legal(state)) < 2):
        seat = state.pending.seats[0]
        state.apply(bot.decide(state.observation(seat)), seat)
    return state


def legal(state: State) -> tuple[int, ...]:
    return state.legal_actions(state.pending.seats[0]) if state.pending else ()


@pytest.mark.parametrize("name", ["four", "farrago"])
def test_a_search_counts_what_it_does(name: str) -> None:
    state = before_the_end(name, 20)
    view = state.observation(state.pending.seats[0]) if state.pending else None
    assert view is not None
    found = policy_search(view, Random(1), CautiousBot(), 300)
    assert found.best in view.legal
    assert sum(found.visits.values()) == found.iterations
    assert found == policy_search(view, Random(1), CautiousBot(), 300)
    hurried = policy_search(view, Random(1), CautiousBot(), 10**6, enough=lambda: True)
    assert 0 < hurried.iterations < 1000
    assert min(hurried.visits.values()) > 0


def test_nobody_searches_for_a_seat_that_is_not_asked() -> None:
    state = before_the_end("four", 20)
    assert state.pending is not None
    with pytest.raises(ValueError, match="no decision to make"):
        policy_search(state.observation((state.pending.seats[0] + 1) % 4), Random(1), CautiousBot())


def test_without_numpy_it_says_what_to_install() -> None:
    code = """
import sys
sys.modules["numpy"] = None
from farfalia.bots import NAMES, create
from farfalia.errors import BadSetting
assert "expert" in NAMES
try:
    create("expert")
except BadSetting as error:
    print(error)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ended.stdout, ended.stderr) == ("The sample bot expert needs NumPy: pip install 'numpy>=2'.\n", "")


def test_a_budget_that_cannot_be_is_refused() -> None:
    with pytest.raises(BadSetting, match="A search of 0 iterations finds nothing"):
        create("expert", 0, iterations=0)


def test_the_order_in_which_a_processor_adds_up_decides_nothing() -> None:
    chance = Random(5)
    worlds = 300
    points = np.array([[chance.randrange(-60, 60) for _ in range(worlds)] for _ in range(6)])
    counts = np.array([float(chance.randrange(1, 5)) for _ in range(worlds)])
    for shares in (3.0, 6.0, 12.0):
        found = []
        for order in (range(worlds), chance.sample(range(worlds), worlds)):
            race = _Race(range(6))
            race.count((points / shares)[:, list(order)], counts[list(order)])
            found.append((race.left, race.result()))
        assert found[0] == found[1]


@pytest.mark.parametrize(("name", "deal"), [("chinkway", 1), ("basic", 2), ("three-short", 4)])
def test_it_discards_some_of_the_cards_that_cost_least(name: str, deal: int) -> None:
    rules, bot = ruleset(name), create("expert", 1, iterations=60)
    state = rules.new_match(Deals(bytes(32)), min(deal, rules.last_deal))
    while state.pending and state.pending.kind is not Kind.DISCARD:
        seat = state.pending.seats[0]
        state.apply(create("cautious").decide(state.observation(seat)), seat)
    assert state.pending
    view = state.observation(state.pending.seats[0])
    answer = bot.decide(view)
    assert answer in view.legal
    assert set(cards_discarded(answer)) <= {*by_price(view)[:5]}
    assert create("expert", 1, iterations=60).decide(view) == answer


def test_only_some_actions_are_tried_if_so_told() -> None:
    state = before_the_end("four", 20)
    assert state.pending is not None
    view = state.observation(state.pending.seats[0])
    assert [*policy_search(view, Random(1), CautiousBot(), 100, actions=view.legal[:2]).visits] == [*view.legal[:2]]
