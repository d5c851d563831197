"""Fences for writes that only one node at a time may do: an older token of a role is refused in the same transaction.

Whatever acts for a role sets its fence once for its context; from then on every write of that context is fenced.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection, func, literal, select, update

from farfalia_server.contract.errors import RoleLost
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import insert_into, is_sqlite

T = TypeVar("T")

#: How long a transaction of a frozen node may hold the fence, on PostgreSQL.
_FROZEN = "3s"


@dataclass(frozen=True, slots=True)
class Fence:
    """A role and the token with which somebody acts for it."""

    role: str
    token: int


#: The fence of the current context.
acting: ContextVar[Fence | None] = ContextVar("acting", default=None)


class Fences:
    """The newest token of each role, kept by the database that `write` writes to."""

    def __init__(self, write: Callable[[Callable[[Connection], int]], Awaitable[int]]) -> None:
        self._write = write

    async def raise_to(self, role: str, token: int) -> int:
        """Refuse older tokens of a role from now on, if this one is newer than the newest before, which it returns."""
        fence = Fence(role, token)
        return await self._write(lambda connection: raised(connection, fence))

    def act(self, role: str, token: int) -> None:
        """From now on refuse writes of the current context as soon as there is a newer token."""
        acting.set(Fence(role, token))


def fenced(fence: Fence, work: Callable[[Connection], T], connection: Connection) -> T:
    """Return what `work` returns, once the fence is checked."""
    check(connection, fence)
    return work(connection)


def check(connection: Connection, fence: Fence) -> None:
    """Make sure until the transaction ends that nobody has a newer token of the role; RoleLost if somebody has.

    A database that knows only older ones has lost this one in a failover: then it is raised again.
    """
    table = schema.fence
    statement = select(table.c.token).where(table.c.role == fence.role)
    if not is_sqlite(connection):  # where one writer has the whole file
        limit = func.set_config("idle_in_transaction_session_timeout", _FROZEN, literal(True))
        statement = statement.add_columns(limit).with_for_update(read=True)
    token: int = connection.execute(statement).scalar() or 0
    if token < fence.token:
        token = max(fence.token, raised(connection, fence))
    if token > fence.token:
        raise RoleLost(f"another node acts as the {fence.role} by now")


def raised(connection: Connection, fence: Fence) -> int:
    """Refuse older tokens from now on; return the newest before, which must be older than this one."""
    table = schema.fence
    connection.execute(insert_into(connection, table).values(role=fence.role, token=0).on_conflict_do_nothing())
    of_role = table.c.role == fence.role
    before: int = connection.execute(select(table.c.token).where(of_role).with_for_update()).scalar_one()
    if before < fence.token:
        connection.execute(update(table).where(of_role).values(token=fence.token))
    return before
