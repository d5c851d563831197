"""The tables that are watched: who watches asks all the time, and the database is asked once a second for all."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from farfalia_server.store import LiveTable, Match, MatchState, Store

#: Seconds between two looks at the database.
STEP: Final = 1.0
#: Most tables that are kept.
_KEPT = 300


class WatchedTables:
    """Tables in play as the database has them, a second old at most."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: OrderedDict[tuple[int, bool], LiveTable] = OrderedDict()
        self._looked = 0.0
        self._looking = asyncio.Lock()

    async def get(self, match: int, *, seated: bool) -> LiveTable:
        """Return a match with everything that is needed to follow it, as `LiveTables.get` does; NotFound."""
        async with self._looking:
            now = asyncio.get_running_loop().time()
            if now - self._looked >= STEP:
                self._looked = now
                await self._look()
        table = self._tables.get((match, seated))
        if table is None:
            table = await self._store.live_tables.get(match, seated=seated)
            if table.match.state is MatchState.RUNNING and table.source is not None:
                self._tables[match, seated] = table
                if len(self._tables) > _KEPT:
                    self._tables.popitem(last=False)
        else:
            self._tables.move_to_end((match, seated))
        return table

    def forget(self, match: int) -> None:
        """Read a match again at the next look: its last card has been played."""
        for seated in (False, True):
            self._tables.pop((match, seated), None)

    async def _look(self) -> None:
        """Forget the tables of which something else is in the database now."""
        known = {one.id: (one.state, one.attempt) for table in self._tables.values() for one in _matches(table)}
        if not known:
            return
        now = await self._store.live_tables.attempts(known)
        for key, table in list(self._tables.items()):
            if any(now.get(one.id) != (one.state, one.attempt) for one in _matches(table)):
                del self._tables[key]


def _matches(table: LiveTable) -> tuple[Match, ...]:
    return (table.match, *table.beside)
