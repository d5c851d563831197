"""Following suit: which cards may be played to a trick that has been led to.

`follow_suit` is the definition. `FarfaliaState.apply`, the playouts and the lockstep simulation have it written out for
speed, and tests hold them to it. Who wins the trick is said in `trick`.
"""


def follow_suit(hand: int, suit: int) -> int:
    """Return the cards that this hand may play: those of the suit led, or all of them if it has none.

    Sets of cards, as in `mask_of`; `suit` has all cards of the suit led. A wild card is of no suit and may always be
    played besides, so it is left out of the hand.

    >>> cards_in(follow_suit(mask_of([3, 7, 20]), SUIT_MASKS[0]))
    (3, 7)
    >>> cards_in(follow_suit(mask_of([3, 7, 20]), SUIT_MASKS[2]))
    (3, 7, 20)
    """
    return hand & suit or hand
