"""Searches by flat Monte Carlo: rolls out determinizations of what it sees after every answer, and takes the best."""

from __future__ import annotations

from math import inf
from random import Random
from time import monotonic

from farfalia.bots.cautious import CautiousBot
from farfalia.view import View
from farfalia_engine import Kind, Observation, SearchResult, flat_monte_carlo

#: Of the time that is left for a decision so much is used at most: others of this bot's tables wait for theirs.
SHARE = 0.25
#: What is searched. Before the play there are many answers and nothing is known of the other hands: a search would need
#: many more rollouts than it is worth.
_SEARCHED = (Kind.PLAY, Kind.COLLECT)


class FlatMonteCarloBot(CautiousBot):
    """A bot that searches, for a number of iterations or, if given, of seconds per decision.

    What comes before the play, or too late to think, it decides as cautious does. Where a clock runs it stops in good
    time. With iterations alone, and time enough for them, the same seed and the same questions give the same answers.
    """

    def __init__(self, seed: int = 0, iterations: int = 1000, seconds: float | None = None) -> None:
        super().__init__(seed)
        self._random = Random(seed)
        self._iterations = iterations if seconds is None else 10**9
        self._seconds = inf if seconds is None else seconds

    def decide(self, view: Observation) -> int:
        """Return the best of the legal actions, as far as the search can see."""
        found = self.search(view)
        return super().decide(view) if found is None else found.best

    def search(self, view: Observation) -> SearchResult | None:
        """Return what the search finds; None where it does not search, or has no time for it."""
        left = view.time_left if isinstance(view, View) else inf
        if view.kind not in _SEARCHED or left <= 0:
            return None
        end = monotonic() + min(self._seconds, SHARE * left)
        return flat_monte_carlo(view, self._random, self._iterations, lambda: monotonic() >= end)
