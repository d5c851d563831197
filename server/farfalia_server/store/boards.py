"""Which boards are in play: as long as one is, its cards are shown to no one.

This is the only place that decides it, and SQL alone does, so that a restart or another node changes nothing. Matches
share their cards if they are of one tournament and on one board; every other match has a secret of its own.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, case, exists, func, literal, select

from farfalia_server.store import schema
from farfalia_server.store.values import MatchState

_match = schema.match
_other = schema.match.alias("other")
_void = schema.void_attempt


def _plays_the_same(attempt: ColumnElement[int]) -> ColumnElement[bool]:
    """Return whether `other` has yet to end on the board of this attempt of a row of `match`.

    A match that was void is played again on a board of its own, which no other match ever has (`rows.board_name`), and
    never comes back to the first one: only first attempts share their cards.
    """
    return and_(
        _other.c.tournament_id == _match.c.tournament_id,
        _other.c.board == _match.c.board,
        attempt == 1,
        _other.c.attempt == 1,
        _other.c.state.in_((MatchState.PLANNED, MatchState.QUEUED, MatchState.RUNNING)),
    )


#: How many matches have yet to end on the board of a row of `match`.
STILL_PLAYING = select(func.count()).where(_plays_the_same(_match.c.attempt)).correlate(_match).scalar_subquery()

#: Whether the cards of a row of `match` may be seen: it is finished, and so is every match on its board.
OPEN = case(
    (_match.c.state != MatchState.FINISHED, literal(False)),
    else_=~exists(select(literal(1)).where(_plays_the_same(_match.c.attempt)).correlate(_match)),
)

#: Whether the cards of a row of `void_attempt`, joined to its `match`, may be seen.
VOID_OPEN = ~exists(select(literal(1)).where(_plays_the_same(_void.c.attempt)).correlate(_match, _void))
