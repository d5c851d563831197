"""Three-short: three deals with a dummy, and a last one in which everyone is alone."""

from collections.abc import Sequence

from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.layout import DECLARE_THEN_DISCARD, Layout, clockwise
from farfalia_engine.games.three import with_dummy
from farfalia_engine.scores import fewest, totals_of

ALONE = bytes((0, 1, 2))


class ThreeShort(Farfalia):
    """As in three, until the last deal: seventeen cards each, one more for the dealer to discard (F10)."""

    name = "three-short"
    seats = 3
    deals = 4
    barren = 3

    def layout(self, deal: int, scores: Sequence[int]) -> Layout:
        """Let the deal go round clockwise; the last dealer is the player with fewest points (F6)."""
        if deal < self.deals:
            return with_dummy((deal - 1) % self.seats)
        third_dealer = 2
        return clockwise(fewest(totals_of(scores, self.seats, 3), third_dealer), ALONE, DECLARE_THEN_DISCARD)
