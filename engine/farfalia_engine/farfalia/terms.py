"""In what the games of Farfalia differ: who sits where, and the wild cards."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from farfalia_engine.errors import BadOption
from farfalia_engine.farfalia.layout import Layout
from farfalia_engine.options import Option, choice
from farfalia_engine.terms import GameTerms, SeatRole

#: Wild cards that everyone has to spend in a match of Double You.
WILDS_TO_SPEND = 2


class FarfaliaTerms(GameTerms):
    """The terms of a game of Farfalia: all that a match in progress asks of its game."""

    collecting = True
    options: ClassVar[Mapping[str, Option]] = {"double_you": choice("off", "on"), "burnin": choice("off", "on")}

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        #: Wild cards that everyone has at the start of the match and may spend to double a deal's score.
        self.wilds = WILDS_TO_SPEND if self.chosen["double_you"] == "on" else 0
        #: Whether everyone is dealt a wild card that burns.
        self.burnin = self.chosen["burnin"] == "on"
        #: Whether every ordinary card of every trick may be collected.
        self.plain = not (self.barren or self.burnin)
        if self.wilds and self.burnin:
            raise BadOption("double_you and burnin need the same wild cards, expected one of the two at most")

    @abstractmethod
    def layout(self, deal: int, scores: Sequence[int]) -> Layout:
        """Return who sits where in this deal, given the points of all deals before it, by seat, deal after deal."""

    def roles(self, deal: int, scores: Sequence[int]) -> Sequence[SeatRole]:
        """Return the role of each seat in this deal: who deals, who has a dummy, who plays together."""
        seated = self.layout(deal, scores)
        dummies = {seated.seats[position] for position in seated.dummies}
        side_of = [seated.sides[position] for position in seated.positions]
        return [
            SeatRole(position, seat in dummies, side_of.count(side_of[seat]) > 1)
            for seat, position in enumerate(seated.positions)
        ]
