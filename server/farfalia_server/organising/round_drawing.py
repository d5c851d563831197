"""What is next in a tournament with stages, which follows from all of its matches: thousands, in the end.

Reading and counting them takes seconds then, so a worker process does that for all but small tournaments.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.organising.entries import families_of
from farfalia_server.organising.stage_progress import StageProgress
from farfalia_server.store import DueTournament, Entrant, MatchState, Store
from farfalia_tournaments import AwaitedResults, NextRound, TournamentOver

#: Matches up to which a tournament is read here: some milliseconds, and a worker process takes a second to start.
SMALL = 200


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is next, for these entrants and after this number of matches, and of void ones."""

    next: NextRound | AwaitedResults | TournamentOver
    entrants: tuple[Entrant, ...]
    matches: int
    void: int


class RoundDrawing:
    """Draws rounds; those of tournaments with more than `SMALL` matches in the worker process, if there is one.

    It reads the database at this address.
    """

    def __init__(self, store: Store, worker: WorkerProcess | None = None, database_url: str = "") -> None:
        self._store = store
        self._worker = worker
        self._database_url = database_url

    async def of(self, due: DueTournament) -> Drawing:
        """Return what is next in a tournament; FarfaliaServerError if the worker process has died."""
        if due.matches <= SMALL or self._worker is None:
            return await drawing_of(self._store, due.id)
        return await self._worker.run(drawing_in_worker, self._database_url, due.id)


async def drawing_of(store: Store, tournament_id: int) -> Drawing:
    """Return what is next in a tournament."""
    tournament = await store.tournaments.get(tournament_id)
    entrants = await store.tournaments.entrants(tournament_id)
    families = families_of(entrants, await store.bots.by_ids(entrant.bot_id for entrant in entrants))
    matches = await store.matches.of_tournament(tournament_id)
    # Working a round out can take seconds, for which nothing else should have to wait.
    following = await asyncio.to_thread(lambda: StageProgress.of(tournament, entrants, matches, families).next())
    void = sum(match.state is MatchState.VOID for match in matches)
    return Drawing(following, tuple(entrants), len(matches), void)


_stores: dict[str, Store] = {}
_opening = asyncio.Lock()


async def drawing_in_worker(database_url: str, tournament_id: int) -> Drawing:
    """Return the same in a worker process, which keeps the database open."""
    async with _opening:
        if database_url not in _stores:
            _stores[database_url] = await Store.attach(database_url)
    return await drawing_of(_stores[database_url], tournament_id)
