"""Invitations: codes by which people make accounts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, insert, or_, select, update

from farfalia_server.contract.errors import NotFound, PermissionDenied
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, log_of_event
from farfalia_server.store.events.values import ARENA
from farfalia_server.store.part import Part
from farfalia_server.store.people.tokens import new_code, token_hash
from farfalia_server.store.sql import schema


@dataclass(frozen=True, slots=True)
class Invitation:
    """A code that makes up to `uses` accounts until it expires, if it does."""

    id: int
    event: str
    note: str
    uses: int
    used: int
    created: datetime
    expires: datetime | None
    revoked: bool


class Invitations(Part):
    """The invitations."""

    async def create(
        self, note: str, uses: int, lasting: timedelta | None, event: str, who: str = ""
    ) -> tuple[Invitation, str]:
        """Create an invitation to an event and return it with the only copy of its code."""
        code, created = new_code(), now()
        values = {
            "event": event,
            "note": note,
            "code_hash": token_hash(code),
            "uses": uses,
            "used": 0,
            "created": created,
            "expires": None if lasting is None else created + lasting,
            "revoked": False,
        }
        statement = insert(schema.invitation).values(values).returning(schema.invitation)

        def work(connection: Connection) -> Invitation:
            made = _to_invitation(connection.execute(statement).one())
            log_of_event(connection, event, Act.INVITE, who, f"invitation {made.id}", note)
            return made

        return await self._database.write(work), code

    async def newest(self, limit: int, event: str = "") -> list[Invitation]:
        """Return invitations, newest first: to an event, or all."""
        table = schema.invitation
        statement = select(table).order_by(table.c.id.desc()).limit(limit)
        if event:
            statement = statement.where(table.c.event == event)
        return await self._database.read(lambda connection: list(map(_to_invitation, connection.execute(statement))))

    async def event(self, number: int) -> str:
        """Return the event of an invitation, the public arena if there is no such invitation."""
        statement = select(schema.invitation.c.event).where(schema.invitation.c.id == number)
        return await self._database.read(lambda connection: connection.execute(statement).scalar()) or ARENA

    async def revoke(self, number: int, who: str = "") -> Invitation:
        """End an invitation; NotFound."""
        table = schema.invitation
        change = update(table).where(table.c.id == number).values(revoked=True).returning(table)

        def work(connection: Connection) -> Invitation:
            row = connection.execute(change).first()
            if row is None:
                raise NotFound(said("there is no invitation %(number)s", number=number), "INVITATION_UNKNOWN")
            log_of_event(connection, row.event, Act.END_INVITATION, who, f"invitation {number}", row.note)
            return _to_invitation(row)

        return await self._database.write(work)


def redeem(connection: Connection, code: str, event: str = "") -> str:
    """Use an invitation, to this event or any, once, in the transaction that creates the account; return its event.

    Raises PermissionDenied (INVITATION_INVALID) if it is unknown, to another event, revoked, expired or used up.
    """
    table, moment = schema.invitation, now()
    good = (
        table.c.code_hash == token_hash(code.strip().lower()),
        table.c.revoked.is_(False),
        table.c.used < table.c.uses,
        or_(table.c.expires.is_(None), table.c.expires > moment),
    )
    of_event = [table.c.event == event] if event else []
    used = update(table).where(*good, *of_event).values(used=table.c.used + 1).returning(table.c.event)
    found: str | None = connection.execute(used).scalar()
    if found is None:
        raise PermissionDenied(
            said(
                "this invitation is unknown, to another event, used up, expired or revoked; ask whoever gave it to you "
                "for another"
            ),
            "INVITATION_INVALID",
        )
    return found


def _to_invitation(row: Row[*tuple[Any, ...]]) -> Invitation:
    return Invitation(row.id, row.event, row.note, row.uses, row.used, row.created, row.expires, row.revoked)
