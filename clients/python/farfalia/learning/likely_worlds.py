"""Worlds that a seat may be in, weighed by how others have played: what a search tries its actions in."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from farfalia.learning.likelihood import evidence_of
from farfalia.learning.lockstep_policy import Floats, Whims
from farfalia.learning.play_models import PLAY_MODELS
from farfalia_engine import Observation, State

#: Worlds drawn at a time, at most, and for each one that is taken: those that fit best to what others did.
_DRAWN: Final = 400
_CHOICE: Final = 10
#: They are weighed less sharply until they count as much as this number of equally likely ones.
_EFFECTIVE: Final = 40
#: Numbers of cards are below this one.
_CARDS: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class LikelyWorlds:
    """Worlds, how much each counts, and how likely each position follows each model of play there."""

    worlds: list[State]
    #: By world; their sum is the number that was asked for.
    counts: Floats
    #: (models, positions, worlds); see `play_models`.
    models: Floats


def likely_worlds(view: Observation, random: Random, number: int) -> LikelyWorlds:
    """Return up to this number of worlds, determinizations of the view.

    They are drawn from more, the likelier the better they fit to what others did.
    """
    drawn = [view.sample(random) for _ in range(max(number, min(_DRAWN, _CHOICE * number)))]
    evidence = evidence_of(view, drawn)
    chances = _chances(evidence.log_likelihood)
    bounds = np.cumsum(chances) * number
    # Every world stands on a line for as long as it is likely; a comb with a tooth at every unit takes those it meets.
    teeth = random.random() + np.arange(number)
    met = np.minimum(np.searchsorted(bounds, teeth), len(drawn) - 1)
    found, counts = np.unique(met, return_counts=True)
    return LikelyWorlds([drawn[index] for index in found], counts.astype(np.float64), evidence.models[..., found])


def whims_in(view: Observation, likely: LikelyWorlds, random: Random) -> Whims | None:
    """Draw how all others play on in each of the worlds: as cautious does, or with whims; None if all are cautious.

    A dummy is played as its partner plays the other hand. This seat plays as cautious does.
    """
    count = len(likely.worlds)
    numbers = np.random.Generator(np.random.PCG64(random.getrandbits(64)))
    drawn = numbers.random((likely.models.shape[1], count))
    model = (drawn >= likely.models.cumsum(axis=0)[:-1]).sum(axis=0)
    scale = np.array([model.whim for model in PLAY_MODELS])[model]
    scale[view.position] = 0.0
    scale = scale[[view.seats.index(seat) for seat in view.seats]]
    if not scale.any():
        return None
    return Whims(scale, -np.log(-np.log(1 - numbers.random((_CARDS, count)))))


def _chances(likelihood: Floats) -> Floats:
    """Return what worlds of this log likelihood count, less sharply if few of them would count alone."""
    enough = min(_EFFECTIVE, len(likelihood) / 2) * (1 - 1e-9)  # rounding must not decide, where half of them are equal
    while True:
        chances: Floats = np.exp(likelihood - likelihood.max())
        chances /= chances.sum()
        if 1 / (chances @ chances) >= enough:
            return chances
        likelihood = 0.8 * likelihood
