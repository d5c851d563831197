"""Entrants' numbers in a schedule: drawn at the start, when nothing can be added to the secret any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, select, update

from farfalia_server.store.matches.planned import index_bots
from farfalia_server.store.matches.rows import from_seats, to_seats
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import in_parts
from farfalia_server.store.tournaments.rows import to_entrant


@dataclass(frozen=True, slots=True)
class DrawResult:
    """What follows from a secret: `order[k]` is the entrant with number k, `seed` decides the draws of stages."""

    order: tuple[int, ...]
    seed: str


#: Draws from a secret, its nonces, and the number of entrants.
Draw = Callable[[bytes, Sequence[bytes], int], DrawResult]


def allot(connection: Connection, tournament_id: int, nonces: Sequence[bytes], draw: Draw) -> None:
    """Store the seed, and seat the drawn entrants in every match that waits for the start."""
    tournament, match, index = schema.tournament, schema.match, schema.match_bot
    secret = connection.execute(select(tournament.c.secret).filter_by(id=tournament_id)).scalar_one()
    entered = connection.execute(select(schema.entrant).filter_by(tournament_id=tournament_id))
    entrants = sorted(map(to_entrant, entered), key=lambda entrant: entrant.number)
    drawn = draw(secret, nonces, len(entrants))
    connection.execute(update(tournament).where(tournament.c.id == tournament_id).values(seed=drawn.seed))
    seat_of = {
        planned.bot_id: there.seat
        for planned, there in zip(entrants, (entrants[number] for number in drawn.order), strict=True)
    }
    of_tournament = match.c.tournament_id == tournament_id
    connection.execute(delete(index).where(index.c.match_id.in_(select(match.c.id).where(of_tournament))))
    planned = list(in_parts(connection, select(match.c.id, match.c.seats).where(of_tournament)))
    statement = update(match).where(match.c.id == bindparam("of")).values(seats=bindparam("seated"))
    for rows in planned:
        seated = {row.id: tuple(seat_of[seat.bot_id] for seat in to_seats(row.seats, None)) for row in rows}
        values = [{"of": match_id, "seated": from_seats(seats)} for match_id, seats in seated.items()]
        connection.execute(statement, values)
        index_bots(connection, seated.items())
