"""Bots that come with the package: opponents to try a bot against, the server's house bots, and code to read."""

from __future__ import annotations

from farfalia.bot import Bot
from farfalia.bots.cautious import CautiousBot
from farfalia.bots.greedy import GreedyBot
from farfalia.bots.random import RandomBot
from farfalia.errors import BadSetting

_BOTS = {"random": RandomBot, "greedy": GreedyBot, "cautious": CautiousBot}

#: Names of the sample bots, each stronger than the one before.
NAMES = tuple(_BOTS)


def create(name: str, seed: int = 0) -> Bot:
    """Make the sample bot of this name; the same seed and the same questions give the same answers.

    Raises BadSetting if there is no such bot.
    """
    if name not in _BOTS:
        raise BadSetting(f"There is no sample bot {name!r}; expected one of {', '.join(NAMES)}.")
    return _BOTS[name](seed)


__all__ = ["NAMES", "create"]
