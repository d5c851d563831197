"""Friends who gather by a link: who is there, until their match begins, the host leaves, or time is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from farfalia_engine import TimeControl
from farfalia_server.contract.errors import FailedPrecondition, NotFound, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.changes import Topic
from farfalia_server.store.matches.challenges import Challenger
from farfalia_server.store.matches.planned import plan_in
from farfalia_server.store.matches.rows import from_time_control
from farfalia_server.store.matches.values import ACTIVE, MatchState
from farfalia_server.store.part import Part
from farfalia_server.store.people.bots import to_bot
from farfalia_server.store.people.values import Bot
from farfalia_server.store.sql import schema

#: How long one waits for its match.
LASTS: Final = timedelta(hours=2)
_HOUR: Final = timedelta(hours=1)
_gathering, _person = schema.gathering, schema.gathering_person
_OPEN = (_gathering.c.match_id.is_(None), _gathering.c.closed.is_(None))


@dataclass(frozen=True, slots=True)
class Gathering:
    """Who waits at a table: `people` in the order in which they came, `playing` those of them who sit in a match now.

    `house` is the house bot for seats that stay empty; `match_id` is None until it has begun.
    """

    id: int
    key: str
    host_id: int
    ruleset: str
    house: str
    time_control: TimeControl
    expires: datetime
    closed: bool
    match_id: int | None
    people: tuple[Bot, ...]
    playing: frozenset[int]

    @property
    def expired(self) -> bool:
        """Whether it has not begun in time."""
        return self.match_id is None and self.expires <= now()

    def has(self, bot_id: int) -> bool:
        """Return whether somebody is there."""
        return any(one.id == bot_id for one in self.people)


class Gatherings(Part):
    """All gatherings. Nothing tells of them: pages ask."""

    async def open(
        self, key: str, host_id: int, ruleset: str, house: str, control: TimeControl, *, hourly: int
    ) -> Gathering:
        """Open one with its host; ResourceExhausted (CHALLENGES_TOO_FAST)."""
        moment = now()
        row = {
            "key": key,
            "host_id": host_id,
            "ruleset": ruleset,
            "house": house,
            "time_control": from_time_control(control),
            "made": moment,
            "expires": moment + LASTS,
        }

        def open(connection: Connection) -> Gathering:
            late = select(func.count()).where(_gathering.c.host_id == host_id, _gathering.c.made > moment - _HOUR)
            if (count := connection.execute(late).scalar_one()) >= hourly:
                text = said("you have opened %(count)s tables within an hour; try again later", count=count)
                raise ResourceExhausted(text, "CHALLENGES_TOO_FAST", retry=_HOUR.total_seconds())
            number = connection.execute(insert(_gathering).values(row).returning(_gathering.c.id)).scalar_one()
            _sit_down(connection, number, host_id)
            return _read(connection, _gathering.c.id == number)

        return await self._database.write(open)

    async def get(self, key: str) -> Gathering:
        """Return the one with this key; NotFound (GATHERING_UNKNOWN)."""
        return await self._database.read(lambda connection: _read(connection, _gathering.c.key == key))

    async def of_person(self, bot_id: int) -> Gathering:
        """Return the one at which somebody is; NotFound (GATHERING_UNKNOWN)."""
        there = _gathering.c.id == select(_person.c.gathering_id).where(_person.c.bot_id == bot_id).scalar_subquery()
        return await self._database.read(lambda connection: _read(connection, there))

    async def join(self, key: str, bot_id: int, seats: int) -> Gathering:
        """Take a place at a table of this many seats; FailedPrecondition (GATHERING_BEGUN, …_CLOSED, …_FULL)."""

        def join(connection: Connection) -> Gathering:
            found = _held(connection, key)
            if found.has(bot_id):
                return found
            _check_open(found)
            if len(found.people) >= seats:
                raise FailedPrecondition(
                    said("all %(seats)s seats of this table are taken", seats=seats), "GATHERING_FULL"
                )
            _sit_down(connection, found.id, bot_id)
            return _read(connection, _gathering.c.id == found.id)

        return await self._database.write(join)

    async def leave(self, key: str, bot_id: int) -> Gathering:
        """Give a place up, which changes nothing for who has none; FailedPrecondition (GATHERING_BEGUN)."""

        def leave(connection: Connection) -> Gathering:
            found = _held(connection, key)
            if found.match_id is not None:
                raise _begun(found)
            connection.execute(delete(_person).where(_person.c.bot_id == bot_id, _person.c.gathering_id == found.id))
            _close_of(connection, bot_id, _gathering.c.id == found.id)
            return _read(connection, _gathering.c.id == found.id)

        return await self._database.write(leave)

    async def begin(
        self, key: str, people: Sequence[int], row: dict[str, Any], challenger: Challenger
    ) -> Gathering | None:
        """Queue the match of this row; None if others are there than these, who were read before.

        One that has begun stays as it is. FailedPrecondition (GATHERING_CLOSED), and as `Matches.plan`.
        """

        def begin(connection: Connection) -> tuple[Gathering | None, int]:
            found = _held(connection, key)
            if found.match_id is not None:
                return found, 0
            _check_open(found)
            if [one.id for one in found.people] != list(people):
                return None, 0
            (match,) = plan_in(connection, [row], challenger)
            connection.execute(update(_gathering).where(_gathering.c.id == found.id).values(match_id=match.id))
            return _read(connection, _gathering.c.id == found.id), match.id

        begun, number = await self._database.write(begin)
        if number:
            self._changes.tell(Topic.MATCH, number, state=MatchState.QUEUED)
        return begun

    async def forget(self, before: datetime) -> None:
        """Delete those that were opened before a moment."""

        def forget(connection: Connection) -> None:
            old = select(_gathering.c.id).where(_gathering.c.made < before)
            connection.execute(delete(_person).where(_person.c.gathering_id.in_(old)))
            connection.execute(delete(_gathering).where(_gathering.c.made < before))

        await self._database.write(forget)


def _sit_down(connection: Connection, number: int, bot_id: int) -> None:
    """Put somebody at a gathering, and take the same person from any other."""
    # Of two at once, the second waits for the first.
    connection.execute(update(schema.bot).where(schema.bot.c.id == bot_id).values(seen=now()))
    connection.execute(delete(_person).where(_person.c.bot_id == bot_id))
    _close_of(connection, bot_id, _gathering.c.id != number)
    connection.execute(insert(_person).values(bot_id=bot_id, gathering_id=number, joined=now()))


def _close_of(connection: Connection, host_id: int, which: ColumnElement[bool]) -> None:
    """Close those of a host that have not begun."""
    own = (_gathering.c.host_id == host_id, which, *_OPEN)
    connection.execute(update(_gathering).where(*own).values(closed=now()))


def _held(connection: Connection, key: str) -> Gathering:
    """Return a gathering that nobody else changes until the transaction ends; NotFound."""
    connection.execute(update(_gathering).where(_gathering.c.key == key).values(key=key))
    return _read(connection, _gathering.c.key == key)


def _check_open(found: Gathering) -> None:
    if found.match_id is not None:
        raise _begun(found)
    if found.closed or found.expired:
        raise FailedPrecondition(
            said("this table is closed: its host has left")
            if found.closed
            else said("this table is closed: its host has not begun in time"),
            "GATHERING_CLOSED",
        )


def _begun(found: Gathering) -> FailedPrecondition:
    return FailedPrecondition(
        said("this table has begun: it plays match %(match)s", match=found.match_id), "GATHERING_BEGUN"
    )


def _read(connection: Connection, which: ColumnElement[bool]) -> Gathering:
    row = connection.execute(select(_gathering).where(which)).first()
    if row is None:
        raise NotFound(said("no table has this link; ask your host for a new one"), "GATHERING_UNKNOWN")
    bot = schema.bot
    there = (
        select(bot)
        .join(_person, _person.c.bot_id == bot.c.id)
        .where(_person.c.gathering_id == row.id)
        .order_by(bot.c.id != row.host_id, _person.c.joined, bot.c.id)
    )
    people = tuple(map(to_bot, connection.execute(there)))
    index, match = schema.match_bot, schema.match
    sitting = (
        select(index.c.bot_id)
        .join(match, match.c.id == index.c.match_id)
        .where(index.c.bot_id.in_([one.id for one in people]), match.c.state.in_(ACTIVE))
    )
    return Gathering(
        row.id,
        row.key,
        row.host_id,
        row.ruleset,
        row.house,
        TimeControl(**row.time_control),
        row.expires,
        row.closed is not None,
        row.match_id,
        people,
        frozenset(connection.execute(sitting).scalars()),
    )
