"""What cards came to, to learn from: deals that cautious plays, with a slip now and then, and every choice tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from farfalia.learning.card_sets import Places
from farfalia.learning.policy_features import Features, Position
from farfalia.learning.policy_network import Floats32
from farfalia.learning.self_play import SelfPlay, positions, tried

#: How many positions are lessons, and how many cards are played at random.
_LESSONS: Final = 0.25
_SLIPS: Final = 0.1
#: Choices of a position that are kept, at most, and positions that are kept: the latest ones.
_CHOICES: Final = 8
_KEPT: Final = 200_000


class CardLessons:
    """Positions with what each choice came to, the latest ones; every game's turn comes, and a deal by how often it is
    played.
    """

    def __init__(self, games: Sequence[SelfPlay], unit: float, seed: int, kept: int = _KEPT) -> None:
        self._games, self._unit = games, unit
        self._source, self._random = np.random.PCG64(seed), np.random.default_rng(seed)
        self._turn = 0
        self._inputs: Features = np.zeros((kept, _CHOICES, 0), np.int8)
        self._targets = np.zeros((kept, _CHOICES), np.float32)
        self._counts = np.zeros(kept, np.intp)
        #: How many positions have been lessons.
        self.seen = 0

    def more(self, deals: int) -> None:
        """Play some deals and keep their lessons."""
        game = self._games[self._turn % len(self._games)]
        self._turn += 1
        chances = np.array(list(game.deals.values()), float)
        deal = int(self._random.choice(list(game.deals), p=chances / chances.sum()))
        table, weights = game.dealt(self._source, deals, deal), game.weights(deal) / self._unit
        while table.left > 1:
            count = np.bitwise_count(table.legal())
            rows = np.flatnonzero((count > 1) & (self._random.random(deals) < _LESSONS))
            if len(rows):
                asked = table.chosen(rows)
                position = positions(asked)
                self._keep(position, tried(asked, position, weights).astype(np.float32))
            cards, values = table.values()
            slip = self._random.random(deals) < _SLIPS
            other = (self._random.random(deals) * count).astype(np.intp)
            table.play(cards[np.where(slip, other, values.argmax(axis=0)), table.rows])

    @property
    def inputs(self) -> int:
        """How many inputs a network has that learns from these; 0 before the first lesson."""
        return int(self._inputs.shape[2])

    def some(self, number: int) -> tuple[Features, Places, Floats32]:
        """Return some positions at random: inputs, rows and targets of their choices, for `NetworkTraining.learn`."""
        chosen = self._random.integers(0, min(self.seen, len(self._counts)), number)
        rows, choices = np.nonzero(np.arange(_CHOICES) < self._counts[chosen][:, np.newaxis])
        return self._inputs[chosen[rows], choices], rows, self._targets[chosen[rows], choices]

    def _keep(self, position: Position, gained: Floats32) -> None:
        choices = position.choices
        count = np.bincount(choices.rows, minlength=choices.shape[1])
        # Choices come one after the other: of each row the first ones are kept.
        order = np.argsort(choices.rows, kind="stable")
        number = np.empty_like(order)
        number[order] = np.arange(len(order)) - (np.cumsum(count) - count)[choices.rows[order]]
        kept = count > 1
        place = np.full(len(count), -1)
        place[kept] = (self.seen + np.arange(np.count_nonzero(kept))) % len(self._counts)
        self.seen += int(np.count_nonzero(kept))
        if not self._inputs.shape[2]:
            self._inputs = np.zeros((*self._targets.shape, len(position.inputs)), np.int8)
        taken = (place[choices.rows] >= 0) & (number < _CHOICES)
        at = place[choices.rows[taken]], number[taken]
        self._inputs[at], self._targets[at] = position.inputs.T[taken], gained[taken]
        self._counts[place[kept]] = np.minimum(count[kept], _CHOICES)
