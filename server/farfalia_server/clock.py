"""The time of one seat in one match: a limit for a decision, a bank for overruns, strikes with some grace."""

from __future__ import annotations

from farfalia.v1 import play_pb2
from farfalia_server.store.values import TimeControl

#: Round trips longer than this are not forgiven, seconds: a bot can delay its pongs.
LAG_ALLOWANCE = 0.1


class SeatClock:
    """What is left to a seat; all times in milliseconds, measured by the caller."""

    __slots__ = ("bank_ms", "control", "strikes")

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.bank_ms: int = control.bank_ms
        self.strikes = 0

    @property
    def patience(self) -> float:
        """Seconds that the seat may take for its next decision, bank included."""
        return (self.control.limit_ms + self.bank_ms) / 1000

    @property
    def out_of_grace(self) -> bool:
        """The seat has more strikes than it survives."""
        return self.strikes > self.control.grace

    def charge(self, took_ms: int) -> None:
        """Pays for a decision: what goes beyond the limit comes out of the bank."""
        self.bank_ms = max(0, self.bank_ms - max(0, took_ms - self.control.limit_ms))

    def show(self, clock: play_pb2.Clock, round_trip_us: int, spent_ms: int, resent: bool) -> None:
        """Writes the clock into a question."""
        clock.limit_ms = self.control.limit_ms
        clock.bank_ms = self.bank_ms
        clock.round_trip_us = round_trip_us
        clock.strikes = self.strikes
        clock.grace = self.control.grace
        clock.spent_ms = spent_ms
        clock.resent = resent
