"""Counters of a node while it plays: plain numbers, cheap enough for every decision."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable


def percentile(values: Iterable[float], share: float) -> float:
    """Return the value below which `share` (0 … 1) of the values lie; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


class Measures:
    """Counters since the node started, and the newest times in seconds."""

    __slots__ = (
        "answer_age",
        "batches",
        "database",
        "decisions",
        "finished",
        "handed",
        "journal",
        "lateness",
        "questions",
        "ready",
        "stalled",
        "strikes",
    )

    def __init__(self) -> None:
        #: Actions taken at all tables, forced ones included.
        self.decisions = 0
        #: Questions sent to bots.
        self.questions = 0
        #: Messages with questions.
        self.batches = 0
        #: Matches finished.
        self.finished = 0
        #: Strikes given.
        self.strikes = 0
        #: From an answer's arrival until the next question of its match was journalled and could be sent.
        self.ready: deque[float] = deque(maxlen=8192)
        #: From an answer's arrival until the next question of its match was handed to a stream; without those
        #: that waited for their bot.
        self.handed: deque[float] = deque(maxlen=8192)
        #: How late the loop's ticks were in the last minute; 0 for a punctual one.
        self.lateness: deque[float] = deque(maxlen=3000)
        #: The sum of that since the node started: seconds in which clocks were stopped.
        self.stalled = 0.0
        #: Duration of the newest calls of the journal's script, with the round trip to Redis.
        self.journal: deque[float] = deque(maxlen=2048)
        #: Duration of the newest transactions, including the wait for their turn and a connection.
        self.database: deque[float] = deque(maxlen=2048)
        #: From the moment at which gRPC handed a bot's message to the loop until its stream read it.
        self.answer_age: deque[float] = deque(maxlen=8192)
