"""What a side may still collect, and what its collection is worth."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from farfalia_engine.actions import COLLECT_CARD, COLLECT_NONE
from farfalia_engine.farfalia.cards import CARDS, FAMILY
from farfalia_engine.farfalia.dealing import PROPOSED

#: Points by number of cards collected.
POINTS: Final = (0, 1, 3, 6, 10, 15)
#: In the list of collected cards: the winner of the trick declined (F22).
DECLINED: Final = 254
#: In the list of collected cards: nothing in the trick could be collected (F1).
NOTHING: Final = 255

_TO_ACTION = bytes(min(COLLECT_CARD + card, 255) for card in range(256))


class Wanted:
    """The families that a side is still missing: `wanted` has the one object for each combination."""

    __slots__ = ("after", "families", "useless", "worth")

    def __init__(self, families: bytes) -> None:
        #: Ascending; a family stands here as often as cards of it may still be collected.
        self.families: Final = families
        #: Points of the collection so far.
        self.worth: Final = POINTS[PROPOSED - len(families)]
        #: The cards that do not fit.
        self.useless: Final = bytes(card for card in range(CARDS) if FAMILY[card] not in families)
        after = {family: wanted(families.replace(bytes((family,)), b"", 1)) for family in families}
        #: What is missing once a card has been collected, by card.
        self.after: Final[tuple[Wanted, ...]] = tuple(after.get(FAMILY[card], self) for card in range(CARDS))

    def actions(self, trick: bytes | bytearray) -> tuple[int, ...]:
        """The answers of a trick's winner, ascending; none if no card fits (F1). Wild cards are out already."""
        cards = trick.translate(_TO_ACTION, self.useless)
        return (*sorted(cards), COLLECT_NONE) if cards else ()


@cache
def wanted(families: bytes) -> Wanted:
    """The object for these families, which ascend."""
    return Wanted(families)


@cache
def proposed(subjects: bytes) -> Wanted:
    """What everyone is missing when this proposal is turned."""
    return wanted(bytes(sorted(subjects)))


def unburned(trick: Sequence[int]) -> bytes:
    """What wild cards leave of a trick: no wild card, and no card of the family of one."""
    burning = {FAMILY[card] for card in trick if card >= CARDS}
    return bytes(card for card in trick if card < CARDS and FAMILY[card] not in burning)
