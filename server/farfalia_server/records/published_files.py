"""A directory of files as servers publish them: records and entries of chains, one in a file or one in a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import farfalia_engine as engine
from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import RecordError
from farfalia_server.records import files
from farfalia_server.records.codec import from_message
from farfalia_tournaments import PublishedEntry, TournamentError, is_entry, read_entry


@dataclass(frozen=True, slots=True)
class PublishedFiles:
    """What is in a directory: entries in any order, records by match, and what cannot be read, a sentence each."""

    entries: tuple[PublishedEntry, ...]
    records: dict[int, engine.Record]
    problems: tuple[str, ...]


def read_all(directory: Path) -> PublishedFiles:
    """Read every `.json` file, a record, and every `.ndjson` file, with a record or an entry in each line.

    What is there twice counts once, however it was downloaded; two records of one match that differ are a problem.
    """
    entries: dict[PublishedEntry, None] = {}
    records: dict[int, engine.Record] = {}
    problems = []
    for name, text in _texts(directory):
        try:
            if is_entry(_document(text)):
                entries[read_entry(text)] = None
                continue
            record = from_message(files.loads(text, name))
        except TournamentError as error:
            problems.append(f"{name}: {error}")
            continue
        except RecordError as error:
            problems.append(str(error))
            continue
        other = records.setdefault(record.match, record)
        if other.computed_digest() != record.computed_digest():
            problems.append(f"{name} is another record of match {record.match} than the one that was read before")
    return PublishedFiles(tuple(entries), records, tuple(problems))


def records_in(directory: Path) -> Iterator[record_pb2.Record]:
    """Yield the records of the same files, one after the other; RecordError at one that cannot be read."""
    for name, text in _texts(directory):
        if not is_entry(_document(text)):
            yield files.loads(text, name)


def count(directory: Path) -> int:
    """Return how many records and entries the same files hold."""
    return sum(1 for _ in _texts(directory))


def _texts(directory: Path) -> Iterator[tuple[str, str]]:
    """Yield what each file or line holds, with its name."""
    for path in sorted(directory.iterdir()):
        if path.suffix == ".json":
            yield str(path), path.read_text(encoding="utf-8-sig", errors="replace")
        elif path.suffix == ".ndjson":
            with path.open(encoding="utf-8-sig", errors="replace") as lines:
                for number, line in enumerate(lines, start=1):
                    if line.strip():
                        yield f"{path}, line {number}", line


def _document(text: str) -> object:
    """Return what a text holds; None if it is not JSON, which is then reported of it as of a record."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
