"""Models of how others play, and which of them fits a player: like cautious, or more at random.

A model is a distribution over legal cards. Which one a player follows is found out from its cards in this deal: each
model is as likely for a world as the cards that the player has chosen there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from farfalia.learning.lockstep_policy import Floats


@dataclass(frozen=True, slots=True)
class PlayModel:
    """A player who chooses a card the more often the better it looks to cautious."""

    #: How likely a player is one of these before it has played.
    prior: float
    #: How much worse a card must look to cautious to be e times less likely.
    soft: float
    #: The share of cards that are any legal card.
    any: float
    #: How much worse a card must look to be e times less likely when worlds are played out; 0 is cautious itself.
    whim: float


#: Players like cautious; and others, with what fits the decisions of `flat-monte-carlo` in all games.
PLAY_MODELS: Final = (PlayModel(0.5, 0.15, 0.1, 0.0), PlayModel(0.5, 1.2, 0.1, 0.5))
_LOG_PRIORS: Final = np.log([model.prior for model in PLAY_MODELS])[:, np.newaxis, np.newaxis]


def log_chances(values: Floats, index: NDArray[np.intp], choices: NDArray[np.intp]) -> Floats:
    """Return how likely each model plays the card at this index of (choices, rows), as a logarithm: (models, rows).

    `values` are what cautious thinks of the cards, `choices` how many of them are legal, by row.
    """
    best, rows = values - values.max(axis=0), np.arange(values.shape[1])
    chances = []
    for model in PLAY_MODELS:
        weights = np.exp(best / model.soft)
        chosen = weights[index, rows] / weights.sum(axis=0)
        chances.append(np.log((1 - model.any) * chosen + model.any / choices))
    return np.array(chances)


class PlayEvidence:
    """How likely the cards of each position are, by model and world: (models, positions, worlds), as logarithms.

    `opening` says how likely what came before the play is, by world.
    """

    def __init__(self, opening: Floats, positions: int) -> None:
        self._opening = opening
        self._by_model = np.zeros((len(PLAY_MODELS), positions, len(opening)))

    def add(self, position: int, chances: Floats) -> None:
        """Count a card of this position: `log_chances`."""
        self._by_model[:, position] += chances

    @property
    def log_likelihood(self) -> Floats:
        """How likely everything is in each world, whatever models the players follow, as a logarithm."""
        likelihood: Floats = self._opening + np.logaddexp.reduce(_LOG_PRIORS + self._by_model, axis=0).sum(axis=0)
        return likelihood

    @property
    def models(self) -> Floats:
        """How likely each position follows each model, by world: (models, positions, worlds)."""
        weighed = _LOG_PRIORS + self._by_model
        models: Floats = np.exp(weighed - np.logaddexp.reduce(weighed, axis=0))
        return models
