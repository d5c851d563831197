"""The cards of Farfalia, as integers and as bit masks: 52 to play with, and five kinds of wild card.

A card is suit * 13 + rank - 1, suits in the order S L F O (strawberries, leaves,
fishes, seashells), ranks 1 … 13. A set of cards is an integer with bit `card` set
for each. A card's family decides what it is good for in a collection: butterfly for
the ranks 8, 10 and 12, otherwise the symbol of its suit. The wild card of family f
is 52 + f; it has no suit and no rank, and only `burnin` deals it.
"""

from typing import Final

CARDS: Final = 52
#: The wild card of family f is WILD + f.
WILD: Final = CARDS
SUITS: Final = "SLFO"
FAMILIES: Final = "BSLFO"
BUTTERFLIES: Final = 0
BUTTERFLY_RANKS: Final = (8, 10, 12)
#: What `SUIT` says of a wild card.
NO_SUIT: Final = 4

_WILDS = bytes(range(len(FAMILIES)))

#: The suit of each card, 0 … 3; NO_SUIT for a wild card.
SUIT: Final = bytes(card // 13 for card in range(CARDS)) + bytes(NO_SUIT for _ in _WILDS)
#: The rank of each card, 1 … 13; 0 for a wild card.
RANK: Final = bytes(card % 13 + 1 for card in range(CARDS)) + bytes(0 for _ in _WILDS)
#: The family of each card: an index of FAMILIES.
FAMILY: Final = (
    bytes(BUTTERFLIES if card % 13 + 1 in BUTTERFLY_RANKS else card // 13 + 1 for card in range(CARDS)) + _WILDS
)
#: The set that holds one card only; Farrago's packs have up to 60.
BIT: Final = tuple(1 << card for card in range(60))
#: The same of the cards that are no wild ones.
ORDINARY_BITS: Final = BIT[:CARDS]
#: Sets from this on hold a wild card.
WILD_BIT: Final = 1 << WILD
#: The set of all cards but the wild ones.
ORDINARY: Final = WILD_BIT - 1
#: All cards of a suit, by suit.
SUIT_MASKS: Final = tuple(0x1FFF << 13 * suit for suit in range(4))
#: The lowest bit of the suit that a card is of, by card: what to shift a set by to have that suit's 13 bits in front.
SUIT_BIT: Final = tuple(13 * suit for suit in SUIT[:CARDS])
#: Of a shifted set, the bits of one suit.
SUIT_BITS: Final = 0x1FFF


def _sets_within(suit: int) -> list[tuple[int, ...]]:
    """Return, by 13 bits, the cards of the suit that they stand for, ascending."""
    sets: list[tuple[int, ...]] = [()]
    for card in range(13 * suit, 13 * suit + 13):
        sets += [(*cards, card) for cards in sets]
    return sets


_S, _L, _F, _O = map(_sets_within, range(4))
#: Cards of a set within one suit, ascending: by the suit's lowest bit, then by its 13 bits of the set.
IN_SUIT: Final = {0: _S, 13: _L, 26: _F, 39: _O}


def cards_in(mask: int) -> tuple[int, ...]:
    """Return the cards of a set, ascending, wild cards left out.

    >>> cards_in(0b101)
    (0, 2)
    """
    return _S[mask & SUIT_BITS] + _L[mask >> 13 & SUIT_BITS] + _F[mask >> 26 & SUIT_BITS] + _O[mask >> 39 & SUIT_BITS]


def wild_cards_in(mask: int) -> tuple[int, ...]:
    """Return the wild cards of a set, ascending."""
    return tuple([WILD + family for family in _WILDS if mask >> WILD + family & 1]) if mask >= WILD_BIT else ()


def mask_of(cards: bytes | list[int] | tuple[int, ...]) -> int:
    """Return the set of the given cards.

    >>> mask_of([0, 2])
    5
    """
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask
