"""Boards of a day: who has played them, and what house bots made of the same seat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, exists, func, select

from farfalia_server.net.wall_clock import now
from farfalia_server.store.matches import boards
from farfalia_server.store.matches.values import MatchState
from farfalia_server.store.matches.void_attempts import FAULTS
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import insert_into

_match, _seat, _void, _known = schema.match, schema.seat_result, schema.void_attempt, schema.daily_baseline
#: For how long what house bots make of a board is still worked out.
_LATE: Final = timedelta(days=2)
#: A match that is void by a fault of the server counts for nobody: its person begins anew.
_by_fault = exists().where(_void.c.match_id == _match.c.id, _void.c.reason.in_(FAULTS)).correlate(_match)


@dataclass(frozen=True, slots=True)
class DailyEntry:
    """What a person made of the board of a day: the points and the place in its match."""

    match_id: int
    bot_id: int
    points: int
    place: int


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A board of a day that somebody plays, and the house bots whose points are known."""

    day: str
    ruleset: str
    secret: bytes = field(repr=False)
    known: frozenset[str]


class DailyBoards(Part):
    """The boards of all days."""

    async def entries(self, day: str, ruleset: str) -> list[DailyEntry]:
        """Return the results of a board, best first: of each person its first match, if that has ended in time."""
        played = (_seat.c.match_id == _match.c.id) & (_seat.c.bot_id == -_match.c.challenger)
        statement = (
            select(_match.c.id, _seat.c.bot_id, _seat.c.points, _seat.c.place)
            .join_from(_match, _seat, played)
            .where(
                _match.c.id.in_(_firsts(day, ruleset)),
                _match.c.state == MatchState.FINISHED,
                _match.c.finished < boards.daily_opens(day),
            )
            .order_by(_seat.c.points.desc(), _match.c.id)
        )
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [DailyEntry(*row) for row in rows]

    async def of_person(self, day: str, ruleset: str, bot_id: int) -> tuple[int, bool]:
        """Return the number of a person's match on a board that counts, 0 for none, and whether it has played the board
        to the end, in that match or in a later one.
        """
        own = _match.c.challenger == -bot_id
        ended = select(_match.c.id).where(*_on(day, ruleset), own, _match.c.state == MatchState.FINISHED).limit(1)

        def read(connection: Connection) -> tuple[int, bool]:
            first = connection.execute(_firsts(day, ruleset).where(own)).scalar()
            return first or 0, connection.execute(ended).first() is not None

        return await self._database.read(read)

    async def neighbours(self, day: str, ruleset: str) -> tuple[str, str]:
        """Return the days before and after this one on which persons have begun a game's board; empty if none is."""
        begun = _match.c.daily.is_not(None), _match.c.ruleset == ruleset
        earlier = select(func.max(_match.c.daily)).where(*begun, _match.c.daily < day)
        later = select(func.min(_match.c.daily)).where(*begun, _match.c.daily > day)

        def read(connection: Connection) -> tuple[str, str]:
            return connection.execute(earlier).scalar() or "", connection.execute(later).scalar() or ""

        return await self._database.read(read)

    async def house_results(self, day: str, ruleset: str) -> dict[str, tuple[int, int]]:
        """Return points and place of the house bots that have played the person's seat."""
        statement = select(_known).where(_known.c.daily == day, _known.c.ruleset == ruleset)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.house: (row.points, row.place) for row in rows}

    async def played(self) -> list[PlayedBoard]:
        """Return the boards of these days that anybody has begun, oldest first."""
        since = (now() - _LATE).date().isoformat()
        begun = (
            select(_match.c.daily, _match.c.ruleset, func.min(_match.c.id).label("first"))
            .where(_match.c.daily.is_not(None), _match.c.daily >= since)
            .group_by(_match.c.daily, _match.c.ruleset)
            .subquery()
        )
        statement = select(begun.c.daily, begun.c.ruleset, _match.c.secret).join(_match, _match.c.id == begun.c.first)
        houses = select(_known.c.daily, _known.c.ruleset, _known.c.house).where(_known.c.daily >= since)

        def read(connection: Connection) -> list[PlayedBoard]:
            known: dict[tuple[str, str], set[str]] = {}
            for row in connection.execute(houses):
                known.setdefault((row.daily, row.ruleset), set()).add(row.house)
            rows = connection.execute(statement.order_by(begun.c.first))
            return [
                PlayedBoard(row.daily, row.ruleset, row.secret, frozenset(known.get((row.daily, row.ruleset), ())))
                for row in rows
            ]

        return await self._database.read(read)

    async def keep(self, day: str, ruleset: str, house: str, points: int, place: int) -> None:
        """Store what a house bot made of the person's seat; what is known stays."""
        row = {"daily": day, "ruleset": ruleset, "house": house, "points": points, "place": place}

        def keep(connection: Connection) -> None:
            connection.execute(insert_into(connection, _known).values(row).on_conflict_do_nothing())

        await self._database.write(keep)


def _on(day: str, ruleset: str) -> Iterable[ColumnElement[bool]]:
    return _match.c.daily.is_not(None), _match.c.daily == day, _match.c.ruleset == ruleset


def _firsts(day: str, ruleset: str) -> Select[Any]:
    """Return a query of the first match of each person on a board, whatever came of it."""
    return select(func.min(_match.c.id)).where(*_on(day, ruleset), ~_by_fault).group_by(_match.c.challenger)
