"""Chinkway: five play ten deals with changing partners, and an eleventh seated by the standing."""

from collections.abc import Sequence

from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.layout import Layout, clockwise, layout

NEIGHBOURS = bytes((0, 1, 1, 2, 2))
ALTERNATE = bytes((0, 1, 2, 1, 2))


class Chinkway(Farfalia):
    """The dealer plays alone, the others in pairs: neighbours in deals 1–5, every other seat after that."""

    name = "chinkway"
    seats = 5
    deals = 11

    def layout(self, deal: int, scores: Sequence[int]) -> Layout:
        """Let the deal go round clockwise; in deal 11 the third deals, and fourth, fifth, first and second follow."""
        if deal == self.deals:
            first, second, third, fourth, fifth = standing(scores)
            return layout(bytes((third, fourth, fifth, first, second)), ALTERNATE)
        return clockwise((deal - 1) % self.seats, NEIGHBOURS if deal <= 5 else ALTERNATE)


def standing(scores: Sequence[int]) -> list[int]:
    """Return seats by total, best first; equal totals by the last deal, then the one before it …,
    then the lower seat (F5).
    """

    def rank(seat: int) -> tuple[int, ...]:
        points = scores[seat :: Chinkway.seats]
        return (sum(points), *reversed(points))

    # sorted() keeps the order of equals, also in reverse: the lower seat stays in front.
    return sorted(range(Chinkway.seats), key=rank, reverse=True)
