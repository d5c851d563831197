"""What the organisers of an event tell everybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select

from farfalia_server.contract.errors import NotFound, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, log_of_event
from farfalia_server.store.changes import Topic
from farfalia_server.store.events.values import ARENA
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema

#: How many an event has at a time.
MOST: Final = 50
_announcement = schema.announcement


@dataclass(frozen=True, slots=True)
class Announcement:
    """A text of an event's organisers, by whom and when."""

    id: int
    event: str
    text: str
    who: str
    made: datetime


class Announcements(Part):
    """The announcements of all events."""

    async def of(self, event: str) -> list[Announcement]:
        """Return those of an event, newest first."""
        statement = select(_announcement).where(_announcement.c.event == event).order_by(_announcement.c.id.desc())
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [Announcement(row.id, row.event, row.text, row.who, row.made) for row in rows]

    async def event(self, number: int) -> str:
        """Return the event of an announcement, the public arena if there is no such announcement."""
        statement = select(_announcement.c.event).where(_announcement.c.id == number)
        return await self._database.read(lambda connection: connection.execute(statement).scalar()) or ARENA

    async def make(self, event: str, text: str, who: str) -> None:
        """Announce something; ResourceExhausted (QUOTA_REACHED)."""

        def work(connection: Connection) -> None:
            of_event = select(func.count()).where(_announcement.c.event == event)
            if connection.execute(of_event).scalar_one() >= MOST:
                full = said("the event has %(most)s announcements; take one back first", most=MOST)
                raise ResourceExhausted(full, "QUOTA_REACHED", retry=0.0)
            connection.execute(insert(_announcement).values(event=event, text=text, who=who, made=now()))
            log_of_event(connection, event, Act.ANNOUNCE, who, reason=text)

        await self._database.write(work)
        self._changes.tell(Topic.EVENT, 0)

    async def retract(self, number: int, who: str) -> None:
        """Take an announcement back; NotFound (ANNOUNCEMENT_UNKNOWN)."""

        def work(connection: Connection) -> None:
            row = connection.execute(
                delete(_announcement).where(_announcement.c.id == number).returning(_announcement)
            ).first()
            if row is None:
                raise NotFound(said("there is no announcement %(number)s", number=number), "ANNOUNCEMENT_UNKNOWN")
            log_of_event(connection, row.event, Act.RETRACT, who, reason=row.text)

        await self._database.write(work)
        self._changes.tell(Topic.EVENT, 0)
