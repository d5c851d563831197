"""Texts that the pages of a tournament hand to their scripts, with their places to fill in."""

from __future__ import annotations

from typing import Final

#: A table of a round, among those that play.
TABLE_OF_ROUND: Final = "Round {round}, match {match}"
#: What a wall says about its scenes: its button by what it does, and how far an entrant has moved.
WALL: Final = {"turn": "Go on by itself", "stop": "Hold", "up": "up {number}", "down": "down {number}"}
