"""All games of Farfalia beside a second opinion."""

import pytest
from tests.engine.agreeing import play_beside
from tests.engine.conftest import Walk
from tests.engine.games import FARFALIA, label
from tests.engine.opinion import Opinion

from farfalia_engine import Kind


@pytest.mark.parametrize("game", FARFALIA, ids=label)
@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(2, 4))])
def test_a_match_at_random_is_what_the_second_opinion_says(game: tuple[str, dict[str, str]], seed: int) -> None:
    play_beside(game, Opinion(*game).match, seed)


@pytest.mark.parametrize("game", FARFALIA, ids=label)
def test_nobody_but_the_tricks_winner_decides_anything_between_tricks(
    walk: Walk, game: tuple[str, dict[str, str]]
) -> None:
    """F4; and all tricks of a deal are played, though nothing may be left to collect (F20)."""
    tricks = {}
    for state in walk(1, *game):
        pending = state.pending
        if pending and state.winners and not state.observation(0).trick:
            assert pending.kind is Kind.PLAY
        elif pending and pending.kind is Kind.COLLECT:
            assert pending.position == state.winners[-1]
        if pending and pending.kind is Kind.PLAY:
            tricks[state.deal] = (len(state.leaders), 52 // len(state.observation(0).seats))
    assert all(led == expected for led, expected in tricks.values())
