"""How much a bot can take: measured, never guessed.

The clock of a question starts when its message leaves the server, so a bot that thinks long about the first
question of a message pays for all others. So it asks for no more than it can answer soon.
"""

from __future__ import annotations

from farfalia.errors import BadSetting
from farfalia_engine.integers import whole

MOST_MATCHES = 64
MOST_QUESTIONS = 64
#: Everything outstanding should be answered within this many seconds.
TARGET = 0.05
#: A searching bot fills its processor with this many tables; more would only make each of them slower.
SEARCHING_MATCHES = 8


class MeasuredCapacity:
    """The measure of a bot's decisions, and the capacity that follows from it.

    A number given for `matches` or `questions` is kept as it is; what is None is adapted. Raises TypeError for what is
    no integer, and BadSetting for a number below 1.
    """

    def __init__(self, matches: int | None = None, questions: int | None = None) -> None:
        self._matches = _given("matches", matches)
        self._questions = _given("questions", questions)
        self._decisions = 0
        self.cost = 0.0

    def note(self, seconds: float, decisions: int = 1) -> None:
        """Take the time of some decisions into account: a slow one weighs at once, quick ones win trust back slowly."""
        each = seconds / decisions
        weight = 4 if each > self.cost else 32
        self.cost = each if self._decisions == 0 else self.cost + (each - self.cost) / weight
        self._decisions += decisions

    @property
    def questions(self) -> int:
        """Questions to take at once: a power of two, at first no more than decisions have been measured."""
        if self._questions is not None:
            return self._questions
        most = min(MOST_QUESTIONS, self._decisions + 1)
        if self.cost * most > TARGET:
            most = max(1, int(TARGET / self.cost))
        return 1 << (most.bit_length() - 1)

    @property
    def matches(self) -> int:
        """Matches to take at once."""
        if self._matches is not None:
            return self._matches
        return SEARCHING_MATCHES if self.cost > TARGET else MOST_MATCHES


def _given(what: str, number: int | None) -> int | None:
    if number is not None and whole(what, number) < 1:
        raise BadSetting(f"{what} is {number}, expected at least 1.")
    return number
