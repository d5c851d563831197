"""Which boards are in play: while one is, nobody may see its cards, nor what anybody made of them.

Only this module decides that, and only from SQL, so that a restart or another node makes no difference. Matches share
their cards if they belong to one tournament and one board, or play the board of one day, which opens at a fixed time;
every other match has a secret of its own. A live table that is watched also asks here for the tables whose progress it
has to wait for.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, Text, and_, bindparam, case, exists, func, literal, not_, or_, select

from farfalia_server.net.wall_clock import now
from farfalia_server.store.matches.values import MatchState
from farfalia_server.store.sql import schema

#: How long the board of a day stays closed after its day: those who have begun may end.
_GRACE: Final = timedelta(hours=1)
_match = schema.match
_other = schema.match.alias("other")
_void, _tournament = schema.void_attempt, schema.tournament


def today() -> str:
    """Return the day whose boards are played now, such as "2026-11-28"."""
    return now().date().isoformat()


def daily_closes(day: str) -> datetime:
    """Return when the last match on a board of this day can begin."""
    return datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC) + timedelta(days=1)


def daily_opens(day: str) -> datetime:
    """Return when the boards of this day open: what ends later does not count."""
    return daily_closes(day) + _GRACE


def is_daily_closed(day: str | None) -> bool:
    """Return whether the cards and the results of a match that plays a board of this day are closed for now."""
    return bool(day) and now() < daily_opens(day or "")


def _first_closed() -> str:
    """Return the first day whose boards are closed."""
    return (now() - _GRACE).date().isoformat()


def _plays_the_same(attempt: ColumnElement[int]) -> ColumnElement[bool]:
    """Return whether `other` is still to finish the board of this attempt of a row of `match`.

    A void match is replayed on a board of its own, which no other match ever has (`rows.board_name`), and never returns
    to the first one: only first attempts share their cards.
    """
    return and_(
        _other.c.tournament_id == _match.c.tournament_id,
        _other.c.board == _match.c.board,
        attempt == 1,
        _other.c.attempt == 1,
        _other.c.state.in_((MatchState.PLANNED, MatchState.QUEUED, MatchState.RUNNING)),
    )


def tables_beside(match_id: int) -> Select[Any]:
    """Return a query of the other matches that are still to finish the board of a match."""
    beside = and_(_plays_the_same(_match.c.attempt), _other.c.id != _match.c.id)
    return select(_other).select_from(_match.join(_other, beside)).where(_match.c.id == match_id)


def others_on_board(match_id: int) -> Select[Any]:
    """Return a query of how many other matches have, or had, the same cards as a match."""
    same = (_other.c.tournament_id == _match.c.tournament_id, _other.c.board == _match.c.board)
    beside = and_(*same, _match.c.attempt == 1, _other.c.id != _match.c.id)
    return select(func.count()).select_from(_match.join(_other, beside)).where(_match.c.id == match_id)


def opened(match_ids: Collection[int]) -> Select[Any]:
    """Return a query of those of these matches that may be seen, with what opened them: the last of `finished`, of
    `ended` (a match beside it, which ended with its tournament if that was cancelled) and of `left` (an attempt beside
    it that is void, so that its match has another board).
    """
    same = (_other.c.tournament_id == _match.c.tournament_id, _other.c.board == _match.c.board, _match.c.attempt == 1)
    beside = select(func.max(func.coalesce(_other.c.finished, _tournament.c.ended))).join_from(_other, _tournament)
    ended = beside.where(*same, _other.c.attempt == 1).correlate(_match)
    void = (_void.c.match_id == _other.c.id, _void.c.attempt == 1, _other.c.attempt > 1)
    left = select(func.max(_void.c.voided)).where(*same, *void).correlate(_match)
    columns = (_match.c.id, _match.c.daily, _match.c.finished, ended.label("ended"), left.label("left"))
    return select(*columns).where(_match.c.id.in_(match_ids), OPEN)


#: How many matches are still to finish the board of a row of `match`.
STILL_PLAYING = select(func.count()).where(_plays_the_same(_match.c.attempt)).correlate(_match).scalar_subquery()

# The time is that of each query, so the statements can be built once.
_open_by_day = or_(_match.c.daily.is_(None), _match.c.daily < bindparam(None, callable_=_first_closed, type_=Text))

#: Whether the cards and the result of a row of `match` may be seen: it is finished, and so is every match on its board.
OPEN = case(
    (_match.c.state != MatchState.FINISHED, literal(False)),
    (not_(_open_by_day), literal(False)),
    else_=~exists(select(literal(1)).where(_plays_the_same(_match.c.attempt)).correlate(_match)),
)

#: Whether the cards of a row of `void_attempt`, joined to its `match`, may be seen.
VOID_OPEN = and_(
    _open_by_day, ~exists(select(literal(1)).where(_plays_the_same(_void.c.attempt)).correlate(_match, _void))
)
