"""The house bots as they play at a table, so that whoever checks a record can recompute what they answered."""

from __future__ import annotations

from farfalia import bots
from farfalia_engine import Deals, Observation
from farfalia_engine.deals import WordStream

#: The one that decides by chance.
BY_CHANCE = "random"
#: The one that answers for a bot that is away or has lost its seat, and sits where bots are missing.
FALLBACK = "greedy"


class HouseBot:
    """A house bot in a match: what it answers follows from what it sees and, where chance decides, from the deals' key.

    That key is the board's, so nobody can know what it will answer before the record opens, and everybody can compute
    it then (`docs/deals.md`). It remembers nothing: a match that is resumed goes on as it would have.
    """

    __slots__ = ("_bot", "_deals")

    def __init__(self, name: str, deals: Deals) -> None:
        self._bot = None if name == BY_CHANCE else bots.create(name)
        self._deals = deals

    def decide(self, view: Observation, seat: int, action: int) -> int:
        """Return its answer for a seat, which becomes the match's action of this number, from 0."""
        if self._bot is not None:
            return self._bot.decide(view)
        return view.legal[WordStream(self._deals, f"house/{seat}/{action}").uniform(len(view.legal))]
