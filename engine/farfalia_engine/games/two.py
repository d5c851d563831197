"""Two: each with a dummy of its own."""

from collections.abc import Sequence

from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.layout import FIRST_SUBJECT, Layout, layout

SIDES = bytes((0, 1, 0, 1))
DUMMIES = bytes((2, 3))


class Two(Farfalia):
    """The first subject makes trumps; the first three tricks are only played."""

    name = "two"
    seats = 2
    deals = 4
    barren = 3

    def layout(self, deal: int, scores: Sequence[int]) -> Layout:
        """Let the two deal in turn; clockwise sit dealer, player, dealer's dummy, player's dummy."""
        del scores
        dealer = (deal - 1) % self.seats
        return layout(bytes((dealer, 1 - dealer) * 2), SIDES, FIRST_SUBJECT, DUMMIES)
