"""The clocks of one bot's questions, and the timer for the earliest deadline."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from farfalia_server.play.clock import SeatClock
from farfalia_server.play.loop_clock import LoopClock, Timer
from farfalia_server.play.questions import PendingQuestion
from farfalia_server.play.stream import Stream

#: Seconds by which a timer may fire early.
_EARLY = 0.001


class Deadlines:
    """The deadlines of one bot's questions; one timer serves all of them.

    `running` returns the questions whose clocks run, `expired` is called with each whose time is over.
    """

    __slots__ = ("_clock", "_expired", "_running", "_timer", "_timer_at", "stream")

    def __init__(
        self,
        clock: LoopClock,
        running: Callable[[], Iterable[PendingQuestion]],
        expired: Callable[[PendingQuestion], None],
    ) -> None:
        self._clock = clock
        self._running = running
        self._expired = expired
        #: The bot's stream, which measures the round trip.
        self.stream: Stream | None = None
        self._timer: Timer | None = None
        self._timer_at = 0.0

    def start(self, question: PendingQuestion, at: float) -> None:
        """Start a question's clock at this moment, which may be in the future."""
        question.sent_at = at
        lag = self.lag_compensation(question.seating.clock)
        question.deadline = deadline = at + question.seating.clock.max_ms / 1000 - question.before + lag
        if self._timer is None or deadline < self._timer_at:
            self._arm_timer(deadline)

    def took_ms(self, question: PendingQuestion, now: float) -> int:
        """Return the time that the bot is charged if it answers now."""
        passed = now - question.sent_at
        if passed <= 0:
            if not question.before:
                return 0  # as when a new question is sent
            passed = 0.0
        ms = int((question.before + passed - self.lag_compensation(question.seating.clock)) * 1000)
        return ms if ms > 0 else 0

    def lag_compensation(self, clock: SeatClock) -> float:
        """Return the seconds of the round trip that a seat is not charged."""
        if self.stream is None:
            return 0.0
        round_trip, most = self.stream.round_trip, clock.most_lag
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
                self._expired(question)
        left = [question.deadline for question in running if question.deadline > now]
        if left and (self._timer is None or min(left) < self._timer_at):
            self._arm_timer(min(left))
