"""What pages say of bots that somebody follows: their scripts put the figures in."""

from __future__ import annotations

from typing import Final

#: How a bot is, and what has changed since the last visit.
STARS: Final = {
    "place": "{place} on the ladder {ladder}",
    "unplaced": "no place on a ladder yet",
    "on": "connected",
    "off": "not connected",
    "since": "Since your last visit: {changes}.",
    "up": "up {number}",
    "down": "down {number}",
    "matches": "matches: {number}",
    "strikes": "strikes: {number}",
    "gone": "There is no bot of this name any more.",
}
