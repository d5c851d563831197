"""Any legal answer, each as likely as the others: the floor that every bot should beat."""

from __future__ import annotations

from random import Random

from farfalia.bot import Bot
from farfalia_engine import Observation


class RandomBot(Bot):
    """A bot that decides by chance."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed).random

    def decide(self, view: Observation) -> int:
        """Return any of the legal actions."""
        return view.legal[int(self._random() * len(view.legal))]
