"""All games of Farfalia beside a second opinion."""

import pytest
from tests.engine.agreeing import play_beside
from tests.engine.games import FARFALIA, label
from tests.engine.opinion import Opinion


@pytest.mark.parametrize("game", FARFALIA, ids=label)
@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(2, 4))])
def test_a_match_at_random_is_what_the_second_opinion_says(game: tuple[str, dict[str, str]], seed: int) -> None:
    """Who is asked, what is legal, and the points of every deal.

    F1, F3, F4, F6, F9, F10, F11, F12, F14, F15, F17, F20, F21, F22.
    """
    play_beside(game, Opinion(*game).match, seed)
