"""The time of day, for what people read and what is kept in order of time; durations come from `monotonic`."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import monotonic

#: Its pace while it is ahead of the machine's clock.
_SLOW = 0.9


def _machine_time() -> datetime:
    return datetime.now(UTC)


class WallClock:
    """A clock that never goes back: what follows was later, whatever happens to the machine's clock.

    When the machine's clock is set back, this one goes on at nine tenths of its pace until the other has caught up.
    It follows at once when the machine's clock is set forward.

    >>> clock = WallClock()
    >>> clock.now() <= clock.now()
    True
    """

    def __init__(
        self, machine_time: Callable[[], datetime] = _machine_time, monotonic: Callable[[], float] = monotonic
    ) -> None:
        self._machine_time = machine_time
        self._monotonic = monotonic
        #: What it said last, and when that was on the monotonic clock.
        self._last = machine_time(), monotonic()

    def now(self) -> datetime:
        """Return this moment, in UTC."""
        (last, at), moment = self._last, self._monotonic()
        now = max(self._machine_time(), last + timedelta(seconds=_SLOW * (moment - at)))
        self._last = now, moment
        return now


#: This process's clock: returns this moment, in UTC.
now = WallClock().now
