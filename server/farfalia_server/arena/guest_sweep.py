"""Takes their tokens from persons who have not played for long, and forgets where they gathered."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from farfalia_server.net.service import PeriodicService
from farfalia_server.net.wall_clock import now
from farfalia_server.store import Store

#: Seconds between two looks.
_SECONDS: Final = 600.0
#: How long a person may come back who has asked for no match.
KEPT: Final = timedelta(days=7)


class GuestSweep(PeriodicService):
    """The service that revokes tokens of guests; every node may do so."""

    def __init__(self, store: Store) -> None:
        super().__init__("guest sweep", every=_SECONDS)
        self._store = store

    async def _tick(self) -> None:
        await self._store.bots.retire_persons(now() - KEPT)
        await self._store.gatherings.forget(now() - KEPT)
