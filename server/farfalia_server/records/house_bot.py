"""The house bots as they play at a table, so that whoever checks a record can recompute what they answered."""

from __future__ import annotations

from dataclasses import dataclass

from farfalia import bots
from farfalia.bots.flat_monte_carlo import FlatMonteCarloBot
from farfalia_engine import Deals, Kind, Observation, Ruleset, SearchResult
from farfalia_engine.deals import WordStream

#: The one that decides by chance.
BY_CHANCE = "random"
#: The one that answers for a bot that is away or has lost its seat, and sits where bots are missing.
FALLBACK = "greedy"
#: Rollouts of a decision of those that search. Seconds would depend on the machine, and nobody could recompute them.
ITERATIONS = 400


#: Those at tables that load NumPy and their networks before their first card, which takes tenths of a second.
LOADING = frozenset(bots.NEEDING_NUMPY).difference(bots.SEARCHING)


def load(name: str, rules: Ruleset) -> None:
    """Have a house bot choose a card of a game, so that nothing is left to load when it does so at a table.

    It may be called in any thread.
    """
    bot, state = bots.create(name), rules.new_match(Deals(bytes(32)))
    chosen = False
    while state.pending is not None and not chosen:
        seat = state.pending.seats[0]
        chosen = state.pending.kind is Kind.PLAY and len(state.legal_actions(seat)) > 1
        state.apply(bot.decide(state.observation(seat)), seat)


@dataclass(frozen=True, slots=True)
class Search:
    """A decision that takes a while: all that it follows from, so that any process comes to the same answer."""

    house: str
    seed: int
    view: Observation

    def answer(self) -> int:
        """Search, for some hundredths of a second or more, and return the answer."""
        return bots.create(self.house, self.seed, iterations=ITERATIONS).decide(self.view)


@dataclass(frozen=True, slots=True)
class HintSearch:
    """What a house bot that searches would do in a seat's place, which knows no more than the seat."""

    house: str
    seed: int
    view: Observation

    def answer(self) -> SearchResult:
        """Search as at a table, and return what was found: the action alone where the bot does not search."""
        bot = bots.create(self.house, self.seed, iterations=ITERATIONS)
        assert isinstance(bot, FlatMonteCarloBot), "it searches"
        return bot.search(self.view) or SearchResult({}, {}, bot.decide(self.view), 0)


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
