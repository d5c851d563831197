"""How long a bot needs for a decision, as the server sees it, and how many seats that allows."""

from __future__ import annotations

#: Weights of a decision that is slower, or quicker, than the mean: a slowdown shows at once, a speed-up gradually.
_SLOWER, _QUICKER = 1 / 4, 1 / 32
#: Least seconds that a decision counts as.
_LEAST = 1e-4


class DecisionPace:
    """The time from writing a question to reading its answer, as a moving mean."""

    __slots__ = ("_seconds",)

    def __init__(self) -> None:
        self._seconds = 0.0

    @property
    def seconds(self) -> float:
        """The mean; 0 before the first measurement."""
        return self._seconds

    def note(self, seconds: float) -> None:
        """Add a decision."""
        seconds = max(seconds, _LEAST)
        if not self._seconds:
            self._seconds = seconds
        else:
            self._seconds += (seconds - self._seconds) * (_SLOWER if seconds > self._seconds else _QUICKER)

    def seats(self, questions: int, limit: float) -> int:
        """Return how many seats can be served so that none waits longer than `limit` seconds.

        This assumes that all have to decide at the same time and `questions` are answered at a time; 1 before the first
        measurement.
        """
        if not self._seconds:
            return 1
        return 1 + int(questions * limit / self._seconds)
