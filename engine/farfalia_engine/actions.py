"""The numbers of all actions: the same for every game of Farfalia, and those of Farrago at the end."""

from enum import IntEnum
from itertools import combinations
from typing import Final

from farfalia_engine.farfalia.cards import CARDS


class Kind(IntEnum):
    """What a decision is about, with the contract's numbers.

    >>> ruleset("chinkway").new_match(Deals(bytes(32))).pending.kind.name
    'DISCARD'
    """

    #: Which cards the dealer discards.
    DISCARD = 1
    #: Which suit is trumps, or none.
    DECLARE = 2
    #: Which card to play.
    PLAY = 3
    #: Which card of the won trick to collect, or none.
    COLLECT = 4
    #: Whether to spend a wild card and double one's own score for this deal.
    DOUBLE = 5
    #: Farrago: which type of deal this one is.
    PICK_TYPE = 6
    #: Farrago: which suit is barred from being trumps.
    BAR = 7
    #: Farrago: which suit is trumps.
    NAME_TRUMPS = 8
    #: Farrago: which card to show for the suit that one proposes.
    SHOW = 9


#: Actions below this play a card, wild ones included.
CARDS_END: Final = 57
#: Collecting card c of the trick is COLLECT_CARD + c.
COLLECT_CARD: Final = 64
#: The winner of the trick declines.
COLLECT_NONE: Final = COLLECT_CARD + CARDS
#: Declaring suit s trumps is DECLARE_SUIT + s.
DECLARE_SUIT: Final = 120
#: No trumps.
DECLARE_NONE: Final = DECLARE_SUIT + 4
DECLARATIONS: Final = tuple(range(DECLARE_SUIT, DECLARE_NONE + 1))
#: Keeping the wild card, and spending it.
DOUBLE_NO: Final = 125
DOUBLE_YES: Final = 126
DOUBLINGS: Final = (DOUBLE_NO, DOUBLE_YES)
#: Discarding card c, where the dealer has one too many, is DISCARD_CARD + c.
DISCARD_CARD: Final = 128
#: Discarding pair k of PAIRS is DISCARD_PAIR + k.
DISCARD_PAIR: Final = 256
#: All pairs of different cards, the lower one first, in lexicographic order.
PAIRS: Final = tuple(combinations(range(CARDS), 2))

#: Farrago: cards are 0 … 59. Picking type t is PICK_TYPE + t - 1, types counted from 1.
PICK_TYPE: Final = 64
#: Farrago: barring suit s from being trumps is BAR_SUIT + s.
BAR_SUIT: Final = 80
#: Farrago: making suit s trumps is NAME_SUIT + s.
NAME_SUIT: Final = 84
#: Farrago: showing card c to propose its suit is SHOW_CARD + c.
SHOW_CARD: Final = 96
#: Farrago: no card has this number or a higher one.
FARRAGO_CARDS_END: Final = 60

#: Action of the pair (low, high), less high: turns the number of a pair into one addition.
_PAIR_BASE = tuple(DISCARD_PAIR + low * (2 * CARDS - 1 - low) // 2 - low - 1 for low in range(CARDS))


def discard_pair(low: int, high: int) -> int:
    """Return the action of discarding two cards, `low` below `high`.

    >>> discard_pair(0, 1)
    256
    """
    return _PAIR_BASE[low] + high


def discard_actions(cards: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Return the actions of discarding any one or any two of these cards, which ascend."""
    if count == 1:
        return tuple([DISCARD_CARD + card for card in cards])
    return tuple([_PAIR_BASE[low] + high for low, high in combinations(cards, 2)])


def cards_discarded(action: int) -> tuple[int, ...]:
    """Return the cards that an action discards, ascending.

    >>> cards_discarded(256)
    (0, 1)
    """
    return (action - DISCARD_CARD,) if action < DISCARD_PAIR else PAIRS[action - DISCARD_PAIR]
