"""How long to wait before the next attempt to connect."""

from __future__ import annotations

from random import Random

FIRST = 0.25
MOST = 15.0
#: A stream that lived this long was a good one: what ended it says nothing about the next attempt.
SETTLED = 3.0


class Backoff:
    """Exponential backoff with jitter, so that a thousand bots do not come back at the same moment."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._ceiling = FIRST

    def wait(self, lived: float) -> float:
        """Return the seconds to wait after a stream that lived for `lived` seconds, 0 if it was never welcomed."""
        if lived >= SETTLED:
            self._ceiling = FIRST
        ceiling, self._ceiling = self._ceiling, min(MOST, self._ceiling * 2)
        return ceiling * self._rng.uniform(0.5, 1.0)
