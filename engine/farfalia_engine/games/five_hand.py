"""Five-hand: five play five deals, and each deals once."""

from collections.abc import Sequence

from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.layout import Layout, clockwise

SIDES = bytes((0, 1, 2, 2, 1))


class FiveHand(Farfalia):
    """The dealer plays alone; the two neighbours are partners, and so are the two across."""

    name = "five-hand"
    seats = 5
    deals = 5

    def layout(self, deal: int, scores: Sequence[int]) -> Layout:
        """Let the deal go round clockwise."""
        del scores
        return clockwise((deal - 1) % self.seats, SIDES)
