"""What one seat may know in a match of Farfalia."""

from farfalia_engine.farfalia.cards import CARDS, FAMILY, SUIT
from farfalia_engine.farfalia.collecting import POINTS, unburned
from farfalia_engine.interfaces import Observation
from farfalia_engine.trick import best_card

_DECK = bytes(range(CARDS))
_SUIT_OF = SUIT.ljust(256, b"\0")


class FarfaliaObservation(Observation):
    """The fields of every observation; what is computed from them follows Farfalia's cards and collections.

    >>> observation = ruleset("four").new_match(Deals(bytes(32))).observation(1)
    >>> observation.open == bytes(sorted(observation.subjects)), observation.points(observation.side)
    (True, 0)
    """

    __slots__ = ()

    @property
    def deciding(self) -> bool:
        """Whether a trick is complete and its winner has still to decide what to collect."""
        return len(self.collected) < len(self.winners)

    @property
    def burned(self) -> bytes:
        """The cards of `trick` that wild cards in it burn, so that they cannot be collected, in order."""
        trick = self.trick
        left = unburned(trick)
        return bytes(card for card in trick if card < CARDS and card not in left)

    @property
    def barren(self) -> bool:
        """Whether nothing may be collected from the trick on the table or the next one, as at first in some games."""
        return len(self.winners) < self.rules.game.barren

    def missing(self, side: int) -> bytes:
        """Return the families that this side may still collect, ascending, repeated as often as they are open."""
        missing = bytes(sorted(self.subjects))
        for winner, card in zip(self.winners, self.collected, strict=False):
            if self.sides[winner] == side and card < CARDS:
                missing = missing.replace(FAMILY[card : card + 1], b"", 1)
        return missing

    def points(self, side: int) -> int:
        """Return what this side's collection is worth if the deal ended now."""
        return POINTS[len(self.subjects) - len(self.missing(side))]

    def _winner(self, trick: bytes) -> int:
        return best_card(trick, self.trumps)

    @property
    def _suit_of(self) -> bytes:
        return _SUIT_OF

    @property
    def _deck(self) -> bytes:
        return _DECK
