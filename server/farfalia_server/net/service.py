"""Services: tasks that run until the server stops, most of which repeat the same work."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import ClassVar, Self

import structlog

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.net.supervision import may_end, supervised

log = structlog.get_logger(__name__)

#: After a look a service rests this many times as long as the look took, up to a number of seconds: changes in quick
#: succession then cost one look, and a single change hardly waits.
_REST, _LONGEST_REST = 4.0, 0.5


class Service:
    """A supervised task that implements `_run`; `async with` starts it and asks it to stop, after which `_run` returns.

    It is asked, not cancelled: the next command could receive the reply of a cancelled Redis command. It may be started
    again afterwards.
    """

    #: The task is cancelled instead: its work takes long and may be interrupted anywhere.
    cancelled_to_stop: ClassVar[bool] = False

    def __init__(self, name: str) -> None:
        self._service = name
        self._stopping = False
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Make the service look now: something has changed."""
        self._woken.set()

    async def __aenter__(self) -> Self:
        self._stopping = False
        self._task = supervised(self._run(), self._service)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping = True
        self._woken.set()
        if self._task is None:
            return
        may_end(self._task)
        if self.cancelled_to_stop:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        else:
            await self._task

    async def _run(self) -> None:
        raise NotImplementedError  # a service says what it does

    async def _goes_on(self, seconds: float | None) -> bool:
        """Wait until the service is woken or the time is over; return False if it is to stop."""
        if not self._stopping:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):  # `wait_for` may swallow a cancellation on Python 3.11
                    await self._woken.wait()
        return not self._stopping


class PeriodicService(Service):
    """A service that implements `_tick`, which is called after every change, and at intervals anyway.

    All times are in seconds: at most `every` from one tick to the next, None for no limit; `rest` after each tick, more
    after a long one; `gather` before each but the first; `pause` after one that failed. A failure is logged, as a
    warning if it is one of `unavailable`, else with its traceback, and the service goes on.
    """

    unavailable: ClassVar[tuple[type[Exception], ...]] = (StoreUnavailable,)

    def __init__(
        self, name: str, *, every: float | None, rest: float = 0.0, gather: float = 0.0, pause: float = 1.0
    ) -> None:
        super().__init__(name)
        self._every = every
        self._rest = rest
        self._gather = gather
        self._pause_seconds = pause

    async def _tick(self) -> None:
        raise NotImplementedError  # a service says what it does

    def _until_next_tick(self) -> float | None:
        """Return the seconds until the next tick, if nothing changes before; None for no next one."""
        return self._every

    async def _run(self) -> None:
        while not self._stopping:
            self._woken.clear()
            began = asyncio.get_running_loop().time()
            if not await self._tick_succeeds():
                await asyncio.sleep(self._pause_seconds)
                if self._every is None:
                    continue
            took = asyncio.get_running_loop().time() - began
            await asyncio.sleep(max(self._rest, min(took * _REST, _LONGEST_REST)))
            if await self._goes_on(self._until_next_tick()):
                await asyncio.sleep(self._gather)

    async def _tick_succeeds(self) -> bool:
        try:
            await self._tick()
        except self.unavailable as error:
            log.warning("service_paused", service=self._service, error=str(error))
        except Exception:
            log.exception("service_failed", service=self._service)
        else:
            return True
        return False
