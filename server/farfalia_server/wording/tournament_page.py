"""Texts that the pages of a tournament hand to their scripts, with their places to fill in."""

from __future__ import annotations

from typing import Final

#: A table of a round, among those that play.
TABLE_OF_ROUND: Final = "Round {round}, match {match}"
#: The button that starts and stops the turning of pages on a projector, by what it does.
TURNING: Final = {"turn": "Turn pages", "stop": "Stop turning pages"}
