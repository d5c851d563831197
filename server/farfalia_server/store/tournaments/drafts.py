"""Drafts of tournaments: kept as they were asked for, until they are published or dropped."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from farfalia_server.contract.errors import FailedPrecondition, NotFound, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, log_of_event
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema

#: How many an event has at a time.
MOST: Final = 100
_draft = schema.tournament_draft
#: Those that have not become tournaments.
_OPEN = _draft.c.tournament_id.is_(None)


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft: `plan` is the request of its tournament as JSON, `tournament_id` the number that it has when published.

    `revision` grows with every change.
    """

    id: int
    event: str
    plan: Mapping[str, Any]
    entrants_expected: int
    revision: int
    who: str
    changed: datetime
    tournament_id: int | None


class Drafts(Part):
    """The drafts of all events. Nothing tells of them: only their organisers read them."""

    async def make(self, event: str, plan: Mapping[str, Any], entrants_expected: int, who: str) -> Draft:
        """Store a draft; ResourceExhausted (QUOTA_REACHED)."""

        def make(connection: Connection) -> Draft:
            of_event = select(func.count()).where(_draft.c.event == event, _OPEN)
            if connection.execute(of_event).scalar_one() >= MOST:
                raise ResourceExhausted(
                    said("the event %(event)s has %(most)s drafts; publish or drop one first", event=event, most=MOST),
                    "QUOTA_REACHED",
                    retry=0.0,
                )
            values = {"event": event, "plan": dict(plan), "entrants_expected": entrants_expected}
            row = values | {"revision": 1, "who": who, "changed": now()}
            return _to_draft(connection.execute(insert(_draft).values(row).returning(_draft)).one())

        return await self._database.write(make)

    async def change(
        self, number: int, revision: int, event: str, plan: Mapping[str, Any], entrants_expected: int, who: str
    ) -> Draft | None:
        """Replace what a draft had at a revision; returns None if it has another one by now, or is published."""
        values = {"event": event, "plan": dict(plan), "entrants_expected": entrants_expected, "who": who}
        same = (_draft.c.id == number, _draft.c.revision == revision, _OPEN)
        statement = update(_draft).where(*same).values(values | {"revision": revision + 1, "changed": now()})

        def change(connection: Connection) -> Draft | None:
            row = connection.execute(statement.returning(_draft)).first()
            return None if row is None else _to_draft(row)

        return await self._database.write(change)

    async def get(self, number: int) -> Draft:
        """Return a draft; NotFound (DRAFT_UNKNOWN)."""
        statement = select(_draft).where(_draft.c.id == min(number, 2**63 - 1))
        row = await self._database.read(lambda connection: connection.execute(statement).first())
        if row is None:
            raise unknown(number)
        return _to_draft(row)

    async def open(self, events: Collection[str] | None) -> list[Draft]:
        """Return the newest that are not published, newest first: of these events, or of all for None."""
        statement = select(_draft).where(_OPEN).order_by(_draft.c.id.desc()).limit(MOST)
        if events is not None:
            statement = statement.where(_draft.c.event.in_(events))
        return await self._database.read(lambda connection: list(map(_to_draft, connection.execute(statement))))

    async def drop(self, number: int, who: str) -> None:
        """Delete a draft; NotFound (DRAFT_UNKNOWN), FailedPrecondition (DRAFT_PUBLISHED)."""

        def drop(connection: Connection) -> None:
            row = connection.execute(delete(_draft).where(_draft.c.id == number, _OPEN).returning(_draft)).first()
            if row is None:
                kept = connection.execute(select(_draft).where(_draft.c.id == number)).first()
                raise unknown(number) if kept is None else published(_to_draft(kept))
            log_of_event(connection, row.event, Act.REMOVE, who, f"draft {row.plan.get('name', '')}")

        await self._database.write(drop)


def unknown(number: int) -> NotFound:
    """Return what is said of a draft that there is not, or that somebody may not see."""
    return NotFound(said("there is no draft %(number)s", number=number), "DRAFT_UNKNOWN")


def published(draft: Draft) -> FailedPrecondition:
    """Return what is said of a draft that cannot be changed any more."""
    text = said(
        "draft %(draft)s is published: it is tournament %(tournament)s, which does not change",
        draft=draft.id,
        tournament=draft.tournament_id,
    )
    return FailedPrecondition(text, "DRAFT_PUBLISHED")


def publish_in(connection: Connection, number: int, revision: int, tournament_id: int) -> None:
    """Note that a draft, as it was at a revision, has become a tournament; FailedPrecondition (DRAFT_CHANGED)."""
    same = (_draft.c.id == number, _draft.c.revision == revision, _OPEN)
    if not connection.execute(update(_draft).where(*same).values(tournament_id=tournament_id)).rowcount:
        raise FailedPrecondition(
            said("somebody changes draft %(number)s at this moment; look at it again", number=number), "DRAFT_CHANGED"
        )


def _to_draft(row: Row[*tuple[Any, ...]]) -> Draft:
    return Draft(
        id=row.id,
        event=row.event,
        plan=row.plan,
        entrants_expected=row.entrants_expected,
        revision=row.revision,
        who=row.who,
        changed=row.changed,
        tournament_id=row.tournament_id,
    )
