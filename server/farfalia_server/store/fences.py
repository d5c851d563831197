"""Fences for writes that only one node at a time may do: an older token of a role is refused in the same transaction.

Whatever acts for a role sets its fence once for its context; from then on every write of that context is fenced.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

from sqlalchemy import Connection, func, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite

from farfalia_server.contract.errors import RoleLost
from farfalia_server.store import schema

#: How long a transaction of a frozen node may hold the fence, on PostgreSQL.
_FROZEN = "3s"


@dataclass(frozen=True, slots=True)
class Fence:
    """A role and the token with which somebody acts for it."""

    role: str
    token: int


#: The fence of the current context.
acting: ContextVar[Fence | None] = ContextVar("acting", default=None)


def check(connection: Connection, fence: Fence, *, is_sqlite: bool) -> None:
    """Make sure until the transaction ends that nobody has a newer token of the role; RoleLost if somebody has.

    A database that knows only older ones has lost this one in a failover: then it is raised again.
    """
    table = schema.fence
    statement = select(table.c.token).where(table.c.role == fence.role)
    if not is_sqlite:  # where one writer has the whole file
        limit = func.set_config("idle_in_transaction_session_timeout", _FROZEN, literal(True))
        statement = statement.add_columns(limit).with_for_update(read=True)
    token: int = connection.execute(statement).scalar() or 0
    if token < fence.token:
        token = max(fence.token, raised(connection, fence, is_sqlite=is_sqlite))
    if token > fence.token:
        raise RoleLost(f"another node acts as the {fence.role} by now")


def raised(connection: Connection, fence: Fence, *, is_sqlite: bool) -> int:
    """Refuse older tokens from now on; return the newest before, which must be older than this one."""
    table = schema.fence
    insert = sqlite.insert(table) if is_sqlite else postgresql.insert(table)
    connection.execute(insert.values(role=fence.role, token=0).on_conflict_do_nothing())
    of_role = table.c.role == fence.role
    before: int = connection.execute(select(table.c.token).where(of_role).with_for_update()).scalar_one()
    if before < fence.token:
        connection.execute(update(table).where(of_role).values(token=fence.token))
    return before
