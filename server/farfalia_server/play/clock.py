"""The time of one seat in one match: a limit for a decision, a bank for overruns, strikes with some grace."""

from __future__ import annotations

from farfalia.v1 import play_pb2
from farfalia_engine import TimeControl
from farfalia_server.play.question_encoding import length_delimited

#: Lag compensation: seconds of a round trip that are not charged, at most, and the share of the limit that they are at
#: most. A bot can delay its pongs, and would gain by that.
LAG_ALLOWANCE, LAG_SHARE = 0.1, 0.25
#: The longest round trip that the contract can tell, microseconds.
_LONGEST = 2**32 - 1
_CLOCK = play_pb2.Question.CLOCK_FIELD_NUMBER


class SeatClock:
    """What time a seat has left, in milliseconds; the caller measures it."""

    __slots__ = ("_shown", "_written", "bank_ms", "control", "strikes")

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.bank_ms: int = control.bank_ms
        self.strikes = 0
        self._shown: tuple[int, int, int, int, bool] | None = None
        self._written = b""

    @property
    def max_ms(self) -> int:
        """The most that the seat may take for its next decision, bank included; it is never charged more."""
        return self.control.limit_ms + self.bank_ms

    @property
    def max_seconds(self) -> float:
        """The same in seconds."""
        return self.max_ms / 1000

    @property
    def out_of_grace(self) -> bool:
        """Whether the seat has more strikes than its grace allows."""
        return self.strikes > self.control.grace

    def lag_compensation(self, round_trip: float) -> float:
        """Return the seconds of a decision that are not charged, given the round trip."""
        return min(round_trip, LAG_ALLOWANCE, self.control.limit_ms / 1000 * LAG_SHARE)

    def charge(self, took_ms: int) -> None:
        """Charge a decision: what goes beyond the limit comes out of the bank."""
        self.bank_ms = max(0, self.bank_ms - max(0, took_ms - self.control.limit_ms))

    def encoded(self, round_trip_us: int, spent_ms: int, resent: bool) -> bytes:
        """Return the clock as a field of a question; it is encoded again only when it has changed."""
        round_trip_us = min(max(0, round_trip_us), _LONGEST)
        shown = (self.bank_ms, self.strikes, round_trip_us, spent_ms, resent)
        if shown != self._shown:
            self._shown = shown
            clock = play_pb2.Clock(
                limit_ms=self.control.limit_ms,
                bank_ms=self.bank_ms,
                round_trip_us=round_trip_us,
                strikes=self.strikes,
                grace=self.control.grace,
                spent_ms=spent_ms,
                resent=resent,
            )
            self._written = length_delimited(_CLOCK, clock.SerializeToString())
        return self._written
