"""Worlds that a seat may be in, weighed by how others have played: what a search tries its actions in."""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np

from farfalia.learning.likelihood import log_likelihood
from farfalia.learning.lockstep_policy import Floats
from farfalia_engine import Observation, State

#: Worlds drawn at a time, at most, and for each one that is taken: those that fit best to what others did.
_DRAWN: Final = 400
_CHOICE: Final = 10
#: They are weighed less sharply until they count as much as this number of equally likely ones.
_EFFECTIVE: Final = 40


def likely_worlds(view: Observation, random: Random, number: int) -> tuple[list[State], Floats]:
    """Return up to this number of worlds, determinizations of the view, and how much each counts.

    They are drawn from more, the likelier the better they fit to what others did. What they count sums to `number`.
    """
    drawn = [view.sample(random) for _ in range(max(number, min(_DRAWN, _CHOICE * number)))]
    chances = _chances(log_likelihood(view, drawn))
    bounds = np.cumsum(chances) * number
    # Every world stands on a line for as long as it is likely; a comb with a tooth at every unit takes those it meets.
    teeth = random.random() + np.arange(number)
    met = np.minimum(np.searchsorted(bounds, teeth), len(drawn) - 1)
    found, counts = np.unique(met, return_counts=True)
    return [drawn[index] for index in found], counts.astype(np.float64)


def _chances(likelihood: Floats) -> Floats:
    """Return what worlds of this log likelihood count, less sharply if few of them would count alone."""
    enough = min(_EFFECTIVE, len(likelihood) / 2) * (1 - 1e-9)  # rounding must not decide, where half of them are equal
    while True:
        chances: Floats = np.exp(likelihood - likelihood.max())
        chances /= chances.sum()
        if 1 / (chances @ chances) >= enough:
            return chances
        likelihood = 0.8 * likelihood
