"""Storing planned matches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, insert, select, update

from farfalia_engine import TimeControl
from farfalia_server.net.wall_clock import now
from farfalia_server.store.matches.challenges import Challenger, check_challenger
from farfalia_server.store.matches.rows import from_seats, from_time_control, to_match
from farfalia_server.store.matches.values import Match, MatchState, NewMatch, Seat
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import ROWS
from farfalia_server.store.tournaments.values import NewTournament, Tournament

T = TypeVar("T")


def insert_matches(
    connection: Connection,
    tournament_id: int,
    terms: Tournament | NewTournament,
    matches: Sequence[NewMatch],
    *,
    state: MatchState,
    first: int = 1,
) -> None:
    """Insert matches of a tournament, numbered in order."""
    rows = (
        match_values(
            match,
            ruleset=terms.ruleset,
            options=terms.options,
            time_control=terms.time_control,
            state=state,
            tournament_id=tournament_id,
            number=number,
            ladder=terms.ladder,
        )
        for number, match in enumerate(matches, start=first)
    )
    table = schema.match
    of_tournament = select(table.c.id).where(table.c.tournament_id == tournament_id).order_by(table.c.number)
    for chunk, written in zip(_chunks(rows), _chunks(matches), strict=True):
        connection.execute(insert(table), chunk)
        ids = of_tournament.where(table.c.number.between(chunk[0]["number"], chunk[-1]["number"]))
        match_ids = connection.execute(ids).scalars().all()
        index_bots(connection, zip(match_ids, (match.seats for match in written), strict=True))


def plan_in(connection: Connection, rows: Sequence[Mapping[str, Any]], challenger: Challenger | None) -> list[Match]:
    """Insert matches that belong to no tournament, of these rows, if their challenger may ask for them."""
    if challenger is not None:
        check_challenger(connection, challenger)
    statement = insert(schema.match).returning(schema.match, sort_by_parameter_order=True)
    planned = list(map(to_match, connection.execute(statement, rows)))
    index_bots(connection, ((match.id, match.seats) for match in planned))
    return planned


def index_bots(connection: Connection, matches: Iterable[tuple[int, Iterable[Seat]]]) -> None:
    """Insert the index from bots to their matches."""
    rows = (
        {"bot_id": bot_id, "match_id": match_id}
        for match_id, seats in matches
        for bot_id in {seat.bot_id for seat in seats}
    )
    for chunk in _chunks(rows):
        connection.execute(insert(schema.match_bot), chunk)


def reindex(connection: Connection, match_id: int, before: Sequence[Seat], after: Sequence[Seat]) -> None:
    """Change the index from bots to their matches for a match in which other bots sit now."""
    index = schema.match_bot
    for old, new in zip(before, after, strict=True):
        if old.bot_id != new.bot_id:
            of_seat = (index.c.match_id == match_id, index.c.bot_id == old.bot_id)
            connection.execute(update(index).where(*of_seat).values(bot_id=new.bot_id))


def match_values(
    new: NewMatch,
    *,
    ruleset: str,
    options: Mapping[str, str],
    time_control: TimeControl,
    state: MatchState,
    tournament_id: int | None = None,
    number: int = 0,
    secret: bytes | None = None,
    commitment: bytes | None = None,
    ladder: str = "",
    challenger: int | None = None,
    daily: str | None = None,
) -> dict[str, Any]:
    """Return the row of a match that nobody has claimed yet; `daily` is the day whose board it plays, if it is one."""
    return {
        "tournament_id": tournament_id,
        "round": new.round,
        "number": number,
        "stage": new.stage,
        "table": new.table,
        "replay": new.replay,
        "ruleset": ruleset,
        "options": dict(options),
        "board": new.board,
        "seats": from_seats(new.seats),
        "time_control": from_time_control(time_control),
        "secret": secret,
        "commitment": commitment,
        "state": state,
        "ladder": ladder,
        "challenger": challenger,
        "daily": daily,
        "nonces": None if daily is None else {},  # with those of its bots everyone would have other cards
        "epoch": 0,
        "attempt": 1,
        "node": "",
        "note": "",
        "created": now(),
    }


def _chunks(rows: Iterable[T]) -> Iterator[Sequence[T]]:
    rows = iter(rows)
    while chunk := list(islice(rows, ROWS)):
        yield chunk
