"""How matches end, and when in a tournament: each after all that ended before it, whatever a clock says."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, func, literal_column, select, update

from farfalia_server.net.wall_clock import now
from farfalia_server.store.matches.values import MatchState
from farfalia_server.store.sql import schema

#: How far apart ends are at least: events say when to the millisecond.
_APART = timedelta(milliseconds=1)
_match, _void = schema.match, schema.void_attempt
_of_attempt = select(_match.c.tournament_id).where(_match.c.id == _void.c.match_id).scalar_subquery()
#: The last end before, among matches and among void attempts; built once, since every match needs them.
_LAST = select(
    # The state literally, as in the index.
    select(func.max(_match.c.finished))
    .where(_match.c.tournament_id == bindparam("of"), _match.c.state == literal_column("'finished'"))
    .scalar_subquery(),
    # From the newest back: a server has few of them, in all its tournaments.
    select(_void.c.voided).where(_of_attempt == bindparam("of")).order_by(_void.c.id.desc()).limit(1).scalar_subquery(),
)
#: Ends a match under its epoch; changes no row if the caller does not own it.
LEAVE_RUNNING = (
    update(_match)
    .where(
        _match.c.id == bindparam("wanted"),
        _match.c.epoch == bindparam("owned"),
        _match.c.state == MatchState.RUNNING,
    )
    .returning(_match.c.tournament_id, _match.c.stage, _match.c.seats, _match.c.finished)
)


def end_in(connection: Connection, tournament_id: int | None) -> datetime:
    """Return when a match of a tournament, or an attempt of it, ends that ends now; None for a match of a ladder.

    Call it in the transaction that ends it, after it has locked the tournament.
    """
    moment = now()
    if tournament_id is not None:
        for last in connection.execute(_LAST, {"of": tournament_id}).one():
            if last is not None:
                moment = max(moment, last + _APART)
    return moment
