"""The sample bot that searches: legal everywhere, reproducible, in time, and stronger than cautious."""

from __future__ import annotations

from math import sqrt
from statistics import fmean, stdev

import pytest
from tests.engine.games import label, pairwise

from farfalia.bot import Bot
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "boards", "iterations"),
    [
        ("chinkway", range(10, 14), 30),
        pytest.param("chinkway", range(10, 20), 600, marks=pytest.mark.prove),
        pytest.param("four", range(16), 600, marks=pytest.mark.prove),
    ],
)
def test_it_makes_more_of_the_cards_than_cautious_does(game: str, boards: range, iterations: int) -> None:
    rules = ruleset(game)
    searching = create("flat-monte-carlo", 1, iterations=iterations)

    def lead(board: int, bot: Bot) -> float:
        """By how much this bot, or a pair of it, is ahead of cautious ones on a board."""
        team = rules.teams[board % 2] if rules.teams else (board % rules.seats,)
        bots = [bot if seat in team else create("cautious") for seat in range(rules.seats)]
        points = play_match(bots, board, game).outcome.points
        return fmean(points[seat] for seat in team) - fmean(
            points[seat] for seat in range(rules.seats) if seat not in team
        )

    gains = [lead(board, searching) - lead(board, create("cautious")) for board in boards]
    assert fmean(gains) > stdev(gains) / sqrt(len(boards))


@pytest.mark.parametrize(
    ("name", "budget", "sentence"),
    [
        ("greedy", {"iterations": 5}, "greedy does not search"),
        ("flat-monte-carlo", {"iterations": 0}, "A search of 0 iterations finds nothing"),
        ("flat-monte-carlo", {"seconds": -1.0}, "A search of -1.0 seconds finds nothing"),
        ("flat-monte-carlo", {"iterations": 5, "seconds": 1.0}, "expected one of the two"),
    ],
)
def test_a_budget_that_cannot_be_is_refused(name: str, budget: dict[str, float], sentence: str) -> None:
    with pytest.raises(BadSetting, match=sentence):
        create(name, 0, **budget)  # type: ignore[arg-type]
