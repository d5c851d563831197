"""Searches in lock step: worlds weighed by how others have played, played out as cautious plays. It needs NumPy."""

from __future__ import annotations

from math import inf
from time import monotonic

from farfalia.bots.cautious import CautiousBot
from farfalia.bots.flat_monte_carlo import SHARE, FlatMonteCarloBot
from farfalia.learning.likelihood import plays_in_lockstep
from farfalia.learning.policy_search import policy_search
from farfalia.view import View
from farfalia_engine import Kind, Observation

#: What is searched; the rest, doubling and discarding, cautious decides.
_SEARCHED = (Kind.PLAY, Kind.COLLECT, Kind.DECLARE, Kind.PICK_TYPE, Kind.BAR, Kind.NAME_TRUMPS, Kind.SHOW)


class ExpertBot(FlatMonteCarloBot):
    """The strongest sample bot among players like cautious, for a number of iterations or of seconds per decision.

    Where wild cards are played, and in games from other packages, it searches as `flat-monte-carlo` does, and too late
    to think it decides as cautious does. With iterations alone, and time enough for them, the same seed and the same
    questions give the same answers.
    """

    def decide(self, view: Observation) -> int:
        """Return the best of the legal actions, as far as the search can see."""
        left = view.time_left if isinstance(view, View) else inf
        if not plays_in_lockstep(view) or view.kind not in _SEARCHED or left <= 0:
            return super().decide(view)
        end = monotonic() + min(self._seconds, SHARE * left)
        return policy_search(view, self._random, CautiousBot(), self._iterations, lambda: monotonic() >= end).best
