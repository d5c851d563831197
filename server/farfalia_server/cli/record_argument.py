"""A record that a command line names: by its file, or by the number of a match on the server."""

from pathlib import Path

import typer

from farfalia.arena import SyncArena
from farfalia.v1 import record_pb2
from farfalia_engine import Record
from farfalia_server.contract.errors import RecordError
from farfalia_server.contract.untrusted import quoted
from farfalia_server.records import codec, files, verifying

RECORD_HELP = "A record's file, or the number of a match on the server."
#: Digits of the number of a match, at most.
_DIGITS = 19


def load_record(name: str, server: str) -> record_pb2.Record:
    """Return the record that an argument of the command line names; RecordError if there is none."""
    if name.isascii() and name.isdigit() and len(name) > _DIGITS:
        raise RecordError(f"there is no match {quoted(name)}: the number is too large")
    if name.isascii() and name.isdigit() and not Path(name).exists():
        with SyncArena(server) as arena:
            return arena.get_record(match=int(name)).record
    return files.read(Path(name))


def load_valid(name: str, server: str) -> record_pb2.Record:
    """Return the record that an argument names, once all that it says was found to hold; RecordError if it does not."""
    message = load_record(name, server)
    check_valid(name, codec.from_message(message))
    return message


def check_valid(name: str, record: Record) -> None:
    """Raise RecordError for a record that does not hold."""
    verdict = verifying.verify(record)
    if not verdict.holds:
        raise RecordError(f"{name} does not hold: {verdict.violations[0]}")


def seat_of(record: record_pb2.Record, text: str) -> int:
    """Return the number of the seat that is named by it, or by who sat there; BadParameter unless there is just one."""
    found = [number for number, seat in enumerate(record.seats) if text in (str(number), seat.name)]
    if len(found) != 1:
        seats = ", ".join(f"{number} ({seat.name})" for number, seat in enumerate(record.seats))
        wrong = f"{text} has several seats" if found else f"There is no seat {text}"
        raise typer.BadParameter(f"{wrong}; the match has {seats}.")
    return found[0]
