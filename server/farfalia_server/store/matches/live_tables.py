"""What the server needs to follow a match in play; not for users, since it includes the cards."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, select

from farfalia.v1 import record_pb2
from farfalia_engine import Deals, State, board_key, ruleset
from farfalia_server.store.matches import boards
from farfalia_server.store.matches.matches import match_row
from farfalia_server.store.matches.records import Records
from farfalia_server.store.matches.rows import to_match
from farfalia_server.store.matches.values import Match, MatchState, Source
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.database import Database
from farfalia_server.store.tournaments.nonces import source_of, source_of_match


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A match, the source of its deals, and the matches that are still to finish the same board.

    For a match with cards of its own `beside` is empty and `shared` false. `source` is None as long as nothing can be
    dealt, or nobody may see it.
    """

    match: Match
    source: Source | None
    beside: tuple[Match, ...]
    shared: bool

    def first_deal(self, match: Match) -> State:
        """Return the first deal of this match, or of one beside it."""
        assert self.source is not None
        key = board_key(self.source.secret, self.source.nonces, match.board)
        return ruleset(match.ruleset, match.options).new_match(Deals(key))


class LiveTables:
    """Reads matches that are followed live."""

    def __init__(self, database: Database, records: Records) -> None:
        self._database = database
        self._records = records

    async def get(self, match_id: int, *, seated: bool = False) -> LiveTable:
        """Return a match with everything that is needed to follow it; NotFound.

        Who is `seated` there follows it as well while others still play the board of its day.
        """
        return await self._database.read(lambda connection: _live_table(connection, match_id, seated=seated))

    async def attempts(self, match_ids: Collection[int]) -> dict[int, tuple[MatchState, int]]:
        """Return the state and the attempt of each of these matches."""
        table = schema.match
        statement = select(table.c.id, table.c.state, table.c.attempt).where(table.c.id.in_(match_ids))
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.id: (MatchState(row.state), row.attempt) for row in rows}

    async def record(self, match_id: int) -> record_pb2.Record:
        """Return the record of a finished match, even if its cards are secret; FailedPrecondition before its end."""
        return await self._records.sealed(match_id)


def _live_table(connection: Connection, match_id: int, *, seated: bool) -> LiveTable:
    # In this order: if the match becomes void in between, its first board still counts as shared.
    beside = tuple(to_match(one) for one in connection.execute(boards.tables_beside(match_id)))
    shared = bool(connection.execute(boards.others_on_board(match_id)).scalar())
    row = match_row(connection, match_id)
    match, source = to_match(row), None
    closed = not seated and boards.is_daily_closed(match.daily or None)
    if match.state in (MatchState.RUNNING, MatchState.FINISHED) and not closed:
        source = source_of_match(row) if match.tournament_id is None else source_of(connection, match.tournament_id)
    return LiveTable(match, source if source is not None and source.settled else None, beside, shared)
