"""Write a bot for Farfalia: subclass `Bot`, override `play`, and `run` it."""

from farfalia.bot import Bot
from farfalia.client import play, run

__all__ = ["Bot", "play", "run"]
