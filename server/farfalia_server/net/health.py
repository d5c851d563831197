"""Whether this server is well: its database and its Redis can be written to, and all its parts run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from farfalia_server.net.service import Service

#: Seconds between two looks for those who are told of changes.
_LOOK_SECONDS = 1.0


class Health(Service):
    """What is asked of each part, by name: a sentence for what is wrong with it, empty if nothing is.

    Asking must not wait for anything. `changed` is told whether all is well, at the start and whenever that changes;
    `async with` starts and stops the looking.
    """

    def __init__(self, checks: Mapping[str, Callable[[], str]], changed: Callable[[bool], Awaitable[None]]) -> None:
        super().__init__("health")
        self._checks = checks
        self._changed = changed

    def report(self) -> dict[str, str]:
        """Return what is wrong with each part; empty texts if nothing is."""
        return {name: check() for name, check in self._checks.items()}

    async def tell(self) -> dict[str, str]:
        """Return `report`, for another process that asks."""
        return self.report()

    async def _run(self) -> None:
        told: bool | None = None
        while not self._stopping:
            well = not any(self.report().values())
            if well is not told:
                told = well
                await self._changed(well)
            await self._goes_on(_LOOK_SECONDS)
