"""Sets of cards, very many at once, and a random card out of each.

A set is an unsigned integer whose bit n is set for each card n in it, as in the engine.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from farfalia_engine.farfalia.cards import SUIT_BITS

#: Sets of cards.
Sets = NDArray[np.uint64]
#: Cards, positions, counts: whatever is below 256.
Bytes = NDArray[np.uint8]
#: Random numbers of DRAW_BITS bits.
Draws = NDArray[np.uint32]
#: Where to look in another array.
Places = NDArray[np.intp]

#: Bits of a random number: times up to MOST_CHOICES it still fits the 32 bits of a draw.
DRAW_BITS: Final = 25
MOST_CHOICES: Final = 127

_ONE: Final = np.uint64(1)
_SUIT: Final = 13
#: Places in the table below that the sets within one suit take.
_ROW: Final = 16


def _places_of_bits() -> Bytes:
    """Return the bits that are set in each number of 13 bits, ascending; row after row."""
    table = np.zeros((SUIT_BITS + 1, _ROW), np.uint8)
    numbers = np.arange(SUIT_BITS + 1)
    for bit in range(_SUIT):
        having = numbers[numbers >> bit & 1 == 1]
        table[having, np.bitwise_count(having & (1 << bit) - 1)] = bit
    return table.reshape(-1)


_PLACES: Final = _places_of_bits()


def choose(draws: Draws, among: Bytes | np.uint8) -> Bytes:
    """Return a number below `among`, which is at most MOST_CHOICES: the draw's fraction of it, rounded down."""
    return (draws * among >> DRAW_BITS).astype(np.uint8)


def card_at(sets: Sets, index: Bytes) -> Bytes:
    """Return of each set the card with this number of lower ones in it; some number below 52 if there is none."""
    cards = np.zeros(index.shape, np.uint8)
    # Of four suits leave out the lower two if the card is beyond them, then of two the lower one.
    for width in (2 * _SUIT, _SUIT):
        lower = np.bitwise_count(sets & (1 << width) - 1)
        beyond = index >= lower
        skipped = beyond.view(np.uint8) * np.uint8(width)
        sets = sets >> skipped
        index = index - lower * beyond
        cards += skipped
    places = (sets & SUIT_BITS) * _ROW | index
    cards += _PLACES.take(places.view(np.intp), mode="clip")
    return cards


def alone(cards: Bytes) -> Sets:
    """Return for each card the set that holds it only."""
    return _ONE << cards


def union(sets: Sets) -> Sets:
    """Return all sets along the first axis in one."""
    joined: Sets = np.bitwise_or.reduce(sets, axis=0)
    return joined
