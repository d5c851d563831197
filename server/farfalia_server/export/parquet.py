"""Writes tables as Parquet files, a group of rows at a time; this is the only module that imports PyArrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def schema_of(table: str) -> Any:
    """Return the Arrow schema of a table; its metadata has the version of the schema, and of Farfalia."""
    fields = [pa.field(one.name, _TYPES[one.type], metadata={"meaning": one.meaning}) for one in TABLES[table]]
    metadata = {"farfalia.schema": str(SCHEMA), "farfalia.table": table, "farfalia.version": __version__}
    return pa.schema(fields, metadata)


class ParquetFiles:
    """Files that tables are written to, by table: whole at the end of the block, or not at all."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._writers = {table: _Writer(table, path) for table, path in paths.items()}

    def __enter__(self) -> Self:
        """Open the files; RecordError if one cannot be written."""
        for writer in self._writers.values():
            writer.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the files their names, or remove them after an error."""
        for writer in self._writers.values():
            writer.close(keep=kind is None)

    def add(self, rows: Mapping[str, Sequence[Row]]) -> None:
        """Add rows by table; those of tables without a file are left out."""
        for table, writer in self._writers.items():
            writer.add(rows[table])


class _Writer:
    """One file, which has another name until it is whole."""

    def __init__(self, table: str, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f".{path.name}.part")
        self._schema = schema_of(table)
        self._rows: list[Row] = []
        self._writer: Any = None

    def open(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._writer = pq.ParquetWriter(self._part, self._schema, compression="zstd")
        except OSError as error:
            raise RecordError(f"{self._path} cannot be written: {(error.strerror or str(error)).lower()}") from None

    def add(self, rows: Sequence[Row]) -> None:
        self._rows += rows
        while len(self._rows) >= ROWS:
            self._write(self._rows[:ROWS])
            del self._rows[:ROWS]

    def _write(self, rows: Sequence[Row]) -> None:
        columns = zip(*rows, strict=True)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, self._schema, strict=True)]
        try:
            self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=self._schema))
        except OSError as error:
            raise RecordError(f"{self._path} cannot be written: {(error.strerror or str(error)).lower()}") from None

    def close(self, *, keep: bool) -> None:
        if keep and self._rows:
            self._write(self._rows)
        if self._writer is not None:
            self._writer.close()
        if keep:
            self._part.replace(self._path)
        else:
            self._part.unlink(missing_ok=True)
