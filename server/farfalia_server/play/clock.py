"""The clock of one seat in one match: a limit per decision, a bank for overruns, the count of strikes.

How many strikes a seat survives is its time control's `grace`, which `match_core` applies.
"""

from __future__ import annotations

from farfalia_engine import TimeControl

#: Lag compensation: most seconds of a round trip that `deadlines` does not charge, and their most as a share of the
#: limit. Without these bounds a bot could gain by delaying its pongs.
LAG_ALLOWANCE, LAG_SHARE = 0.1, 0.25


class SeatClock:
    """The time that a seat has left, in milliseconds; the caller measures what it takes."""

    __slots__ = ("bank_ms", "control", "max_ms", "most_lag", "strikes")

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        #: Most seconds of a round trip that are not charged.
        self.most_lag = min(LAG_ALLOWANCE, control.limit_ms / 1000 * LAG_SHARE)
        self.bank_ms: int = control.bank_ms
        #: The most that the seat may take for its next decision, bank included; it is never charged more.
        self.max_ms: int = control.limit_ms + control.bank_ms
        self.strikes = 0

    def charge(self, took_ms: int) -> None:
        """Charge a decision: what exceeds the limit comes out of the bank."""
        over_ms = took_ms - self.control.limit_ms
        if over_ms > 0:
            self.bank_ms = max(0, self.bank_ms - over_ms)
            self.max_ms = self.control.limit_ms + self.bank_ms
