"""Four: two against two all match, and the first subject makes trumps."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from farfalia_engine.errors import BadOption
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.layout import FIRST_SUBJECT, Layout, clockwise
from farfalia_engine.options import number

SIDES = bytes((0, 1, 0, 1))
#: With a target, the match ends with this deal at the latest.
MOST_DEALS = 100


class Four(Farfalia):
    """Nobody discards or declares; the first three tricks are only played. The best side wins (F13)."""

    name = "four"
    options: ClassVar = {**Farfalia.options, "hands": number(4, multiple_of=4), "target": number(None)}
    seats = 4
    teams = ((0, 2), (1, 3))
    barren = 3
    most_deals = MOST_DEALS

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        if "hands" in given and "target" in given:
            raise BadOption("four is played for hands or for a target, expected one of the two options at most")
        self.target = int(given.get("target", 0))
        self.deals = 0 if self.target else int(self.chosen["hands"])

    def layout(self, deal: int, scores: Sequence[int]) -> Layout:
        """Let the deal go round clockwise."""
        del scores
        return clockwise((deal - 1) % self.seats, SIDES, FIRST_SUBJECT)

    def over(self, deal: int, totals: Sequence[int]) -> bool:
        """Return whether the match is over.

        It is after all deals; with a target, once a side has it and the sides are not level, or after a hundred (F8).
        """
        if not self.target:
            return deal == self.deals
        ours, theirs = (sum(totals[seat] for seat in team) for team in self.teams)
        return (max(ours, theirs) >= self.target and ours != theirs) or deal == MOST_DEALS
