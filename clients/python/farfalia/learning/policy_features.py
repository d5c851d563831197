"""What a network is told of the cards that may be played, for all rows of a table at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from farfalia.learning.card_sets import Bytes, Places
from farfalia.learning.lockstep_policy import Floats

Features = NDArray[np.int8]
Flags = NDArray[np.bool_]

#: What cautious thinks of a card beside the best one is told in parts, and cards that are more of them behind are no
#: choice.
MOST: Final = 24
#: Numbers are told by which of these they reach.
FEW: Final = np.array([1, 2, 3, 4, 6], np.uint8)[:, np.newaxis]
#: Probabilities are told in tenths; no bound is a fraction that comes up, so that rounding decides nothing.
TENTHS: Final = (np.arange(1, 10)[:, np.newaxis] - 0.0317) / 10


@dataclass(frozen=True, slots=True)
class Choices:
    """The cards between which the rows of a table choose: all first choices of the rows, then all second ones …"""

    #: By choice its row, its number among those of the row, its card, and what cautious thinks of it: 0 for the best,
    #: the others below.
    rows: Places
    numbers: Places
    cards: Bytes
    guesses: NDArray[np.int8]
    #: (most choices of a row, number of rows).
    shape: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Position:
    """The positions of a table as a network sees them."""

    choices: Choices
    #: (inputs, choices).
    inputs: Features


def choices_of(cards: Bytes, values: Floats, parts: int) -> Choices:
    """Return the legal cards that are no more than MOST parts of a point behind the best of their row."""
    behind = np.rint(np.maximum(parts * (values - values.max(axis=0)), -MOST - 1))
    numbers, rows = np.nonzero(behind >= -MOST)
    return Choices(rows, numbers, cards[numbers, rows], behind[numbers, rows].astype(np.int8), cards.shape)


def position_of(choices: Choices, of_cards: Flags, of_rows: Flags) -> Position:
    """Return the position of which these things are so, (inputs, choices) and (inputs, rows)."""
    guesses = choices.guesses
    first = (guesses == 0).view(np.int8)
    of_cautious = np.stack([guesses, first])
    return Position(
        choices, np.concatenate([of_cautious, of_cards.view(np.int8), of_rows.view(np.int8)[:, choices.rows]])
    )
