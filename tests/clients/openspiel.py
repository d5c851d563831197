"""Games of OpenSpiel, by the names and options that the engine knows, played at random."""

from collections.abc import Callable
from random import Random
from typing import Any

import pyspiel

from farfalia.learning.openspiel_game import short_name

Game = tuple[str, dict[str, str]]

RECALL = pyspiel.IIGObservationType(perfect_recall=True)


def load(game: Game, **more: str | int) -> Any:
    """A game by the name and options that the engine knows."""
    name, options = game
    given = {option: int(text) if text.isdecimal() else text.replace(",", "/") for option, text in options.items()}
    return pyspiel.load_game(short_name(name), {**given, **more})


def step(state: Any, random: Random) -> None:
    """Draw or do something at random."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(random.choices(outcomes, chances)[0])
    else:
        state.apply_action(random.choice(state.legal_actions()))


def play(state: Any, random: Random, until: Callable[[Any], bool] = lambda _: False) -> Any:
    """The state, once it is over or as wanted."""
    while not (state.is_terminal() or until(state)):
        step(state, random)
    return state
