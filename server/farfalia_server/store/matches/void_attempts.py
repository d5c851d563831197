"""Void attempts of matches: how many, why, and with which cards.

A void match is replayed with other cards. So a server could void attempts until it likes the cards; the defence is that
everybody can count these attempts and deal their cards again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select

from farfalia_engine import board_key
from farfalia_server.store.matches import boards
from farfalia_server.store.matches.rows import board_name
from farfalia_server.store.matches.values import MatchState, Source, VoidAttempt, VoidReason
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.nonces import source_of, source_of_match
from farfalia_server.store.tournaments.values import TournamentState

#: The reasons that are faults of the server.
FAULTS = (VoidReason.UNPLAYABLE, VoidReason.JOURNAL_LOST, VoidReason.SERVER_FAILED)

_void, _match, _tournament = schema.void_attempt, schema.match, schema.tournament


class VoidAttempts(Part):
    """Void attempts."""

    async def newest(
        self, *, tournament_id: int | None = None, ladder: str = "", limit: int = 100, before: int | None = None
    ) -> list[VoidAttempt]:
        """Return void attempts, newest first, with numbers below `before`: of a tournament, of a ladder, or all."""
        names = ("tournament_id", "number", "ruleset", "options", "board", "state", "secret", "commitment", "nonces")
        columns = (_match.c[name] for name in (*names, "daily"))
        statement = (
            select(_void, *columns, _tournament.c.state.label("tournament_state"), boards.VOID_OPEN.label("open"))
            .join_from(_void, _match)
            .outerjoin(_tournament, _tournament.c.id == _match.c.tournament_id)
            .order_by(_void.c.id.desc())
            .limit(limit)
        )
        if tournament_id is not None:
            statement = statement.where(_match.c.tournament_id == tournament_id)
        if ladder:
            statement = statement.where(_match.c.tournament_id.is_(None), _match.c.ladder == ladder)
        if before is not None:
            statement = statement.where(_void.c.id < before)

        def read(connection: Connection) -> tuple[Sequence[Row[*tuple[Any, ...]]], dict[int, Source]]:
            rows = connection.execute(statement).all()
            numbers = {row.tournament_id for row in rows if row.tournament_id}
            return rows, {number: source_of(connection, number) for number in numbers}

        rows, sources = await self._database.read(read)
        return [_to_void_attempt(row, sources.get(row.tournament_id) or source_of_match(row)) for row in rows]

    async def counts(self, tournament_ids: Iterable[int]) -> dict[int, int]:
        """Return the number of void attempts in each of these tournaments."""
        ids = set(tournament_ids)
        statement = (
            select(_match.c.tournament_id, func.count())
            .join_from(_void, _match)
            .where(_match.c.tournament_id.in_(ids))
            .group_by(_match.c.tournament_id)
        )
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return dict.fromkeys(ids, 0) | {row[0]: row[1] for row in rows}

    async def of_ladders(self) -> dict[str, int]:
        """Return the number of void attempts on each ladder, open or closed, without ladders that have none."""
        statement = (
            select(_match.c.ladder, func.count())
            .join_from(_void, _match)
            .where(_match.c.tournament_id.is_(None), _match.c.ladder != "")
            .group_by(_match.c.ladder)
        )
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row[0]: row[1] for row in rows}


def faults(connection: Connection, match_id: int) -> int:
    """Return how many attempts of a match are void by a fault of the server."""
    statement = select(func.count()).where(_void.c.match_id == match_id, _void.c.reason.in_(FAULTS))
    return connection.execute(statement).scalar_one()


def outages(connection: Connection, match_id: int) -> int:
    """Return how often a match, or one in whose place it is played, is void since the network had failed."""
    found = 0
    before: int | None = match_id
    while before is not None:
        statement = select(func.count()).where(_void.c.match_id == before, _void.c.reason == VoidReason.NETWORK)
        found += connection.execute(statement).scalar_one()
        tournament = select(_match.c.tournament_id).where(_match.c.id == before).scalar_subquery()
        replaced = select(_match.c.id).where(_match.c.tournament_id == tournament, _match.c.replaced_by == before)
        before = connection.execute(replaced).scalar_one_or_none()
    return found


def remember(
    connection: Connection, match_id: int, attempt: int, reason: VoidReason, text: str, moment: datetime
) -> None:
    """Store a void attempt, in the transaction that voids it."""
    values = {"match_id": match_id, "attempt": attempt, "reason": reason, "text": text, "voided": moment}
    connection.execute(insert(_void), values)


def _to_void_attempt(row: Row[*tuple[Any, ...]], source: Source) -> VoidAttempt:
    board = board_name(row.board, row.number, row.attempt)
    dealt = bool(row.open) and source.settled
    return VoidAttempt(
        id=row.id,
        match_id=row.match_id,
        tournament_id=row.tournament_id,
        ruleset=row.ruleset,
        attempt=row.attempt,
        board=board,
        open=bool(row.open),
        reason=VoidReason(row.reason),
        text=row.text if row.open else "",
        voided=row.voided,
        source=source if _secret_is_public(row) else replace(source, secret=b""),
        key=board_key(source.secret, source.nonces, board) if dealt else b"",
    )


def _secret_is_public(row: Row[*tuple[Any, ...]]) -> bool:
    """Return whether nothing more can be played with the secret of a tournament,
    or of a ladder match.
    """
    if row.tournament_id is None:
        return MatchState(row.state).over and not boards.is_daily_closed(row.daily)
    return TournamentState(row.tournament_state).over
