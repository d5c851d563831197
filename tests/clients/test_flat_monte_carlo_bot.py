"""The sample bot that searches: legal everywhere, reproducible, and in time."""

from __future__ import annotations

import pytest
from tests.engine.games import label, pairwise

from farfalia.bots import create
from farfalia.errors import BadSetting
from farfalia.testing import play_match
from farfalia.v1 import play_pb2
from farfalia.view import View, from_message
from farfalia_engine import Deals, ruleset


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_it_plays_every_game(game: tuple[str, dict[str, str]]) -> None:
    name, options = game
    seats = ruleset(name, options).seats
    bots = [create("flat-monte-carlo", 1, iterations=2), *(create("random", seat) for seat in range(seats - 1))]
    assert len(play_match(bots, 3, name, options).outcome.points) == seats


def test_the_same_seed_gives_the_same_match() -> None:
    def played() -> tuple[tuple[int, int], ...]:
        bots = [create("flat-monte-carlo", 7, iterations=5), *(create("greedy") for _ in range(4))]
        return play_match(bots, 5).actions

    assert played() == played()


def test_where_no_time_is_left_it_answers_as_cautious_does() -> None:
    state = ruleset("four").new_match(Deals(bytes(32)))
    observation = state.observation(state.pending.seats[0]) if state.pending else None
    assert observation is not None
    hurried = from_message(play_pb2.Question(match=1, number=1, clock=play_pb2.Clock(limit_ms=1000, spent_ms=1000)))
    view = _with_clock(View.of(observation), hurried)
    assert view.time_left <= 0
    assert create("flat-monte-carlo", 1, seconds=60).decide(view) == create("cautious", 1).decide(observation)


def _with_clock(view: View, other: View) -> View:
    """The view of one question with the clock of another."""
    view._question = other._question
    view._received = other._received
    return view


@pytest.mark.parametrize(
    ("name", "budget", "sentence"),
    [
        ("greedy", {"iterations": 5}, "greedy does not search"),
        ("flat-monte-carlo", {"iterations": 0}, "A search of 0 iterations finds nothing"),
        ("flat-monte-carlo", {"seconds": -1.0}, "A search of -1.0 seconds finds nothing"),
        ("flat-monte-carlo", {"iterations": True}, r"^iterations is True, expected an integer\.$"),
        ("flat-monte-carlo", {"iterations": 2.5}, r"^iterations is 2\.5, expected an integer\.$"),
        ("flat-monte-carlo", {"seconds": True}, r"^seconds is True, expected a number\.$"),
        ("flat-monte-carlo", {"iterations": 5, "seconds": 1.0}, "expected one of the two"),
    ],
)
def test_a_budget_that_cannot_be_is_refused(name: str, budget: dict[str, float], sentence: str) -> None:
    with pytest.raises(BadSetting, match=sentence):
        create(name, 0, **budget)  # type: ignore[arg-type]
