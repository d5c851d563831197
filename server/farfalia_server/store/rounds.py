"""Rounds of tournaments with stages, stored one after another while the tournament is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from farfalia_server.store import schema
from farfalia_server.store.changes import Changes, Topic
from farfalia_server.store.database import Database
from farfalia_server.store.planned_matches import insert_matches
from farfalia_server.store.rows import now, to_entrant, to_tournament
from farfalia_server.store.values import ACTIVE, Entrant, MatchState, NewMatch, Tournament, TournamentState

_tournament, _match = schema.tournament, schema.match
#: Needed whenever a match has begun or ended, so it is built once.
_DUE = (
    select(
        _tournament.c.id,
        _tournament.c.stages,
        func.coalesce(func.max(_match.c.stage), 0),
        func.count(_match.c.id),
        func.count(_match.c.id).filter(_match.c.state == MatchState.RUNNING),
    )
    .outerjoin(_match, _match.c.tournament_id == _tournament.c.id)
    .where(_tournament.c.state == TournamentState.RUNNING, _tournament.c.stages != "")
    .group_by(_tournament.c.id)
    .having(func.count(_match.c.id).filter(_match.c.state == MatchState.QUEUED) == 0)
    .order_by(_tournament.c.id)
)


@dataclass(frozen=True, slots=True)
class DueTournament:
    """A tournament without queued matches: its position, its number of matches, and how many are in play."""

    id: int
    stages: str
    stage: int
    matches: int
    running: int


class Rounds:
    """Rounds; if several nodes draw the same one, the first to write wins."""

    def __init__(self, database: Database, changes: Changes) -> None:
        self._database = database
        self._changes = changes

    async def due(self) -> list[DueTournament]:
        """Return running tournaments with stages that have no queued match, oldest first."""
        return await self._database.fetch(lambda connection: [DueTournament(*row) for row in connection.execute(_DUE)])

    async def draw(
        self, tournament_id: int, matches: Sequence[NewMatch], *, entrants: Sequence[Entrant], after: int
    ) -> bool:
        """Queue the matches of a round that was drawn for these entrants, after this number of matches.

        False, with nothing written, if it is no longer the next round.
        """
        async with self._database.write() as connection:
            tournament = await _running(connection, tournament_id)
            if tournament is None or await _drawn(connection, tournament_id) != after:
                return False
            rows = await connection.execute(select(schema.entrant).filter_by(tournament_id=tournament_id))
            if {to_entrant(row) for row in rows} != set(entrants):
                return False
            await insert_matches(
                connection, tournament_id, tournament, matches, state=MatchState.QUEUED, first=after + 1
            )
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return True

    async def end(self, tournament_id: int, *, after: int) -> bool:
        """End a tournament after this number of matches; False if more were drawn meanwhile, or some are not over."""
        table, match = schema.tournament, schema.match
        left = select(match.c.id).where(match.c.tournament_id == tournament_id, match.c.state.in_(ACTIVE))
        async with self._database.write() as connection:
            tournament = await _running(connection, tournament_id)
            if tournament is None or await _drawn(connection, tournament_id) != after:
                return False
            if (await connection.execute(left.limit(1))).first() is not None:
                return False
            values = {"state": TournamentState.FINISHED, "ended": now()}
            await connection.execute(update(table).where(table.c.id == tournament_id).values(values))
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return True


async def _running(connection: AsyncConnection, tournament_id: int) -> Tournament | None:
    """Return the tournament if it is running; other nodes wait until this transaction is over."""
    table = schema.tournament
    statement = select(table).where(table.c.id == tournament_id, table.c.state == TournamentState.RUNNING)
    row = (await connection.execute(statement.with_for_update())).first()
    return None if row is None else to_tournament(row)


async def _drawn(connection: AsyncConnection, tournament_id: int) -> int:
    table = schema.match
    statement = select(func.count()).where(table.c.tournament_id == tournament_id)
    return (await connection.execute(statement)).scalar_one()
