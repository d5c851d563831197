"""The limit of registrations from one source, counted for all nodes together."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection, delete, func, insert, select, text

from farfalia_server.errors import ResourceExhausted
from farfalia_server.store import schema
from farfalia_server.store.rows import now

#: The time in which registrations are counted.
WITHIN = timedelta(hours=1)
_LOCK = 0x46415247


def count_registration(connection: Connection, source: str, most: int) -> None:
    """Count a registration from an address or by an account, in the transaction that creates what is registered.

    Raises ResourceExhausted (REGISTRATIONS_TOO_FAST) if there were `most` within an hour, with the time to wait.
    """
    table = schema.registration
    if connection.dialect.name == "postgresql":  # SQLite has one writer at a time
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock, hashtext(:source))"), _key(source))
    moment = now()
    connection.execute(delete(table).where(table.c.created < moment - WITHIN))
    statement = select(func.count(), func.min(table.c.created)).where(table.c.source == source)
    number, oldest = connection.execute(statement).one()
    if number >= most:
        wait = max(1.0, (oldest + WITHIN - moment).total_seconds())
        raise ResourceExhausted(
            f"{number} registrations came from your address or account within an hour; expected at most {most}: "
            f"try again in {wait / 60:.0f} minutes",
            "REGISTRATIONS_TOO_FAST",
            retry=wait,
        )
    connection.execute(insert(table).values(source=source, created=moment))


def _key(source: str) -> dict[str, object]:
    return {"lock": _LOCK, "source": source}
