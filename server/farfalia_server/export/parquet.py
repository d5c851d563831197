"""Writes tables as Parquet files, a group of rows at a time; this is the only module that imports PyArrow."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import pyarrow as pa
import pyarrow.parquet as pq

from farfalia_server import __version__
from farfalia_server.contract.errors import RecordError
from farfalia_server.export.columns import SCHEMA, TABLES
from farfalia_server.export.rows import Row

#: Rows of a group, which are in memory together: a decision has some seven kilobytes.
ROWS: Final = 4096
_TYPES: Final[Mapping[str, Any]] = {
    "bool": pa.bool_(),
    "binary": pa.binary(),
    "float32": pa.float32(),
    "int32": pa.int32(),
    "list<float32>": pa.list_(pa.float32()),
    "list<uint16>": pa.list_(pa.uint16()),
    "list<uint8>": pa.list_(pa.uint8()),
    "string": pa.string(),
    "timestamp[ms, tz=UTC]": pa.timestamp("ms", "UTC"),
    "uint16": pa.uint16(),
    "uint32": pa.uint32(),
    "uint64": pa.uint64(),
    "uint8": pa.uint8(),
}


def schema_of(table: str, worlds: int = 0) -> Any:
    """Return the Arrow schema of a table; its metadata has the version of the schema, and of Farfalia.

    It also says in how many worlds decisions were priced, if they were.
    """
    fields = [pa.field(one.name, _TYPES[one.type], metadata={"meaning": one.meaning}) for one in TABLES[table]]
    metadata = {"farfalia.schema": str(SCHEMA), "farfalia.table": table, "farfalia.version": __version__}
    if worlds:
        metadata["farfalia.worlds"] = str(worlds)
    return pa.schema(fields, metadata)


class ParquetFiles:
    """Files that tables are written to, by table: whole at the end of the block, or not at all.

    `worlds` is in how many the decisions are priced, 0 if they are not.
    """

    def __init__(self, paths: Mapping[str, Path], worlds: int = 0) -> None:
        self._writers = {table: _Writer(schema_of(table, worlds), path) for table, path in paths.items()}

    def __enter__(self) -> Self:
        """Open the files; RecordError if one cannot be written."""
        try:
            for writer in self._writers.values():
                writer.open()
        except RecordError:
            self._discard()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the files their names, or remove them after an error; RecordError if they cannot be written."""
        try:
            if kind is None:
                for writer in self._writers.values():
                    writer.finish()
                for writer in self._writers.values():
                    writer.rename()
        finally:
            self._discard()

    def _discard(self) -> None:
        for writer in self._writers.values():
            writer.discard()

    def add(self, rows: Mapping[str, Sequence[Row]]) -> None:
        """Add rows by table; those of tables without a file are left out."""
        for table, writer in self._writers.items():
            writer.add(rows[table])


class _Writer:
    """One file, which has another name until it is whole."""

    def __init__(self, schema: Any, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f".{path.name}.part")
        self._schema = schema
        self._rows: list[Row] = []
        self._writer: Any = None

    def open(self) -> None:
        with self._writing():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._path.is_dir():  # before others have their names
                raise IsADirectoryError(errno.EISDIR, "")
            self._writer = pq.ParquetWriter(self._part, self._schema, compression="zstd")

    def add(self, rows: Sequence[Row]) -> None:
        self._rows += rows
        while len(self._rows) >= ROWS:
            self._write(self._rows[:ROWS])
            del self._rows[:ROWS]

    def finish(self) -> None:
        if self._rows:
            self._write(self._rows)
        with self._writing():
            self._writer.close()

    def rename(self) -> None:
        with self._writing():
            self._part.replace(self._path)

    def discard(self) -> None:
        """Remove what is not whole; of a file that is whole there is nothing."""
        with suppress(OSError):  # what is written at its end matters no more
            if self._writer is not None:
                self._writer.close()
        with suppress(OSError):
            self._part.unlink()

    def _write(self, rows: Sequence[Row]) -> None:
        columns = zip(*rows, strict=True)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, self._schema, strict=True)]
        with self._writing():
            self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=self._schema))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise RecordError(f"{self._path} cannot be written: {reason.lower()}") from None
