"""Searching matches: finished ones by time of end, others by number. The request decides which index is used."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Row,
    Select,
    and_,
    exists,
    func,
    literal,
    literal_column,
    or_,
    select,
    union_all,
)

from farfalia_server.contract.errors import NotFound
from farfalia_server.contract.said import said
from farfalia_server.store.matches import boards
from farfalia_server.store.matches.matches import with_record_open
from farfalia_server.store.matches.values import Match, MatchState
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema

#: Rows that are made into values at once, some four milliseconds' work.
_ROWS = 50
_match, _seat, _seated = schema.match, schema.seat_result, schema.match_bot
_there, _rival = schema.match_bot.alias("there"), schema.seat_result.alias("rival")
#: Literally as in the indexes of finished matches: a database does not use those for a bound parameter.
_FINISHED = _match.c.state == literal_column("'finished'")
_STRUCK = _seat.c.strikes > literal_column("0")
#: The same of the index of games, which only a search by game alone is to use.
_NUMBERED = _match.c.id > literal_column("0")


@dataclass(frozen=True, slots=True)
class WantedMatches:
    """Which matches to search; `version` and `place` are those of the bot, and only finished matches have them.

    `place` leaves out matches whose results are withheld, `strikes` those without a strike: of the bot, if one is
    named. `event` leaves out matches outside of its tournaments, `since` those that ended before. `newest` leaves out
    all but as many of the last finished matches of the bot, of the ruleset, the version, the event and the time; 0
    leaves out none.
    """

    states: Collection[MatchState] = ()
    tournament_id: int | None = None
    ruleset: str = ""
    ladder: str = ""
    bot_id: int | None = None
    against_id: int | None = None
    version: str = ""
    place: int = 0
    strikes: bool = False
    newest: int = 0
    seats: int = 0
    challenger: int | None = None
    event: str = ""
    since: datetime | None = None

    @property
    def ended_only(self) -> bool:
        """Whether only finished matches can match."""
        return bool(self.version or self.place or self.strikes or self.newest or self.since) or list(self.states) == [
            MatchState.FINISHED
        ]


_ANY = WantedMatches()
#: What says among which matches the newest ones are counted.
_WINDOW = ("ruleset", "bot_id", "version", "event", "since")


class MatchSearch(Part):
    """The search for matches."""

    async def newest(self, wanted: WantedMatches = _ANY, limit: int = 100, before: int | None = None) -> list[Match]:
        """Return matches, newest first, those after the match `before` in this order; finished ones by time of end.

        NotFound if that match has to be finished and is not.
        """
        numbers, rows = await self._database.read(lambda connection: _newest(connection, wanted, limit, before))
        matches: dict[int, Match] = {}
        for first in range(0, len(rows), _ROWS):
            part = rows[first : first + _ROWS]
            matches |= {row.id: with_record_open(row) for row in part}
            await asyncio.sleep(0)  # a long list has thousands of rows, and bots with clocks wait
        return [matches[number] for number in numbers]

    async def opened(self, numbers: Collection[int]) -> dict[int, datetime]:
        """Return since when the results of these matches may be seen, without those that may not."""
        rows = await self._database.read(lambda connection: connection.execute(boards.opened(numbers)).all())
        days = {row.id: boards.daily_opens(row.daily) if row.daily else None for row in rows}
        return {row.id: max(filter(None, (row.finished, row.ended, row.left, days[row.id]))) for row in rows}

    async def newest_numbers(self, wanted: WantedMatches = _ANY, limit: int = 100) -> list[int]:
        """Return the numbers of the matches that `newest` returns, without their rows."""
        return await self._database.read(lambda connection: _numbers(connection, wanted, limit, None))


def _newest(
    connection: Connection, wanted: WantedMatches, limit: int, before: int | None
) -> tuple[list[int], Sequence[Row[Any]]]:
    """Return the numbers of matches in their order, and their rows in any."""
    numbers = _numbers(connection, wanted, limit, before)
    found = select(_match, boards.OPEN.label("record_open")).where(_match.c.id.in_(numbers))
    return numbers, connection.execute(found).all() if numbers else []


def _numbers(connection: Connection, wanted: WantedMatches, limit: int, before: int | None) -> list[int]:
    """Return the numbers of matches in their order."""
    position: tuple[Any, int] | None = None
    if wanted.ended_only:
        if before is not None:
            asked = select(_match.c.finished).where(_match.c.id == before, _FINISHED)
            ended = connection.execute(asked).scalar()
            if ended is None:
                raise NotFound(
                    said("there is no finished match %(before)s to continue after", before=before), "MATCH_UNKNOWN"
                )
            position = (ended, before)
        statement = _finished(wanted, position).limit(limit)
    else:
        statement = _by_number(wanted, limit, before)
    return [row[0] for row in connection.execute(statement)]


def _finished(wanted: WantedMatches, position: tuple[Any, int] | None) -> Select[Any]:
    """Return a query of the numbers of finished matches: through the bot's seats, or seats with strikes, if either is
    wanted.
    """
    if wanted.bot_id is None and (wanted.tournament_id is not None or not wanted.strikes):
        ended, number = _match.c.finished, _match.c.id
        conditions = [_FINISHED, *of_match(wanted)]
        if wanted.strikes:
            conditions.append(exists(select(literal(1)).where(_seat.c.match_id == number, _STRUCK)))
        statement = select(number)
    else:
        ended, number = _seat.c.ended, _seat.c.match_id
        conditions = [_STRUCK] if wanted.strikes else []
        if wanted.bot_id is not None:
            conditions.append(_seat.c.bot_id == wanted.bot_id)
        if wanted.version:
            conditions.append(_seat.c.version == wanted.version)
        if wanted.place:
            conditions.append(_seat.c.place == wanted.place)
        of_its_match = [*of_match(wanted), *([boards.OPEN] if wanted.place else [])]
        if of_its_match:
            conditions.append(exists(select(literal(1)).where(_match.c.id == number, *of_its_match)))
        statement = select(number, ended).distinct()  # a house bot may have several seats
    if wanted.newest:
        window = replace(_ANY, **{name: getattr(wanted, name) for name in _WINDOW})
        newest = _finished(window, None).limit(wanted.newest).subquery()
        conditions.append(number.in_(select(newest.c.match_id)))
    if wanted.against_id is not None:
        conditions.append(_met(_rival, number, wanted.against_id))
    if position is not None:
        moment, last = position
        conditions += [ended <= moment, or_(ended < moment, and_(ended == moment, number < last))]
    return statement.where(*conditions).order_by(ended.desc(), number.desc())


def _by_number(wanted: WantedMatches, limit: int, before: int | None) -> Select[Any]:
    number = _match.c.id
    statement = select(number).where(*of_match(wanted)).order_by(number.desc()).limit(limit)
    if wanted.bot_id is not None:
        statement = statement.join(_seated).where(_seated.c.bot_id == wanted.bot_id)
    if wanted.against_id is not None:
        statement = statement.where(_met(_there, number, wanted.against_id))
    if before is not None:
        statement = statement.where(number < before)
    if not wanted.states:
        by_game = wanted.ruleset and wanted.tournament_id is None and wanted.bot_id is None
        return statement.where(_NUMBERED) if by_game else statement
    # One query per state: an index has the matches of one state in order.
    each = [statement.where(_match.c.state == state).subquery() for state in wanted.states]
    every = union_all(*(select(one.c.id) for one in each)).subquery()
    return select(every.c.id).order_by(every.c.id.desc()).limit(limit)


def of_match(wanted: WantedMatches) -> list[ColumnElement[bool]]:
    """Return the conditions on the rows of matches alone, without those on seats and states."""
    conditions = []
    if wanted.tournament_id is not None:
        conditions.append(_match.c.tournament_id == wanted.tournament_id)
    if wanted.ruleset:
        conditions.append(_match.c.ruleset == wanted.ruleset)
    if wanted.challenger is not None:
        conditions.append(_match.c.challenger == wanted.challenger)
    if wanted.ladder:
        conditions.append(_match.c.ladder == wanted.ladder)
    if wanted.event:
        of_event = select(schema.tournament.c.id).where(schema.tournament.c.event == wanted.event)
        conditions.append(_match.c.tournament_id.in_(of_event))
    if wanted.since is not None:
        conditions.append(_match.c.finished >= wanted.since)
    if wanted.seats:
        conditions.append(func.json_array_length(_match.c.seats) == wanted.seats)
    return conditions


def _met(seats: FromClause, number: ColumnElement[int], bot_id: int) -> ColumnElement[bool]:
    """Return whether a bot has one of these seats in the match of this number."""
    return exists(select(literal(1)).where(seats.c.bot_id == bot_id, seats.c.match_id == number))
