"""Basic: five play three deals, the last of which counts double."""

from collections.abc import Sequence

from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.layout import Layout, clockwise
from farfalia_engine.scores import fewest, totals_of

SIDES = bytes((0, 1, 2, 1, 2))


class Basic(Farfalia):
    """The dealer plays alone against two pairs; the two best totals win."""

    name = "basic"
    seats = 5
    deals = 3
    winning = 2

    def layout(self, deal: int, scores: Sequence[int]) -> Layout:
        """Return the dealer: seat 0 first, then the seat with the fewest points."""
        return clockwise(self._dealer(deal, scores), SIDES)

    def weight(self, deal: int) -> int:
        """Count the third deal double."""
        return 2 if deal == self.deals else 1

    def _dealer(self, deal: int, scores: Sequence[int]) -> int:
        """Return, of those with fewest points, the first clockwise from the last dealer's left (F6)."""
        if deal == 1:
            return 0
        return fewest(totals_of(scores, self.seats, deal - 1), self._dealer(deal - 1, scores))
