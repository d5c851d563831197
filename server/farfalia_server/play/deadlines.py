"""The clocks of one bot's questions, and the timer for the earliest deadline.

The clock of a question starts when its message is handed to the stream, or when it has waited behind the bot's own
capacity for as long as a decision may take; time in which the server's loop is late does not count. For the network
some is taken off, within the bounds that `clock` has.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from farfalia_server.play.clock import SeatClock
from farfalia_server.play.loop_clock import LoopClock, Timer
from farfalia_server.play.questions import PendingQuestion
from farfalia_server.play.stream import Stream

#: Seconds by which a timer may fire early.
_EARLY = 0.001


class Deadlines:
    """The deadlines of one bot's questions; one timer serves all of them.

    `running` returns the questions whose clocks run, `expired` is called with each whose time is over, and with when
    its clock started.
    """

    __slots__ = ("_clock", "_expired", "_running", "_stream", "_timer", "_timer_at")

    def __init__(
        self,
        clock: LoopClock,
        running: Callable[[], Iterable[PendingQuestion]],
        expired: Callable[[PendingQuestion, float], None],
    ) -> None:
        self._clock = clock
        self._running = running
        self._expired = expired
        #: The bot's stream, which measures the round trip.
        self._stream: Stream | None = None
        self._timer: Timer | None = None
        self._timer_at = 0.0

    def attached(self, stream: Stream, waiting: Iterable[PendingQuestion]) -> None:
        """Note that the bot has this stream, behind whose capacity the `waiting` questions wait."""
        self._stream = stream
        now = self._clock.now()
        for question in waiting:
            # It was charged for the time without a stream.
            question.before += max(0.0, now - question.sent_at)
            self._start(question, now + question.free)

    def detached(self, waiting: Iterable[PendingQuestion]) -> None:
        """Note that the bot has no stream; clocks run, also those of the `waiting` questions."""
        self._stream = None
        now = self._clock.now()
        for question in waiting:
            question.free = max(0.0, question.sent_at - now)
            if question.free:
                self._start(question, now)

    def asked(self, question: PendingQuestion, suspended_until: float) -> None:
        """Let a question wait for as long as its time limit; without a stream its clock starts now, or once the bot's
        clocks are no longer suspended.
        """
        question.free = free = question.seating.clock.control.limit_ms / 1000
        now = self._clock.now()
        self._start(question, max(now, suspended_until) if self._stream is None else now + free)

    def sent(self, question: PendingQuestion, now: float) -> int:
        """Note that a question is handed to the stream now, and return the time that was charged before, in ms."""
        question.written_at = now
        if question.sent_at > now:  # it has not waited too long, or its clock was suspended until later
            self._start(question, now)
            if not question.before:
                return 0
        return self.took_ms(question, now)

    def stopped(self, question: PendingQuestion) -> None:
        """Stop the clock of a question until it is asked again; it keeps what it was charged."""
        if question.sent_at:
            question.before += max(0.0, self._clock.now() - question.sent_at)
        question.sent_at = math.inf

    def delayed(self, waiting: Iterable[PendingQuestion], seconds: float) -> None:
        """Do not charge questions that wait to be sent for so many seconds in which the server was busy."""
        for question in waiting:
            self._start(question, question.sent_at + seconds)

    def excluded(self, sent: Iterable[PendingQuestion], seconds: float) -> None:
        """Do not charge questions for so many seconds between `sent` and when they were written."""
        for question in sent:
            question.sent_at += seconds
            question.written_at += seconds
            question.deadline += seconds

    def took_ms(self, question: PendingQuestion, now: float) -> int:
        """Return the time that the bot is charged if it answers now."""
        passed = now - question.sent_at
        if passed <= 0:
            if not question.before:
                return 0  # as when a new question is sent
            passed = 0.0
        ms = int((question.before + passed - self._lag(question.seating.clock)) * 1000)
        return ms if ms > 0 else 0

    def thought(self, question: PendingQuestion, now: float) -> float | None:
        """Return the seconds from when a question was sent, without the network; None if it never was."""
        if not question.written_at:
            return None
        return now - question.written_at - self._lag(question.seating.clock)

    def _start(self, question: PendingQuestion, at: float) -> None:
        """Start a question's clock at this moment, which may be in the future."""
        question.sent_at = at
        clock = question.seating.clock
        lag = 0.0 if self._stream is None else self._stream.round_trip
        if lag > clock.most_lag:
            lag = clock.most_lag
        question.deadline = deadline = at + clock.max_ms / 1000 - question.before + lag
        if self._timer is None or deadline < self._timer_at:
            self._arm_timer(deadline)

    def _lag(self, clock: SeatClock) -> float:
        """Return the seconds of the round trip that a seat is not charged."""
        if self._stream is None:
            return 0.0
        round_trip, most = self._stream.round_trip, clock.most_lag
        return round_trip if round_trip < most else most

    def _arm_timer(self, deadline: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = deadline
        self._timer = self._clock.call_at(deadline, self._on_deadline)

    def _on_deadline(self) -> None:
        self._timer = None
        now = self._clock.now() + _EARLY
        running = list(self._running())
        for question in running:
            if question.deadline <= now:
                self._expired(question, question.sent_at)
        left = [question.deadline for question in running if question.deadline > now]
        if left and (self._timer is None or min(left) < self._timer_at):
            self._arm_timer(min(left))
