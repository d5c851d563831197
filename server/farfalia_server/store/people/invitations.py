"""Invitations: codes by which people make accounts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, insert, or_, select, update

from farfalia_server.contract.errors import NotFound, PermissionDenied
from farfalia_server.net.wall_clock import now
from farfalia_server.store.part import Part
from farfalia_server.store.people.tokens import new_code, token_hash
from farfalia_server.store.sql import schema


@dataclass(frozen=True, slots=True)
class Invitation:
    """A code that makes up to `uses` accounts until it expires, if it does."""

    id: int
    note: str
    uses: int
    used: int
    created: datetime
    expires: datetime | None
    revoked: bool


class Invitations(Part):
    """The invitations."""

    async def create(self, note: str, uses: int, lasting: timedelta | None) -> tuple[Invitation, str]:
        """Create an invitation and return it with the only copy of its code."""
        code, created = new_code(), now()
        values = {
            "note": note,
            "code_hash": token_hash(code),
            "uses": uses,
            "used": 0,
            "created": created,
            "expires": None if lasting is None else created + lasting,
            "revoked": False,
        }
        statement = insert(schema.invitation).values(values).returning(schema.invitation)
        return _to_invitation(await self._database.write(lambda connection: connection.execute(statement).one())), code

    async def newest(self, limit: int) -> list[Invitation]:
        """Return invitations, newest first."""
        table = schema.invitation
        statement = select(table).order_by(table.c.id.desc()).limit(limit)
        return await self._database.read(lambda connection: list(map(_to_invitation, connection.execute(statement))))

    async def revoke(self, number: int) -> Invitation:
        """End an invitation; NotFound."""
        table = schema.invitation
        change = update(table).where(table.c.id == number).values(revoked=True).returning(table)
        row = await self._database.write(lambda connection: connection.execute(change).first())
        if row is None:
            raise NotFound(f"there is no invitation {number}", "INVITATION_UNKNOWN")
        return _to_invitation(row)


def redeem(connection: Connection, code: str) -> None:
    """Use an invitation once, in the transaction that creates the account.

    Raises PermissionDenied (INVITATION_INVALID) if it is unknown, revoked, expired or used up.
    """
    table, moment = schema.invitation, now()
    good = (
        table.c.code_hash == token_hash(code.strip().lower()),
        table.c.revoked.is_(False),
        table.c.used < table.c.uses,
        or_(table.c.expires.is_(None), table.c.expires > moment),
    )
    if not connection.execute(update(table).where(*good).values(used=table.c.used + 1)).rowcount:
        raise PermissionDenied(
            "this invitation is unknown, used up, expired or revoked; ask the person who runs the server for another",
            "INVITATION_INVALID",
        )


def _to_invitation(row: Row[*tuple[Any, ...]]) -> Invitation:
    return Invitation(row.id, row.note, row.uses, row.used, row.created, row.expires, row.revoked)
