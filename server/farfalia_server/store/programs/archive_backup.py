"""Archives in a backup: all as if they were in the database, wherever they are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, Row, select

from farfalia_server.contract.bounds import LARGEST_PART
from farfalia_server.contract.errors import BackupError, NotFound
from farfalia_server.store.programs.object_store import ObjectStore
from farfalia_server.store.sql import schema

#: Parts that are read from an object at a time.
_AT_ONCE: Final = 32

_archive, _leftover = schema.archive, schema.archive_leftover


class ArchivesOfBackup:
    """The archives of a backup and their parts as rows, at the moment of a connection's snapshot.

    Archives that are not where they were put are left out; `lost` is how many. Raises BackupError if some are outside
    of the database and there is no object store.
    """

    def __init__(self, connection: Connection, outside: ObjectStore | None) -> None:
        self._outside = outside
        rows = connection.execute(
            select(_archive).where(_archive.c.object.is_not(None)).order_by(_archive.c.hash)
        ).all()
        if rows and outside is None:
            raise BackupError(
                "archives of programs are outside of the database; expected --program-archives, where they are"
            )
        self._there = [row for row in rows if outside is not None and outside.size_now(row.object) == row.received]
        self._lost = [row.hash for row in rows if row not in self._there]
        self.lost = len(self._lost)

    @property
    def parts(self) -> int:
        """How many rows `rows_of_parts` yields."""
        return sum(-(-row.received // LARGEST_PART) for row in self._there)

    def archives(self) -> sa.Select[Any]:
        """Select the rows of the archives, which are all in the database of the backup."""
        columns = [column if column is not _archive.c.object else sa.null().label(column.name) for column in _archive.c]
        return select(*columns).where(_archive.c.hash.not_in(self._lost))

    def rows_of_parts(self) -> Iterator[list[tuple[bytes, int, bytes]]]:
        """Yield the contents that are outside of the database as rows of parts, in batches.

        Raises BackupError if an archive is damaged, or removed meanwhile; StoreUnavailable.
        """
        for row in self._there:
            found = hashlib.sha256()
            for start in range(0, row.received, _AT_ONCE * LARGEST_PART):
                data = self._read(row, start)
                found.update(data)
                places = range(0, len(data), LARGEST_PART)
                yield [(row.hash, start + place, data[place : place + LARGEST_PART]) for place in places]
            if found.digest() != row.hash:
                raise BackupError(
                    f"the archive {row.object} in {self._address} is damaged; delete it there, and hand its program in "
                    "again"
                )

    def _read(self, row: Row[Any], start: int) -> bytes:
        assert self._outside is not None
        try:
            return self._outside.read_now(row.object, start, min(_AT_ONCE * LARGEST_PART, row.received - start))
        except NotFound:
            text = f"the archive {row.object} was removed from {self._address} meanwhile; make the backup again"
            raise BackupError(text) from None

    @property
    def _address(self) -> str:
        return "" if self._outside is None else self._outside.address


def objects_of(connection: Connection) -> list[str]:
    """Return the names of all objects outside of a database, which may have another schema."""
    if not sa.inspect(connection).has_table(_leftover.name):
        return []
    every = select(_archive.c.object).where(_archive.c.object.is_not(None)).union(select(_leftover.c.object))
    return list(connection.execute(every).scalars())
