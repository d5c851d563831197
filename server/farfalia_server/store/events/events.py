"""Events: making, changing, publishing and closing them, and what they pin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import Connection, Row, exists, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from farfalia_server.contract.bounds import EVENT_NAME
from farfalia_server.contract.errors import AlreadyExists, FailedPrecondition, NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, log_of_event
from farfalia_server.store.changes import Topic
from farfalia_server.store.events.values import Event, EventCaps, EventTimes, MemberRole, RatedOn
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.values import TournamentState

_event, _member, _tournament = schema.event, schema.event_member, schema.tournament
#: Tournaments that are not over.
_OPEN = (TournamentState.PLANNED, TournamentState.RUNNING)
_MEMBERS = select(func.count()).where(_member.c.event == _event.c.name).scalar_subquery().label("members")


class Events(Part):
    """The events."""

    async def create(self, event: Event, organiser: int | None, who: str) -> Event:
        """Store an event, as a draft, with its first organiser; AlreadyExists if the name is taken."""

        def work(connection: Connection) -> Event:
            connection.execute(insert(_event).values(name=event.name, created=now(), **_values(event)))
            if organiser is not None:
                first = {"event": event.name, "account_id": organiser, "role": MemberRole.ORGANISER, "team": ""}
                connection.execute(insert(_member).values(joined=now(), **first))
            log_of_event(connection, event.name, Act.CREATE, who)
            return _read(connection, event.name)

        try:
            return await self._told(work)
        except IntegrityError:
            raise AlreadyExists(
                said("there is already an event %(event)r; choose another name", event=event.name)
            ) from None

    async def change(self, event: Event, who: str) -> Event:
        """Replace all of an event but its name and members; NotFound, FailedPrecondition if it is closed, or if it has
        a revision and is not as it was at that one (EVENT_CHANGED).
        """

        def work(connection: Connection) -> Event:
            before = open_event(connection, event.name)
            if event.revision and event.revision != before.revision:
                text = said(
                    "somebody has changed %(event)s meanwhile; look at it again, then change the rest", event=event.name
                )
                raise FailedPrecondition(text, "EVENT_CHANGED")
            changed = [name for name, value in _values(event).items() if _values(before)[name] != value]
            if changed:
                log_of_event(connection, event.name, Act.CHANGE, who, reason=", ".join(changed))
            values = _values(event) | {"revision": before.revision + 1}
            # Of two at once, the second changes no row, and sees what the first has done.
            same = (_event.c.name == event.name, _event.c.revision == before.revision)
            if not connection.execute(update(_event).where(*same).values(values)).rowcount:
                raise FailedPrecondition(
                    said("somebody changes %(event)s at this moment; try again", event=event.name), "EVENT_CHANGED"
                )
            return _read(connection, event.name)

        return await self._told(work)

    async def publish(self, name: str, who: str) -> Event:
        """Show an event to everybody; may be repeated. NotFound, FailedPrecondition if it is closed."""

        def work(connection: Connection) -> Event:
            open_event(connection, name)
            draft = (_event.c.name == name, _event.c.published.is_(None))
            if connection.execute(update(_event).where(*draft).values(published=now())).rowcount:
                log_of_event(connection, name, Act.PUBLISH, who)
            return _read(connection, name)

        return await self._told(work)

    async def close(self, name: str, who: str) -> Event:
        """Close an event and its ladders for good; FailedPrecondition while a tournament of it is not over."""

        def work(connection: Connection) -> Event:
            open_event(connection, name)
            playing = select(_tournament.c.id).where(_tournament.c.event == name, _tournament.c.state.in_(_OPEN))
            numbers = connection.execute(playing.order_by(_tournament.c.id)).scalars().all()
            if numbers:
                listed = ", ".join(map(str, numbers))
                text = said(
                    "tournaments of %(name)s that are not over: %(listed)s; finish or cancel them first",
                    name=name,
                    listed=listed,
                )
                raise FailedPrecondition(text, "EVENT_PLAYING")
            moment = now()
            ladder = schema.ladder
            of_event = (ladder.c.event == name, ladder.c.closed.is_(None))
            connection.execute(update(ladder).where(*of_event).values(closed=moment))
            connection.execute(update(_event).where(_event.c.name == name).values(closed=moment))
            log_of_event(connection, name, Act.CLOSE, who)
            return _read(connection, name)

        return await self._told(work)

    async def get(self, name: str) -> Event:
        """Return the event of that name; NotFound."""
        return await self._database.read(lambda connection: _read(connection, name))

    async def all(self, account: int | None = None, *, drafts: bool = False) -> list[Event]:
        """Return events, the newest first: published ones, those of which an account is a member, or all."""
        statement = select(_event, _MEMBERS).order_by(_event.c.created.desc(), _event.c.name)
        if not drafts:
            own = exists().where(_member.c.event == _event.c.name, _member.c.account_id == account)
            statement = statement.where(or_(_event.c.published.is_not(None), own))
        return await self._database.read(lambda connection: list(map(_to_event, connection.execute(statement))))

    async def _told(self, work: Callable[[Connection], Event]) -> Event:
        """Write something, and tell of it."""
        event = await self._database.write(work)
        self._changes.tell(Topic.EVENT, 0)
        return event

    async def pinning(self, bot: int) -> Event | None:
        """Return an event that pins the version of a bot now: entries are frozen, and a tournament is not over."""
        entrant = schema.entrant
        statement = (
            select(_event, _MEMBERS)
            .join(_tournament, _tournament.c.event == _event.c.name)
            .join(entrant, entrant.c.tournament_id == _tournament.c.id)
            .where(
                entrant.c.bot_id == bot,
                entrant.c.gone.is_(None),
                _tournament.c.state.in_(_OPEN),
                _event.c.freezes <= now(),
            )
            .limit(1)
        )
        row = await self._database.read(lambda connection: connection.execute(statement).first())
        return None if row is None else _to_event(row)


def open_event(connection: Connection, name: str) -> Event:
    """Return the event of that name; NotFound, FailedPrecondition (EVENT_CLOSED)."""
    event = _read(connection, name)
    if event.closed is not None:
        raise FailedPrecondition(
            said("the event %(name)s is closed, so nothing in it changes", name=name), "EVENT_CLOSED"
        )
    return event


def _read(connection: Connection, name: str) -> Event:
    # A text that cannot be a name is not looked up, since not every database takes any text.
    named = EVENT_NAME.fullmatch(name)
    row = connection.execute(select(_event, _MEMBERS).where(_event.c.name == name)).first() if named else None
    if row is None:
        raise NotFound(said("there is no event %(name)s", name=quoted(name)), "EVENT_UNKNOWN")
    return _to_event(row)


def _values(event: Event) -> dict[str, Any]:
    """Return the columns that a request gives."""
    return {
        "title": event.title,
        "about": event.about,
        "zone": event.zone,
        "rated_on": event.rated_on,
        "by_invitation": event.by_invitation,
        "caps": asdict(event.caps),
        **{time.name: getattr(event.times, time.name) for time in fields(EventTimes)},
    }


def _to_event(row: Row[*tuple[Any, ...]]) -> Event:
    return Event(
        name=row.name,
        title=row.title,
        about=row.about,
        zone=row.zone,
        rated_on=RatedOn(row.rated_on),
        by_invitation=row.by_invitation,
        times=EventTimes(row.opens, row.closes, row.freezes, row.starts, row.ends),
        caps=EventCaps(**row.caps),
        created=row.created,
        published=row.published,
        closed=row.closed,
        members=row.members,
        revision=row.revision,
    )
