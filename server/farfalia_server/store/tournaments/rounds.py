"""Rounds of tournaments with stages, stored one after another while the tournament is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, exists, func, or_, select

from farfalia_server.store.changes import Topic
from farfalia_server.store.matches.planned import insert_matches
from farfalia_server.store.matches.rows import redrawn_board
from farfalia_server.store.matches.values import ACTIVE, DRAWN_ANEW, MatchState, NewMatch
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.rows import to_entrant, to_tournament
from farfalia_server.store.tournaments.tournaments import end
from farfalia_server.store.tournaments.values import Entrant, Tournament, TournamentState

_tournament, _match = schema.tournament, schema.match
_queued = (
    exists()
    .where(_match.c.tournament_id == _tournament.c.id, _match.c.state == MatchState.QUEUED)
    .correlate(_tournament)
)
#: Needed whenever a match has begun or ended, so it is built once. It counts the matches of those alone in which none
#: waits.
_DUE = (
    select(
        _tournament.c.id,
        _tournament.c.stages,
        func.coalesce(func.max(_match.c.stage), 0),
        func.count(_match.c.id),
        func.count(_match.c.id).filter(_match.c.state == MatchState.RUNNING),
        func.count(_match.c.id).filter(_match.c.state == MatchState.VOID),
    )
    .outerjoin(_match, _match.c.tournament_id == _tournament.c.id)
    .where(_tournament.c.state == TournamentState.RUNNING, _tournament.c.paused.is_(None), ~_queued)
    .group_by(_tournament.c.id)
    # Without stages all matches are there from the beginning.
    .having(or_(_tournament.c.stages != "", func.count(_match.c.id).filter(_match.c.state == MatchState.RUNNING) == 0))
    .order_by(_tournament.c.id)
)


@dataclass(frozen=True, slots=True)
class DueTournament:
    """A tournament without queued matches, not paused, and without stages only if no match is in play either.

    It has a position, and numbers of all its matches, of those in play, and of void ones.
    """

    id: int
    stages: str
    stage: int
    matches: int
    running: int
    void: int


class Rounds(Part):
    """Rounds; if several nodes draw the same one, the first to write wins."""

    async def due(self) -> list[DueTournament]:
        """Return running tournaments that are due, oldest first."""
        return await self._database.read(lambda connection: [DueTournament(*row) for row in connection.execute(_DUE)])

    async def draw(
        self, tournament_id: int, matches: Sequence[NewMatch], *, entrants: Sequence[Entrant], after: int, void: int
    ) -> bool:
        """Queue the matches of a round that was drawn for these entrants.

        `after` and `void` are how many matches, and void ones, the tournament had when it was drawn.

        False, with nothing written, if it is no longer the next round, or the tournament is paused.
        """

        def draw(connection: Connection) -> bool:
            tournament = _going_on(connection, tournament_id, after, void)
            if tournament is None:
                return False
            outdated = select(_match.c.stage, _match.c.round).where(
                _match.c.tournament_id == tournament_id, _match.c.replaced_by == DRAWN_ANEW
            )
            known = {(row.stage, row.round) for row in connection.execute(outdated)}
            drawn = [
                replace(match, board=redrawn_board(match.board, after + 1))
                if (match.stage, match.round) in known
                else match
                for match in matches
            ]
            rows = connection.execute(select(schema.entrant).filter_by(tournament_id=tournament_id))
            if {to_entrant(row) for row in rows} != set(entrants):
                return False
            insert_matches(connection, tournament_id, tournament, drawn, state=MatchState.QUEUED, first=after + 1)
            return True

        return await self._write(tournament_id, draw)

    async def end(self, tournament_id: int, *, after: int, void: int) -> bool:
        """End a tournament that had this number of matches, and of void ones, when that was worked out.

        False if there are others meanwhile, some are not over, or the tournament is paused.
        """
        match = schema.match
        left = select(match.c.id).where(match.c.tournament_id == tournament_id, match.c.state.in_(ACTIVE))

        def end_it(connection: Connection) -> bool:
            if _going_on(connection, tournament_id, after, void) is None:
                return False
            if connection.execute(left.limit(1)).first() is not None:
                return False
            end(connection, tournament_id)
            return True

        return await self._write(tournament_id, end_it)

    async def _write(self, tournament_id: int, work: Callable[[Connection], bool]) -> bool:
        done = await self._database.write(work)
        if done:
            self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return done


def _going_on(connection: Connection, tournament_id: int, after: int, void: int) -> Tournament | None:
    """Return the tournament if it is running, is not paused, and has these numbers of matches and of void ones.

    Other nodes wait until this transaction is over.
    """
    table, match = schema.tournament, schema.match
    statement = select(table).where(
        table.c.id == tournament_id, table.c.state == TournamentState.RUNNING, table.c.paused.is_(None)
    )
    row = connection.execute(statement.with_for_update()).first()
    count = func.count().filter(match.c.state == MatchState.VOID)
    counts = select(func.count(), count).where(match.c.tournament_id == tournament_id)
    known = connection.execute(counts).one()
    return to_tournament(row) if row is not None and tuple(known) == (after, void) else None
