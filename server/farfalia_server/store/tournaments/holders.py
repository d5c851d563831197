"""Who holds the entries of a tournament now, and so sits where bots that were replaced had a seat."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from farfalia_server.store.matches.values import Seat
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.rows import to_entrant


def seats_of_holders(connection: Connection, tournament_id: int | None, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return the seats of a match that is to be played again: bots that have taken over entries sit for the former."""
    entrant = schema.entrant
    replaced = select(entrant).where(entrant.c.tournament_id == tournament_id, entrant.c.former.is_not(None))
    entries = [] if tournament_id is None else list(map(to_entrant, connection.execute(replaced)))
    now = {former.bot_id: entry.seat for entry in entries for former in entry.former}
    return tuple(now.get(seat.bot_id, seat) for seat in seats)
