"""The sample bots in every game: they know what is rewarded there."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

import pytest

from farfalia.bots import create
from farfalia.testing import play_match
from farfalia_engine import ruleset

#: Games with options, and by how many points per match greedy beats random there at least: half of what was measured.
GAMES = [
    ("basic", {}, 8),
    ("basic", {"double_you": "on"}, 14),
    ("chinkway", {}, 18),
    ("chinkway", {"burnin": "on"}, 16),
    ("five-hand", {}, 9),
    ("four", {}, 17),
    ("four", {"burnin": "on"}, 18),
    ("four", {"target": "30"}, 5),
    ("three", {}, 17),
    ("three", {"double_you": "on"}, 23),
    ("three-short", {}, 12),
    ("two", {}, 16),
    ("two", {"burnin": "on"}, 16),
    ("farrago", {"players": "3"}, 55),
    ("farrago", {}, 50),
    ("farrago", {"order": "random"}, 50),
    ("farrago", {"players": "5", "pack": "five-hundred"}, 35),
]


def lead(better: str, worse: str, game: str, options: Mapping[str, str], boards: int) -> float:
    """How many points per match the bots of one name are ahead of the other's, every board played both ways."""
    seats = ruleset(game, options).seats
    gains = []
    for board in range(boards):
        for shift in range(2):
            names = [(better, worse)[(seat + shift) % 2] for seat in range(seats)]
            points = play_match([create(name, board) for name in names], board, game, options).outcome.points
            scored = {name: [points[seat] for seat in range(seats) if names[seat] == name] for name in (better, worse)}
            gains.append(fmean(scored[better]) - fmean(scored[worse]))
    return fmean(gains)


@pytest.mark.parametrize("boards", [4, pytest.param(8, marks=pytest.mark.prove)])
@pytest.mark.parametrize(("game", "options", "points"), GAMES, ids=str)
def test_greedy_beats_random_in_every_game(game: str, options: dict[str, str], points: int, boards: int) -> None:
    assert lead("greedy", "random", game, options, boards) > points
