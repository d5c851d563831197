"""Which random number decides what in lock step, the same on every machine and with every NumPy.

Deal number i (from 0) of a seed takes the 64-bit numbers i * W … i * W + W - 1 of PCG64(seed):

- 52 for the deck. Card c has the c-th of them, and the cards lie in ascending order of the upper 58 bits.
- The others have two draws each, of 25 bits: the upper ones of the lower 32, then the upper ones of the upper 32.

The draws are, in this order: what is discarded, the declaration, five subjects, then for every trick a card by position
and what is collected. They are there whether they are needed or not; W is 52 and half the number of draws, rounded up.
A draw decides among m choices, in the engine's order, for number draw * m // 2 ** 25. Subjects are chosen from a
list of 25, and each time the last number of the list takes the place of the one that was chosen.
"""

from itertools import combinations
from typing import Final

import numpy as np

from farfalia.learning.card_sets import DRAW_BITS, Bytes, Draws, choose
from farfalia_engine.farfalia.cards import CARDS, FAMILIES
from farfalia_engine.farfalia.layout import Layout

#: Where the draws are.
DISCARD: Final = 0
DECLARE: Final = 1
SUBJECTS: Final = slice(2, 7)
TRICKS: Final = 7

#: Subjects of each family, and how many are turned up in all.
OF_A_KIND: Final = 5
TURNED: Final = 5

#: Deals whose numbers the cache holds while they are put in order.
_AT_ONCE: Final = 512
#: The lower bits of a card's number make room for the card.
_CARD_BITS: Final = np.uint64(63)
_CARDS: Final = np.arange(CARDS, dtype=np.uint64)


def draw(source: np.random.PCG64, layout: Layout, deals: int) -> tuple[Bytes, Draws]:
    """Draw `deals` decks, card by card from the top, and their draws; both have the deals along the last axis."""
    count = TRICKS + layout.tricks * (len(layout.seats) + 1)
    deck = np.empty((CARDS, deals), np.uint8)
    draws = np.empty((count, deals), np.uint32)
    for first in range(0, deals, _AT_ONCE):
        part = slice(first, min(first + _AT_ONCE, deals))
        numbers = source.random_raw((part.stop - first, CARDS + (count + 1) // 2))
        cards = numbers[:, :CARDS] & ~_CARD_BITS | _CARDS
        cards.sort(axis=1)
        deck[:, part] = cards.astype(np.uint8).T
        draws[:, part] = numbers.astype("<u8", copy=False).view("<u4")[:, 2 * CARDS : 2 * CARDS + count].T
    deck &= np.uint8(_CARD_BITS)
    draws >>= np.uint32(32 - DRAW_BITS)
    return deck, draws


def proposal(draws: Draws) -> Bytes:
    """Return the families of the five subjects, in the order in which they are turned up."""
    chosen = [choose(draw, np.uint8(OF_A_KIND * len(FAMILIES) - turn)) for turn, draw in enumerate(draws)]
    families = np.stack(chosen) // np.uint8(OF_A_KIND)
    for turn, later in combinations(range(TURNED), 2):
        # Where a place is chosen again there lies one of the last five of the list, which are all of one family.
        families[later][chosen[later] == chosen[turn]] = len(FAMILIES) - 1
    return families
