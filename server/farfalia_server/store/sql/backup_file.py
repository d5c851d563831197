"""The file of a backup: what it is, every row of every table, and a checksum. JSON Lines in gzip, for any database.

The first line is the header, the last one the checksum of all lines before it. Between them each row is an array, in
the order of the header's tables and columns. Bytes are base64, times are ISO 8601.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from farfalia_server.contract.errors import BackupError

_FORMAT: Final = "farfalia backup 1"
#: Records are compressed already; a higher level gains little.
_EFFORT = 3
#: Most characters of a line: a record takes some 10,000.
_LONGEST_LINE = 1 << 28
#: Rows that are in memory at a time, and about how many characters of them.
BATCH, _CHARACTERS = 500, 8 << 20

Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class BackupTable:
    """A table in a backup: how many rows it has, and its columns with the kind of each."""

    name: str
    rows: int
    columns: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BackupHeader:
    """The header of a backup: schema of the tables, version of the server, time, and name of the database.

    `lost` is how many archives of programs are not in it, since they were not where the database has them.
    """

    schema: str
    version: str
    made: str
    source: str
    tables: tuple[BackupTable, ...]
    lost: int = 0

    @property
    def rows(self) -> int:
        """Rows of all tables."""
        return sum(table.rows for table in self.tables)


class BackupWriter:
    """Writes a backup to a temporary file beside its target, readable by its user alone, and renames it once complete.

    A context manager; raises BackupError if the file cannot be written, or if the target is not a regular file.
    """

    def __init__(self, path: Path, header: BackupHeader) -> None:
        self._path = path
        self._header = header
        self._hash = hashlib.sha256()
        self._beside = Path()

    def __enter__(self) -> Self:
        if self._path.exists() and not (self._path.is_file() and _is_backup(self._path)):
            raise BackupError(f"{self._path} already exists and is not a backup; expected a new name")
        try:
            number, name = tempfile.mkstemp(prefix=f".{self._path.name}.", dir=self._path.parent)
            self._beside = Path(name)
            self._raw = os.fdopen(number, "wb")
        except OSError as error:
            raise self._unwritable(error) from None
        self._file = gzip.GzipFile("", "wb", _EFFORT, self._raw)
        self._line({"format": _FORMAT, **asdict(self._header)})
        return self

    def write(self, rows: Sequence[Row], columns: Sequence[tuple[str, str]]) -> None:
        """Write rows with these columns."""
        kinds = [kind for _, kind in columns]
        for row in rows:
            self._line([_plain(value, kind) for value, kind in zip(row, kinds, strict=True)])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._line({"sha256": self._hash.hexdigest()})
                self._file.close()
                self._raw.flush()
                os.fsync(self._raw.fileno())
                self._beside.replace(self._path)
        except OSError as trouble:
            raise self._unwritable(trouble) from None
        finally:
            with suppress(OSError, ValueError):  # of a full disk, already reported
                self._file.close()
            with suppress(OSError):
                self._raw.close()
            self._beside.unlink(missing_ok=True)

    def _line(self, value: Any) -> None:
        line = json.dumps(value, separators=(",", ":")).encode() + b"\n"
        self._hash.update(line)
        try:
            self._file.write(line)
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> BackupError:
        return BackupError(f"{self._path} cannot be written: {error.strerror}")


def check(path: Path) -> BackupHeader:
    """Read a whole backup and return its header; BackupError, in one sentence, if it is damaged or no backup."""
    digest, header, rows, last = hashlib.sha256(), None, 0, b""
    for line in _lines(path):
        if header is None:
            header = _header(path, line)
        else:
            digest.update(last)
            rows += 1
        last = line
    if header is None or rows != header.rows + 1 or last != _end(digest):
        raise BackupError(f"{path} is broken: it does not match its checksum; use another backup")
    return header


def batches(path: Path) -> Iterator[tuple[BackupTable, list[Row]]]:
    """Yield the rows of a backup that `check` has read, in batches."""
    lines = _lines(path)
    for table in _header(path, next(lines)).tables:
        kinds = [kind for _, kind in table.columns]
        rows: list[Row] = []
        characters = 0
        for left in reversed(range(table.rows)):
            line = next(lines)
            characters += len(line)
            rows.append([_value(value, kind) for value, kind in zip(json.loads(line), kinds, strict=True)])
            if not left or len(rows) == BATCH or characters >= _CHARACTERS:
                yield table, rows
                rows, characters = [], 0


def _end(digest: Any) -> bytes:
    return json.dumps({"sha256": digest.hexdigest()}, separators=(",", ":")).encode() + b"\n"


def _header(path: Path, line: bytes) -> BackupHeader:
    try:
        found = json.loads(line)
        kind = found.pop("format")
        tables = [BackupTable(t["name"], t["rows"], tuple(map(tuple, t["columns"]))) for t in found.pop("tables")]
        header = BackupHeader(tables=tuple(tables), **found)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise _not_a_backup(path) from None
    if kind != _FORMAT:
        raise BackupError(f"{path} was written by a newer version of farfalia, {header.version}; update this one")
    return header


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path) as file:
            while line := file.readline(_LONGEST_LINE):
                yield line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        if str(error).startswith("Not a gzipped"):
            raise _not_a_backup(path) from None
        raise BackupError(f"{path} is broken: {str(error).lower()}; use another backup") from None
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}") from None


def _not_a_backup(path: Path) -> BackupError:
    return BackupError(f"{path} is not a backup; expected a file that `farfalia backup` has written")


def _is_backup(path: Path) -> bool:
    try:
        return bool(_header(path, next(_lines(path), b"")))
    except BackupError:
        return False


def _plain(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind == "bytes":
        return base64.b64encode(value).decode()
    return value.isoformat() if kind == "moment" else value


def _value(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind == "bytes":
        return base64.b64decode(value)
    return datetime.fromisoformat(value) if kind == "moment" else value
