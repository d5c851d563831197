"""The limit of registrations from one source, counted for all nodes together."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection, Table, delete, func, insert, select, text

from farfalia_server.contract.errors import AlreadyExists, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import is_sqlite

#: The time in which registrations are counted.
WITHIN = timedelta(hours=1)
_LOCK = 0x46415247


def count_registration(connection: Connection, source: str, most: int) -> None:
    """Count a registration from an address or by an account, in the transaction that creates what is registered.

    Raises ResourceExhausted (REGISTRATIONS_TOO_FAST) if there were `most` within an hour, with the time to wait.
    """
    table, moment = schema.registration, now()
    if not is_sqlite(connection):  # SQLite has one writer at a time
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock, hashtext(:source))"), _key(source))
        # By the database's clock: those of nodes may differ, and one that is ahead would forget what others count.
        moment = connection.execute(select(func.clock_timestamp())).scalar_one()
    connection.execute(delete(table).where(table.c.created < moment - WITHIN))
    statement = select(func.count(), func.min(table.c.created)).where(table.c.source == source)
    number, oldest = connection.execute(statement).one()
    if number >= most:
        wait = max(1.0, (oldest + WITHIN - moment).total_seconds())
        raise ResourceExhausted(
            said(
                "%(number)s registrations came from your address or account within an hour; expected at most %(most)s: "
                "try again in %(minutes)s minutes",
                number=number,
                most=most,
                minutes=f"{wait / 60:.0f}",
            ),
            "REGISTRATIONS_TOO_FAST",
            retry=wait,
        )
    connection.execute(insert(table).values(source=source, created=moment))


def _key(source: str) -> dict[str, object]:
    return {"lock": _LOCK, "source": source}


def check_similar_name(connection: Connection, table: Table, name: str) -> None:
    """Raise AlreadyExists if another row has this name but for upper and lower case: readers would mix the two up."""
    if not is_sqlite(connection):  # of two at the same time, the second waits for the first; SQLite has one writer
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(f"{table.name} {name.lower()}"))))
    same = select(table.c.name).where(func.lower(table.c.name) == name.lower(), table.c.name != name)
    other = connection.execute(same).scalar()
    if other is not None:
        if table is schema.account:
            text = said(
                "there is already an account %(other)r, and %(name)r differs in upper and lower case only; choose "
                "another name",
                other=other,
                name=name,
            )
        else:
            text = said(
                "there is already a bot %(other)r, and %(name)r differs in upper and lower case only; choose another "
                "name",
                other=other,
                name=name,
            )
        raise AlreadyExists(text)
