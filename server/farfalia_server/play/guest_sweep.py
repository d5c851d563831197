"""Frees the seats of guests whose matches have ended without a word: their host died before it could say so."""

from __future__ import annotations

from farfalia_server.net.service import PeriodicService
from farfalia_server.play.guests import UNHEARD_SECONDS, Guests
from farfalia_server.store import Store


class GuestSweep(PeriodicService):
    """The service that looks up whether matches are over of which nothing was heard for long."""

    def __init__(self, store: Store, guests: Guests) -> None:
        super().__init__("guest sweep", every=UNHEARD_SECONDS / 3)
        self._store = store
        self._guests = guests

    async def _look(self) -> None:
        unheard = self._guests.unheard()
        if unheard:
            self._guests.forget(unheard - (await self._store.matches.attempts(unheard)).keys())
