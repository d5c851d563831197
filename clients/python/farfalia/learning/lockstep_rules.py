"""The engine's tables as arrays: who wins a trick, and what fits a collection."""

from typing import Final

import numpy as np

from farfalia.learning.card_sets import Bytes, Sets
from farfalia_engine.farfalia.cards import CARDS, FAMILIES, FAMILY, SUIT, SUIT_MASKS, mask_of
from farfalia_engine.farfalia.collecting import POINTS
from farfalia_engine.trick import STRENGTHS

#: The suit of each card.
SUIT_OF: Final = np.array(list(SUIT[:CARDS]), np.intp)
#: All cards of the suit of each card.
SAME_SUIT: Final[Sets] = np.array([SUIT_MASKS[suit] for suit in SUIT[:CARDS]], np.uint64)

#: Below a card's strength there is room for the position that played it.
POSITIONS: Final = 8
#: How far `STRENGTH` goes on from one suit that is led to the next, and from one trumps to the next.
OF_LEAD: Final = 64
OF_TRUMPS: Final = np.intp(OF_LEAD * len(SUIT_MASKS))
#: How strong each card is in a trick, times POSITIONS: by trumps, suit led and card, one after the other.
STRENGTH: Final[Bytes] = POSITIONS * np.array(
    [[list(leads[13 * suit][:OF_LEAD]) for suit in range(4)] for leads in STRENGTHS], np.uint8
).reshape(-1)

#: What a side is still missing is a number with three bits for each family, which say how many cards of it.
FAMILY_BITS: Final = 3
_MISSING: Final = np.arange(1 << FAMILY_BITS * len(FAMILIES))
_COUNTS: Final = [_MISSING >> FAMILY_BITS * family & 7 for family in range(len(FAMILIES))]


def _fitting() -> Sets:
    cards = np.zeros(_MISSING.shape, np.uint64)
    for family, count in enumerate(_COUNTS):
        cards[count > 0] |= np.uint64(mask_of([card for card in range(CARDS) if FAMILY[card] == family]))
    return cards


#: The cards that fit, by what is missing.
FITTING: Final = _fitting()
#: What a collection is worth, by what is missing.
WORTH: Final = np.array(POINTS, np.int16)[np.maximum(len(POINTS) - 1 - np.sum(_COUNTS, axis=0), 0)]
#: What a side is missing less once it has collected a card; nothing for what `collected` says instead of a card.
COLLECTING: Final = np.zeros(256, np.uint16)
COLLECTING[:CARDS] = [1 << FAMILY_BITS * FAMILY[card] for card in range(CARDS)]
