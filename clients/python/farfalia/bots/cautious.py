"""Counts cards: knows what is still out and who has run out of what, and weighs each card by what it may win."""

from __future__ import annotations

from farfalia.bots.greedy import GreedyBot
from farfalia.bots.tactics import cautious_play
from farfalia_engine import Observation


class CautiousBot(GreedyBot):
    """A bot that weighs what a card does in the trick for its side and for the others against keeping it."""

    def play(self, view: Observation) -> int:
        """Return the card that the tactics of this game find with all cards counted."""
        return cautious_play(view)
