"""Removes archives of programs that nobody uses."""

from __future__ import annotations

from farfalia_server.net.service import PeriodicService
from farfalia_server.store import Store

#: Seconds between two looks.
_SECONDS = 600.0


class ArchiveSweep(PeriodicService):
    """The service that removes what was not handed in or is not kept; every node may do so."""

    def __init__(self, store: Store) -> None:
        super().__init__("archive sweep", every=_SECONDS)
        self._store = store

    async def _tick(self) -> None:
        await self._store.archives.sweep()
