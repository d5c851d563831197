"""What a side may still collect, and the points of its collection."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from farfalia_engine.actions import COLLECT_CARD, COLLECT_NONE
from farfalia_engine.farfalia.cards import CARDS, FAMILY
from farfalia_engine.farfalia.dealing import PROPOSAL_SIZE

#: Points by number of cards collected.
POINTS: Final = (0, 1, 3, 6, 10, 15)
#: In the list of collected cards: the winner of the trick declined (F22).
DECLINED: Final = 254
#: In the list of collected cards: nothing in the trick could be collected (F1).
NOTHING: Final = 255

_TO_ACTION = bytes(min(COLLECT_CARD + card, 255) for card in range(256))


class MissingFamilies:
    """The families that a side may still collect: `missing_families` has the one object for each combination."""

    __slots__ = ("after", "families", "points", "useless")

    def __init__(self, families: bytes) -> None:
        #: Ascending; a family stands here as often as cards of it may still be collected.
        self.families: Final = families
        #: Points of the collection so far.
        self.points: Final = POINTS[PROPOSAL_SIZE - len(families)]
        #: The cards that do not fit.
        self.useless: Final = bytes(card for card in range(CARDS) if FAMILY[card] not in families)
        after = {family: missing_families(families.replace(bytes((family,)), b"", 1)) for family in families}
        #: What is missing once a card has been collected, by card.
        self.after: Final[tuple[MissingFamilies, ...]] = tuple(after.get(FAMILY[card], self) for card in range(CARDS))

    def actions(self, trick: bytes | bytearray) -> tuple[int, ...]:
        """Return the answers of a trick's winner, ascending; none if no card fits (F1). Wild cards are out already."""
        cards = trick.translate(_TO_ACTION, self.useless)
        return (*sorted(cards), COLLECT_NONE) if cards else ()


@cache
def missing_families(families: bytes) -> MissingFamilies:
    """Return the object for these families, which ascend."""
    return MissingFamilies(families)


@cache
def proposed(subjects: bytes) -> MissingFamilies:
    """Return what everyone is missing when this proposal is turned up."""
    return missing_families(bytes(sorted(subjects)))


def unburned(trick: Sequence[int]) -> bytes:
    """Return what wild cards leave of a trick: no wild card, and no card of the family of one."""
    burning = {FAMILY[card] for card in trick if card >= CARDS}
    return bytes(card for card in trick if card < CARDS and FAMILY[card] not in burning)
