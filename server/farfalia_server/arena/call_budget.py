"""A share of a core for reading calls, so that play keeps the rest however many people call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any, TypeVar

from google.protobuf.message import Message

from farfalia_server.contract.errors import ResourceExhausted
from farfalia_server.contract.said import Said, said
from farfalia_server.net.cpu_time import CpuMeter, metered
from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBucket

A = TypeVar("A", bound=Message)

#: CPU seconds that gRPC takes for each call beside its handler.
_AROUND = 0.0005
#: Calls that run at a time, and most that wait for it. A call that goes on from wait to wait takes turns with play.
_AT_ONCE, _WAITING = 2, 64
#: Seconds before a call is refused at the earliest, and the least that its caller is told to wait.
_REFUSED_AFTER, _SOON = 1.0, 0.1


class CallBudget:
    """CPU seconds of one kind of callers, who share them: `rate` a second, and `burst` at once.

    What a call costs is known when it has ended, so calls may leave a debt; while there is one, calls are refused.
    """

    def __init__(self, whose: Said, burst: float, rate: float, *, now: Callable[[], float] = monotonic) -> None:
        self._whose, self._rate, self._now = whose, rate, now
        self._bucket = TokenBucket(burst, rate, now())
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._waiting = 0
        self._next_refusal = 0.0

    def spend(self, seconds: float) -> None:
        """Take what something has cost."""
        self._bucket.spend(seconds, self._now())

    async def answer(self, work: Callable[[], Coroutine[Any, Any, A]]) -> A:
        """Return what `work` returns, when it has its turn, and take what it costs.

        Raises ResourceExhausted (CALLS_TOO_FAST), with the time to wait, if the budget is spent: late, and one after
        the other, so that callers who try again at once cost little, with many calls at a time as well.
        """
        if self._waiting < _WAITING and not self._debt:
            self._waiting += 1
            try:
                await self._room.acquire()
            finally:
                self._waiting -= 1
            try:
                if not self._debt:  # those before it may have spent all
                    return await self._paid(work())
            finally:
                self._room.release()
        await self._refused()
        raise ResourceExhausted(
            said(
                "%(whose)s have used up the %(rate)s of a core that their reading calls may take",
                whose=self._whose,
                rate=f"{self._rate:.0%}",
            ),
            "CALLS_TOO_FAST",
            retry=max(self._debt, _SOON),
        )

    @property
    def is_spent(self) -> bool:
        """Whether calls are refused now."""
        return self._debt > 0

    async def _refused(self) -> None:
        """Wait for the turn to be refused."""
        now = self._now()
        soonest = max(now + _REFUSED_AFTER, self._next_refusal)
        turn = min(soonest, now + limits.REFUSED_WITHIN)
        self._next_refusal = turn + 1 / limits.REFUSALS_RATE
        await asyncio.sleep(turn - now)

    @property
    def _debt(self) -> float:
        """The seconds until there is no debt."""
        return self._bucket.wait(0, self._now())

    async def _paid(self, work: Coroutine[Any, Any, A]) -> A:
        self.spend(_AROUND)
        return await metered(CpuMeter(self.spend), work)  # tasks that it has begun are paid when they run


def strangers_budget() -> CallBudget:
    """Return a budget for all callers without a valid token."""
    return CallBudget(said("callers without a token"), limits.CALLS_CPU_BURST, limits.CALLS_CPU_RATE)


def entrants_budget() -> CallBudget:
    """Return a budget for all bots and their owners."""
    return CallBudget(said("bots and their owners"), limits.CALLS_CPU_BURST, limits.CALLS_CPU_RATE)
