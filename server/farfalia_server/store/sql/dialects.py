"""What SQLite and PostgreSQL do differently, within a transaction."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, text
from sqlalchemy.dialects import postgresql, sqlite

_SQLITE = "sqlite"
#: Rows that are read or written at a time, some four milliseconds of the event loop: bots with clocks wait meanwhile.
ROWS = 50


def is_sqlite(connection: Connection) -> bool:
    """Return whether this is SQLite, which has one writer at a time; the other one is PostgreSQL."""
    return connection.dialect.name == _SQLITE


def insert_into(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insert that can say what to do about a row that is there already."""
    return insert_for(connection.dialect.name, table)


def insert_for(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return the same for a dialect by its name, for a statement that is kept."""
    return sqlite.insert(table) if dialect == _SQLITE else postgresql.insert(table)


def lock(connection: Connection, number: int) -> None:
    """Wait until no other transaction holds the lock of this number; SQLite's single writer has it already."""
    if not is_sqlite(connection):
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


def in_parts(connection: Connection, statement: Select[Any]) -> Iterator[Sequence[Row[*tuple[Any, ...]]]]:
    """Yield the rows of a query, up to `ROWS` at a time; on the event loop, others run after each part."""
    driver = connection.connection.dbapi_connection
    for rows in connection.execute(statement).partitions(ROWS):
        yield rows
        if connection.dialect.is_async and driver is not None:
            driver.run_async(lambda _: asyncio.sleep(0))
