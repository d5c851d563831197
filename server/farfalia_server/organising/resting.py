"""When a bot rests on a ladder: it has had its matches of the hour, or it is alone and its rating is settled."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from farfalia_tournaments import Reason, TrueSkill, WaitStatus

_HOUR: Final = 3600.0
#: Seconds that a settled bot rests between two matches with house bots alone.
ALONE: Final = 60.0
#: The least part of its matches of an hour that a bot keeps, however well it is known.
_LEAST: Final = 0.25
_PRIOR: Final = TrueSkill().prior


class Resting:
    """The matches that bots have begun on one ladder within an hour, as far as this process knows.

    Another process that takes over the role of the matchmaker counts anew. Times are seconds of a clock that never goes
    back.
    """

    def __init__(self) -> None:
        self._begun: dict[int, deque[float]] = {}

    def begin(self, bots: Iterable[int], now: float) -> None:
        """Note that these bots begin a match."""
        for bot in bots:
            self._begun.setdefault(bot, deque()).append(now)

    def forget(self, bots: Iterable[int], now: float) -> None:
        """Forget those of these bots that have begun nothing within the hour."""
        for bot in bots:
            if bot in self._begun and self._begun[bot][-1] <= now - _HOUR:
                del self._begun[bot]

    def seconds(self, bot: int, now: float, *, hourly: int, sigma: float) -> float:
        """Return for how long a bot rests; 0 if it may begin a match now, or `hourly` is 0, which is no limit.

        The better its rating is known, the fewer matches it has an hour: with half a newcomer's sigma half as many.
        """
        begun = self._begun.get(bot)
        if not hourly or begun is None:
            return 0.0
        while begun and begun[0] <= now - _HOUR:
            begun.popleft()
        if not begun:
            del self._begun[bot]
            return 0.0
        most = max(1, round(hourly * max(_LEAST, min(1.0, sigma / _PRIOR.sigma))))
        return begun[-most] + _HOUR - now if len(begun) >= most else 0.0

    def seconds_alone(self, bot: int, now: float) -> float:
        """Return for how long a settled bot rests before it plays with house bots alone again."""
        begun = self._begun.get(bot)
        return max(0.0, begun[-1] + ALONE - now) if begun else 0.0


def why_resting(seconds: float) -> WaitStatus:
    """Return why a bot waits that rests for some seconds more."""
    return WaitStatus(Reason.RESTS, None, seconds, "It has had its matches for now, and rests.")
