"""A bot's seat in a match, the questions it is asked there, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from farfalia.v1 import play_pb2
from farfalia_engine import Cause
from farfalia_server.play.clock import SeatClock


@dataclass(slots=True)  # not frozen: that would treble the cost of making one
class Answer:
    """The answer to a question: an action, or why there is none; `at` is when it arrived, by the monotonic clock."""

    action: int | None
    cause: Cause
    took_ms: int
    text: str = ""
    at: float = field(default=0.0, compare=False)


@dataclass(slots=True)
class Seating:
    """A bot's seat in one match; `questions` counts its questions, `absence` says why it is not waited for any more."""

    match: int
    seat: int
    clock: SeatClock
    message: play_pb2.Seated
    questions: int = 0
    late: set[int] = field(default_factory=set)
    absence: str = ""


class PendingQuestion:
    """A question that is not answered yet: a `Question` without its clock.

    Either `answered` is called once, with the answer, or `failed`, if the server cannot send the question.
    """

    __slots__ = (
        "after",
        "answered",
        "batch",
        "before",
        "deadline",
        "encoded",
        "failed",
        "free",
        "key",
        "legal",
        "seating",
        "sent_at",
        "written_at",
    )

    def __init__(
        self,
        seating: Seating,
        encoded: bytes,
        legal: Sequence[int],
        answered: Callable[[Answer], None],
        failed: Callable[[Exception], None],
        after: float = 0.0,
    ) -> None:
        #: When, by the monotonic clock, the answer came that led to this question; 0 if none did.
        self.after = after
        self.seating = seating
        self.encoded = encoded
        self.legal = legal
        self.answered = answered
        self.failed = failed
        self.batch = 0
        #: When, by the loop clock, the question's clock started, or will start if it still waits; 0 if neither.
        self.sent_at = 0.0
        #: Seconds charged before that.
        self.before = 0.0
        #: Seconds that it may wait behind the bot's own capacity before its clock starts, from when a stream came.
        self.free = 0.0
        #: When it was last handed to a stream; 0 if it never was.
        self.written_at = 0.0
        #: When its time is over; 0 before the clock has started.
        self.deadline = 0.0
        #: Match and number: what an action names.
        self.key = (seating.match, seating.questions)
