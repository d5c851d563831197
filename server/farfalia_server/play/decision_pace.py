"""How long a bot takes for a decision, as the server sees it, and how many seats that is good for."""

from __future__ import annotations

#: What a slower and a quicker decision count: one that grows slow is noticed at once, and trusted again in time.
_SLOWER, _QUICKER = 1 / 4, 1 / 32
#: No decision counts as quicker, seconds.
_LEAST = 1e-4


class DecisionPace:
    """The time from writing a question to reading its answer, as a moving mean."""

    __slots__ = ("_seconds",)

    def __init__(self) -> None:
        self._seconds = 0.0

    @property
    def seconds(self) -> float:
        """The mean; 0 before anything was measured."""
        return self._seconds

    def note(self, seconds: float) -> None:
        """Take a decision into account."""
        seconds = max(seconds, _LEAST)
        if not self._seconds:
            self._seconds = seconds
        else:
            self._seconds += (seconds - self._seconds) * (_SLOWER if seconds > self._seconds else _QUICKER)

    def seats(self, questions: int, limit: float) -> int:
        """Return how many seats can be served such that none waits for longer than `limit` seconds.

        That is if all are to decide at once and `questions` are answered at a time; one before anything was measured.
        """
        if not self._seconds:
            return 1
        return 1 + int(questions * limit / self._seconds)
