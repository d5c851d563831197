"""Whether the database can be reached and written to, and whose tables it has."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from farfalia_server.contract.errors import StoreError
from farfalia_server.doctor.clock import check_clock
from farfalia_server.doctor.finding import Finding
from farfalia_server.settings import Settings
from farfalia_server.store.sql.database import Database
from farfalia_server.store.sql.dialects import is_sqlite
from farfalia_server.store.sql.engines import normalise
from farfalia_server.store.sql.migrate import current_schema, schemas

#: The oldest PostgreSQL that is tested.
_OLDEST_POSTGRES = 13


async def check_database(settings: Settings) -> AsyncIterator[Finding]:
    """Say how the database is."""
    url = settings.effective_database_url
    try:
        parsed = normalise(url)
        file = Path(str(parsed.database))
        if parsed.get_backend_name() == "sqlite" and not await asyncio.to_thread(file.exists):
            yield Finding.ok("database", f"There is no {file}; the server makes it.")
            return
        database = await Database.open(url, to_write=False)
    except StoreError as error:
        yield Finding.problem("database", error, "Start the database, or correct database_url.")
        return
    try:
        for finding in await database.write(lambda connection: list(_tick(database, connection))):
            yield finding
    except (StoreError, DBAPIError) as error:
        told = error if isinstance(error, StoreError) else database.unusable(error)
        yield Finding.problem("database", told, "Let the server's user write to the database.")
    finally:
        await database.close()


def _tick(database: Database, connection: Connection) -> Iterator[Finding]:
    product = "SQLite"
    if not is_sqlite(connection):
        before = time.time()
        row = connection.execute(
            text(
                "SELECT current_setting('server_version_num')::int, current_setting('server_version'), "
                "current_setting('transaction_read_only') = 'on', "
                "has_schema_privilege(current_schema(), 'CREATE'), "
                "extract(epoch FROM clock_timestamp())::float8"
            )
        ).one()
        number, version, read_only, may_create, clock = row
        product = f"PostgreSQL {version.partition(' ')[0]}"
        if number // 10_000 < _OLDEST_POSTGRES:
            yield Finding.problem("database", f"This is {product}.", f"Use PostgreSQL {_OLDEST_POSTGRES} or newer.")
        if read_only:
            yield Finding.problem(
                "database", f"The {product} is read-only.", "Name the primary in database_url, not a replica."
            )
        elif not may_create:
            yield Finding.problem(
                "database",
                f"The user of {database.address} may not make tables there.",
                "Make it the owner of the database, or GRANT CREATE ON SCHEMA public to it.",
            )
        yield check_clock("database", before, clock, time.time())
    yield _schema(current_schema(connection), f"{product} at {database.address}")


def _schema(number: str, where: str) -> Finding:
    known = schemas()
    if not number:
        return Finding.ok("database", f"{where} is empty; the server makes its tables.")
    if number not in known:
        return Finding.problem(
            "database",
            f"{where} has the schema {number} of a newer server; this one knows {known[0]}.",
            "Update this server, or restore a backup of its version.",
        )
    if number != known[0]:
        return Finding.ok("database", f"{where} has schema {number}; the next start brings it to {known[0]}.")
    return Finding.ok("database", f"{where} can be written to and has schema {number}.")
