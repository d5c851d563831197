"""Three: the dealer and a dummy against the other two."""

from collections.abc import Sequence

from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.layout import DECLARE_ONLY, Layout, layout

SIDES = bytes((0, 1, 0, 1))
DUMMY = bytes((2,))


class Three(Farfalia):
    """The dealer plays for the dummy across the table, too; the first three tricks are only played."""

    name = "three"
    seats = 3
    deals = 6
    barren = 3

    def layout(self, deal: int, scores: Sequence[int]) -> Layout:
        """Let the deal go round clockwise; the dummy sits between the two others."""
        del scores
        return with_dummy((deal - 1) % self.seats)


def with_dummy(dealer: int) -> Layout:
    """Return the dealer, the player to the left, the dummy, the player to the right."""
    return layout(bytes((dealer, (dealer + 1) % 3, dealer, (dealer + 2) % 3)), SIDES, DECLARE_ONLY, DUMMY)
