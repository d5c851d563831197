"""Whether this server is well: its database and its Redis can be written to, and all its parts run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType

from farfalia_server.net.supervision import supervised

#: Seconds between two looks for those who are told of changes.
_LOOK_SECONDS = 1.0


class Health:
    """What is asked of each part, by name: a sentence for what is wrong with it, empty if nothing is.

    Asking must not wait for anything. `changed` is told whether all is well, at the start and whenever that changes;
    `async with` starts and stops the looking.
    """

    def __init__(self, checks: Mapping[str, Callable[[], str]], changed: Callable[[bool], Awaitable[None]]) -> None:
        self._checks = checks
        self._changed = changed
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def report(self) -> dict[str, str]:
        """What is wrong with each part; empty texts if nothing is."""
        return {name: check() for name, check in self._checks.items()}

    async def __aenter__(self) -> Health:
        self._task = supervised(self._look(), "health")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        if self._task is not None:
            await self._task

    async def _look(self) -> None:
        told: bool | None = None
        while not self._stopping.is_set():
            well = not any(self.report().values())
            if well is not told:
                told = well
                await self._changed(well)
            try:
                await asyncio.wait_for(self._stopping.wait(), _LOOK_SECONDS)
            except TimeoutError:
                continue
