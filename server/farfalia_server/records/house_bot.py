"""The house bots as they play at a table, so that whoever checks a record can recompute what they answered."""

from __future__ import annotations

from dataclasses import dataclass

from farfalia import bots
from farfalia_engine import Deals, Observation
from farfalia_engine.deals import WordStream

#: The one that decides by chance.
BY_CHANCE = "random"
#: The one that answers for a bot that is away or has lost its seat, and sits where bots are missing.
FALLBACK = "greedy"
#: Rollouts of a decision of those that search. Seconds would depend on the machine, and nobody could recompute them.
ITERATIONS = 400


@dataclass(frozen=True, slots=True)
class Search:
    """A decision that takes a while: all that it follows from, so that any process comes to the same answer."""

    house: str
    seed: int
    view: Observation

    def answer(self) -> int:
        """Search, for some hundredths of a second or more, and return the answer."""
        return bots.create(self.house, self.seed, iterations=ITERATIONS).decide(self.view)


class HouseBot:
    """A house bot in a match: what it answers follows from what it sees and, where chance decides, from the deals' key.

    That key is the board's, so nobody can know what it will answer before the record opens, and everybody can compute
    it then (`docs/deals.md`). It remembers nothing: a match that is resumed goes on as it would have.
    """

    __slots__ = ("_bot", "_deals", "_name")

    def __init__(self, name: str, deals: Deals) -> None:
        self._bot = None if name == BY_CHANCE or name in bots.SEARCHING else bots.create(name)
        self._name = name
        self._deals = deals

    @property
    def searches(self) -> bool:
        """Whether its decisions take so long that `search` stands for `decide`."""
        return self._name in bots.SEARCHING

    def decide(self, view: Observation, seat: int, action: int) -> int:
        """Return its answer for a seat, which becomes the match's action of this number, from 0."""
        if self._bot is not None:
            return self._bot.decide(view)
        return view.legal[WordStream(self._deals, f"house/{seat}/{action}").uniform(len(view.legal))]

    def search(self, view: Observation, seat: int, own: int) -> Search:
        """Return what finds its answer for a seat, which becomes the seat's own action of this number, from 0.

        The number of the match's action is not known yet: where several decide at once others may come first.
        """
        return Search(self._name, WordStream(self._deals, f"search/{seat}/{own}").word(), view)
