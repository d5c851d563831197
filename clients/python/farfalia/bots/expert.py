"""Searches in lock step: worlds weighed by how others have played, played out as they seem to play. It needs NumPy."""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import Final

from farfalia.bots.cautious import CautiousBot
from farfalia.bots.flat_monte_carlo import SHARE, FlatMonteCarloBot
from farfalia.bots.greedy import by_price
from farfalia.learning.likelihood import plays_in_lockstep
from farfalia.learning.policy_search import policy_search
from farfalia.view import View
from farfalia_engine import Kind, Observation, SearchResult, cards_discarded

#: What is searched; whether to double cautious decides.
_SEARCHED = (Kind.PLAY, Kind.COLLECT, Kind.DISCARD, Kind.DECLARE, Kind.PICK_TYPE, Kind.BAR, Kind.NAME_TRUMPS, Kind.SHOW)
#: It discards from this number of cards, those that cautious would discard first.
_PRICED: Final = 5


class ExpertBot(FlatMonteCarloBot):
    """The strongest sample bot, for a number of iterations or of seconds per decision.

    Where wild cards are played, and in games from other packages, it searches as `flat-monte-carlo` does, and too late
    to think it decides as cautious does. With iterations alone, and time enough for them, the same seed and the same
    questions give the same answers.
    """

    def search(self, view: Observation) -> SearchResult | None:
        """Return what the search finds; None where it does not search, or has no time for it."""
        left = view.time_left if isinstance(view, View) else inf
        if not plays_in_lockstep(view) or view.kind not in _SEARCHED or left <= 0:
            return super().search(view)
        end = monotonic() + min(self._seconds, SHARE * left)
        actions = None
        if view.kind is Kind.DISCARD:
            cheap = {*by_price(view)[:_PRICED]}
            actions = [action for action in view.legal if cheap.issuperset(cards_discarded(action))]
        base, enough = CautiousBot(), lambda: monotonic() >= end
        return policy_search(view, self._random, base, self._iterations, enough, actions)
