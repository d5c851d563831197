"""An attempt of a match is void: whether the match is played again, or given up."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, select

from farfalia_server.store.matches.ends import LEAVE_RUNNING, end_in
from farfalia_server.store.matches.planned import reindex
from farfalia_server.store.matches.rows import from_seats, not_before, to_seats
from farfalia_server.store.matches.values import MatchState, VoidReason
from farfalia_server.store.matches.void_attempts import faults, remember
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.holders import seats_of_holders
from farfalia_server.store.tournaments.tournaments import end_if_complete, lock_tournament_of

#: Attempts that fail by a fault of the server before a match is given up.
MOST_ATTEMPTS = 5
_match = schema.match


def void_attempt(
    connection: Connection,
    match_id: int,
    epoch: int,
    reason: VoidReason,
    text: str,
    walked_out: Collection[int] = (),
) -> tuple[Row[*tuple[Any, ...]] | None, MatchState, bool]:
    """Void an attempt under its epoch, in the transaction that the caller is in.

    The match is queued again, unless that was its last attempt: see `MOST_ATTEMPTS`. Attempts that are void because
    bots were gone do not count as one of these; a ladder's match is given up then, since a ladder makes others. One on
    the board of a day is given up in any case: on another board it would be another match.

    Returns the match's row, None if it has another owner; its new state; and whether its tournament ended.
    """
    table = schema.match
    lock_tournament_of(connection, match_id)
    statement = select(table.c.attempt, table.c.seats, table.c.tournament_id, table.c.daily).where(
        table.c.id == match_id
    )
    known = connection.execute(statement).first()
    if known is None:
        return None, MatchState.VOID, False
    attempt, moment = known.attempt, end_in(connection, known.tournament_id)
    before = after = to_seats(known.seats, None)
    values: dict[str, Any] = {"note": text, "epoch": epoch + 1}
    if known.daily is not None:
        again = False
    elif reason is VoidReason.ABANDONED:
        again = known.tournament_id is not None
    else:
        again = reason is VoidReason.NETWORK or faults(connection, match_id) + 1 < MOST_ATTEMPTS
    if again:
        values |= {
            "state": MatchState.QUEUED,
            "attempt": attempt + 1,
            "started": None,
            "node": "",
            "versions": None,
        }
        seats = enumerate(before)
        left = tuple(replace(seat, walkouts=seat.walkouts + (at in walked_out)) for at, seat in seats)
        after = seats_of_holders(connection, known.tournament_id, left)
        if after != before:
            values["seats"] = from_seats(after)
    else:
        values |= {"state": MatchState.VOID, "finished": not_before(_match.c.started, moment)}
    leave = LEAVE_RUNNING.values(values)
    row = connection.execute(leave, {"wanted": match_id, "owned": epoch}).first()
    if row is not None:
        reindex(connection, match_id, before, after)
        remember(connection, match_id, attempt, reason, text, moment)
    return row, values["state"], row is not None and end_if_complete(connection, row.tournament_id)
