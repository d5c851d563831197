"""Frees the seats of guests at tables that disappeared silently: their host died before it could say so.

Such a match is over, or its attempt is void and it waits to be played again.
"""

from __future__ import annotations

from farfalia_server.net.service import PeriodicService
from farfalia_server.nodes.guests import UNHEARD_SECONDS, Guests
from farfalia_server.store import Store


class GuestSweep(PeriodicService):
    """The service that looks up whether silent matches are still in play."""

    def __init__(self, store: Store, guests: Guests) -> None:
        super().__init__("guest sweep", every=UNHEARD_SECONDS / 3)
        self._store = store
        self._guests = guests

    async def _look(self) -> None:
        unheard = self._guests.unheard()
        if unheard:
            running = {match.id for match in await self._store.matches.running()}
            self._guests.forget((unheard - running) & self._guests.unheard())  # one may have begun again meanwhile
