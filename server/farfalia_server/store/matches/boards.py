"""Which boards are in play: while one is, nobody may see its cards, nor what anybody made of them.

Only this module decides that, and only from SQL, so that a restart or another node makes no difference. Matches share
their cards if they belong to one tournament and one board; every other match has a secret of its own. A live table that
is watched also asks here for the tables whose progress it has to wait for.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, literal, select

from farfalia_server.store.matches.values import MatchState
from farfalia_server.store.sql import schema

_match = schema.match
_other = schema.match.alias("other")
_void, _tournament = schema.void_attempt, schema.tournament


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
    columns = (_match.c.id, _match.c.finished, ended.label("ended"), left.label("left"))
    return select(*columns).where(_match.c.id.in_(match_ids), OPEN)


#: How many matches are still to finish the board of a row of `match`.
STILL_PLAYING = select(func.count()).where(_plays_the_same(_match.c.attempt)).correlate(_match).scalar_subquery()

#: Whether the cards and the result of a row of `match` may be seen: it is finished, and so is every match on its board.
OPEN = case(
    (_match.c.state != MatchState.FINISHED, literal(False)),
    else_=~exists(select(literal(1)).where(_plays_the_same(_match.c.attempt)).correlate(_match)),
)

#: Whether the cards of a row of `void_attempt`, joined to its `match`, may be seen.
VOID_OPEN = ~exists(select(literal(1)).where(_plays_the_same(_void.c.attempt)).correlate(_match, _void))
