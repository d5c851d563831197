"""Who wins a trick.

`best_card` is the definition. `FarfaliaState.apply`, the playouts and the lockstep simulation have it written out for
speed, and tests hold them to it. Which cards may be played to a trick is said in `following_suit`.
"""

from enum import IntEnum
from typing import Final

from farfalia_engine.farfalia.cards import SUIT


class Trumps(IntEnum):
    """Trumps of a deal, with the contract's numbers: suit s is s + 1.

    >>> Trumps(1).name
    'STRAWBERRIES'
    """

    #: Nobody has declared yet.
    UNSPECIFIED = 0
    STRAWBERRIES = 1
    LEAVES = 2
    FISHES = 3
    SEASHELLS = 4
    #: The deal is played without trumps.
    NONE = 5


def _strengths(trumps: int, led: int) -> tuple[int, ...]:
    """Return how strong each card is in a trick: trumps above the led suit, all others and wild cards nothing."""
    base = {suit: 1 for suit in range(4) if suit == led} | {suit: 14 for suit in range(4) if suit + 1 == trumps}
    return tuple(base[suit] + card % 13 if suit in base else 0 for card, suit in enumerate(SUIT))


#: How strong each card is in a trick, by trumps, then by the card that was led.
STRENGTH: Final = tuple(
    tuple(strengths for suit in range(4) for strengths in (_strengths(trumps, suit),) * 13) for trumps in Trumps
)
#: The same as tables to translate tricks with.
STRENGTHS: Final = tuple(tuple(bytes(strengths).ljust(256, b"\0") for strengths in leads) for leads in STRENGTH)


def best_card(trick: bytes | bytearray, trumps: int) -> int:
    """Return the index within the trick of the card that wins it: the highest trump, else the highest of the led suit.

    >>> best_card(bytes(map(parse_card, ("S5", "S9", "L1"))), Trumps.LEAVES)
    2
    """
    strengths = trick.translate(STRENGTHS[trumps][trick[0]])
    return strengths.index(max(strengths))
