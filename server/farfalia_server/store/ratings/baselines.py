"""The house bots' points on boards with a single table: computed once, stored for good."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, Select, Text, bindparam, case, cast, exists, func, select

from farfalia_server.store.changes import Topic
from farfalia_server.store.matches.rows import board_name
from farfalia_server.store.matches.values import MatchState
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import insert_into
from farfalia_tournaments.schedules import Boards


@dataclass(frozen=True, slots=True)
class LoneBoard:
    """A finished board with a single table, and what is needed to deal it again."""

    match_id: int
    tournament_id: int
    board: str
    ruleset: str
    options: Mapping[str, str]
    secret: bytes = field(repr=False)
    nonces: tuple[bytes, ...]


class Baselines(Part):
    """Points by seat, by tournament and board."""

    async def of(self, tournament_id: int) -> dict[str, tuple[int, ...]]:
        """Return the known points, by board of a tournament."""
        table = schema.baseline
        statement = select(table.c.board, table.c.points).where(table.c.tournament_id == tournament_id)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.board: tuple(row.points) for row in rows}

    async def count(self, tournament_id: int) -> int:
        """Return for how many boards of a tournament points are known."""
        table = schema.baseline
        statement = select(func.count()).select_from(table).where(table.c.tournament_id == tournament_id)
        return await self._database.read(lambda connection: connection.execute(statement).scalar_one())

    async def missing(self, *, after: int = 0, limit: int = 100, tournament_id: int | None = None) -> list[LoneBoard]:
        """Return boards without points, by their matches, which have numbers greater than `after`, oldest first."""
        statement = _LONE.where(schema.match.c.id > after).order_by(schema.match.c.id).limit(limit)
        if tournament_id is not None:
            statement = statement.where(schema.match.c.tournament_id == tournament_id)
        return await self._lone_boards(statement)

    async def missing_of(self, match_ids: Iterable[int]) -> list[LoneBoard]:
        """Return, of the boards of these matches, those without points."""
        return await self._lone_boards(_LONE_OF, wanted=list(set(match_ids)))

    async def keep(self, points: Mapping[tuple[int, str], tuple[int, ...]]) -> None:
        """Store points by tournament and board; existing ones stay."""
        if not points:
            return
        rows = [
            {"tournament_id": tournament_id, "board": board, "points": list(values)}
            for (tournament_id, board), values in points.items()
        ]

        def keep(connection: Connection) -> None:
            connection.execute(insert_into(connection, schema.baseline).on_conflict_do_nothing(), rows)

        await self._database.write(keep)
        for tournament_id in sorted({tournament_id for tournament_id, _ in points}):
            self._changes.tell(Topic.BASELINE, tournament_id, tournament_id)

    async def _lone_boards(self, statement: Select[tuple[object, ...]], **values: object) -> list[LoneBoard]:
        return await self._database.read(
            lambda connection: list(map(_lone_board, connection.execute(statement, values)))
        )


def _lone_board(row: Row[*tuple[Any, ...]]) -> LoneBoard:
    return LoneBoard(
        row.id,
        row.tournament_id,
        board_name(row.board, row.number, row.attempt),
        row.ruleset,
        row.options,
        row.secret,
        tuple(bytes.fromhex(nonce) for nonce in row.nonces),
    )


def _lone() -> Select[tuple[object, ...]]:
    """Return finished matches, of tournaments that compare boards, with a board of their own that has no points yet."""
    match, tournament, known, other = schema.match, schema.tournament, schema.baseline, schema.match.alias("other")
    again = match.c.board + "." + cast(match.c.number, Text) + "." + cast(match.c.attempt, Text)
    name = case((match.c.attempt == 1, match.c.board), else_=again)  # as `board_name`
    return (
        select(
            match.c.id,
            match.c.tournament_id,
            match.c.board,
            match.c.number,
            match.c.attempt,
            match.c.ruleset,
            match.c.options,
            tournament.c.secret,
            tournament.c.nonces,
        )
        .join_from(match, tournament, match.c.tournament_id == tournament.c.id)
        .where(
            match.c.state == MatchState.FINISHED,
            tournament.c.boards == Boards.DATUM,
            ~exists().where(known.c.tournament_id == match.c.tournament_id, known.c.board == name),
            ~exists().where(
                other.c.tournament_id == match.c.tournament_id,
                other.c.board == match.c.board,
                # A replayed match shares its cards with no other.
                other.c.attempt == 1,
                match.c.attempt == 1,
                other.c.id != match.c.id,
            ),
        )
    )


#: Needed whenever a match has ended, so the statements are built once.
_LONE = _lone()
_LONE_OF = _LONE.where(schema.match.c.id.in_(bindparam("wanted", expanding=True))).order_by(schema.match.c.id)
