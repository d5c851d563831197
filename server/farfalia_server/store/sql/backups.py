"""Backups: everything that SQL holds and all archives, as one file that either database can be restored from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql import REGCLASS
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeEngine

from farfalia_server import __version__
from farfalia_server.cluster.lease import LEASE_KEY
from farfalia_server.contract.errors import BackupError, StoreError
from farfalia_server.store.changes import Changes
from farfalia_server.store.events.values import ARENA
from farfalia_server.store.meta import DATABASE
from farfalia_server.store.part import Part
from farfalia_server.store.programs.archive_backup import ArchivesOfBackup, objects_of
from farfalia_server.store.programs.archives import leave_over
from farfalia_server.store.programs.object_store import ObjectStore
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.backup_file import BATCH, BackupHeader, BackupTable, BackupWriter, Row, batches, check
from farfalia_server.store.sql.column_types import Moment
from farfalia_server.store.sql.database import Database
from farfalia_server.store.sql.dialects import is_sqlite
from farfalia_server.store.sql.migrate import current_schema, migrate, migrate_to, schemas

#: How values of each kind are encoded; the first kind that fits a column's type applies.
_KINDS: Final[dict[str, TypeEngine[Any]]] = {
    "moment": Moment(),
    "json": sa.JSON(none_as_null=True),
    "bytes": sa.LargeBinary(),
    "boolean": sa.Boolean(),
    "integer": sa.BigInteger(),
    "real": sa.Double(),
    "text": sa.Text(),
}
_BASES: Final[dict[str, type]] = {
    "moment": Moment,
    "json": sa.JSON,
    "bytes": sa.LargeBinary,
    "boolean": sa.Boolean,
    "integer": sa.Integer,
    "real": sa.Float,
    "text": sa.Text,
}
#: Facts that belong to one database alone: who uses it, and its name in the keys of journals in Redis.
_OF_ONE_DATABASE: Final = (LEASE_KEY, DATABASE)
#: Tables of such facts: who holds a role, and what else is in its object store.
_LEFT_OUT: Final = (schema.fence, schema.archive_leftover)
#: Rows of `archive_part`, each of up to 128 KiB, that are in memory at a time.
_PARTS: Final = 32

#: Called with the rows that are done, and all rows; perhaps in a thread.
Progress = Callable[[int, int], None]


class Backups(Part):
    """Writing and restoring backups of a database, and of the archives that are `outside` of it."""

    def __init__(self, database: Database, changes: Changes, outside: ObjectStore | None) -> None:
        super().__init__(database, changes)
        self._outside = outside

    async def write(self, path: Path, progress: Progress) -> BackupHeader:
        """Write a snapshot of everything into a file; the server may go on working.

        Raises BackupError if the file cannot be written or an archive is damaged, StoreUnavailable if archives cannot
        be read, StoreError if the tables are not those of this version.
        """
        step = _until_cancelled(progress)

        def write(connection: Connection) -> BackupHeader:
            found = current_schema(connection)
            if found != schemas()[0]:
                raise StoreError(
                    f"the database has the schema {found or 'of no version'}; expected {schemas()[0]}: make the backup "
                    "with the version of the server that uses it"
                )
            archives = ArchivesOfBackup(connection, self._outside)
            header = _header(connection, found, archives)
            done = 0
            step(done, header.rows)
            with BackupWriter(path, header) as file:
                for table in header.tables:
                    for some in _batches_of(connection, table.name, archives):
                        file.write(some, table.columns)
                        done += len(some)
                        step(done, header.rows)
            return header

        return await self._database.snapshot(write)

    async def restore(self, path: Path, progress: Progress, *, replace: bool) -> BackupHeader:
        """Replace everything in the database by a backup, in one transaction, and migrate it to the newest schema.

        The database gets a new name, so that no journal in Redis is taken for one of its matches. All archives are in
        it; larger ones leave it when a server sweeps it, and the objects of before are left over. Raises BackupError if
        the file is damaged or newer than this version, or if the database is not empty and `replace` is false.
        """
        header = await asyncio.to_thread(check, path)
        if header.schema not in schemas():
            raise BackupError(
                f"{path} has the schema {header.schema} of a newer server, version {header.version}; update this one"
            )
        step = _until_cancelled(progress)
        try:
            await self._database.write(partial(_restore, path, header, step, replace, self._database.address))
        except DBAPIError as error:
            raise BackupError(f"{path} cannot be restored: {error.orig}") from None
        return header


def _until_cancelled(progress: Progress) -> Progress:
    """Return progress that ends the work once its caller, the present task, is cancelled: it may run in a thread."""
    caller = asyncio.current_task()

    def step(done: int, rows: int) -> None:
        if caller is not None and caller.cancelling():
            raise _Stopped
        progress(done, rows)

    return step


class _Stopped(Exception):
    """Raised where nobody waits for a backup any more."""


def _header(connection: Connection, number: str, archives: ArchivesOfBackup) -> BackupHeader:
    tables = []
    for table in schema.metadata.sorted_tables:
        if table in _LEFT_OUT:
            continue
        every = _all_of(table.name, archives).subquery()
        rows = connection.execute(sa.select(sa.func.count()).select_from(every)).scalar_one()
        if table is schema.archive_part:
            rows += archives.parts
        columns = tuple((column.name, _kind(column.type)) for column in table.columns)
        tables.append(BackupTable(table.name, rows, columns))
    made = datetime.now(UTC).isoformat(timespec="seconds")
    source = "SQLite" if is_sqlite(connection) else "PostgreSQL"
    return BackupHeader(number, __version__, made, source, tuple(tables), archives.lost)


def _batches_of(connection: Connection, name: str, archives: ArchivesOfBackup) -> Iterator[Sequence[Row]]:
    parts = name == schema.archive_part.name
    size = _PARTS if parts else BATCH
    yield from connection.execute(_all_of(name, archives).execution_options(yield_per=size)).partitions()
    if parts:
        yield from archives.rows_of_parts()


def _all_of(name: str, archives: ArchivesOfBackup) -> sa.Select[Any]:
    """Select the rows of a table that belong into a backup."""
    table = schema.metadata.tables[name]
    if table is schema.archive:
        return archives.archives()
    rows = sa.select(table)
    return rows.where(table.c.key.not_in(_OF_ONE_DATABASE)) if table is schema.meta else rows


def _kind(type_: TypeEngine[Any]) -> str:
    return next(kind for kind, base in _BASES.items() if isinstance(type_, base))


def _restore(
    path: Path, header: BackupHeader, progress: Progress, replace: bool, address: str, connection: Connection
) -> None:
    if not replace and (full := _table_with_rows(connection)):
        raise BackupError(
            f"the database at {address} is not empty: its table {full} has rows; name a new one, or give --replace"
        )
    objects = objects_of(connection)
    for table_name in [*(table.name for table in reversed(schema.metadata.sorted_tables)), "alembic_version"]:
        sa.Table(table_name, sa.MetaData()).drop(connection, checkfirst=True)
    migrate_to(connection, header.schema)
    for kept in reversed(header.tables):  # a new database has the public arena, and so has the backup
        if kept.name != schema.meta.name:
            connection.execute(sa.table(kept.name).delete())
    done = 0
    progress(done, header.rows)
    for table, rows in batches(path):
        names = [name for name, _ in table.columns]
        columns = [sa.column(name, _KINDS[kind]) for name, kind in table.columns]
        connection.execute(
            sa.table(table.name, *columns).insert(), [dict(zip(names, row, strict=True)) for row in rows]
        )
        done += len(rows)
        progress(done, header.rows)
    migrate(connection)
    leave_over(connection, objects)
    _count_on(connection)


def _table_with_rows(connection: Connection) -> str:
    """Return the name of a table that has rows, apart from facts about the server; empty if there is none."""
    for table in schema.metadata.sorted_tables:
        if (
            table not in (schema.meta, *_LEFT_OUT)
            and connection.execute(_ROWS.get(table, sa.select(sa.literal(1)).select_from(table)).limit(1)).first()
        ):
            return table.name
    return ""


#: Which rows say that a table is in use, where a new database has some.
_ROWS = {schema.event: sa.select(sa.literal(1)).where(schema.event.c.name != ARENA)}


def _count_on(connection: Connection) -> None:
    """Make PostgreSQL number new rows after the restored ones; SQLite does so by itself."""
    if is_sqlite(connection):
        return
    for table in schema.metadata.sorted_tables:
        column = table.autoincrement_column
        if column is None:
            continue
        named = sa.func.pg_get_serial_sequence(connection.dialect.identifier_preparer.format_table(table), column.name)
        newest = sa.select(sa.func.coalesce(sa.func.max(column), 0) + 1).scalar_subquery()
        connection.execute(sa.select(sa.func.setval(sa.cast(named, REGCLASS), newest, False)).where(named.is_not(None)))
