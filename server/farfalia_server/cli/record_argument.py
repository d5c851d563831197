"""A record that a command line names: by its file, or by the number of a match on the server."""

from pathlib import Path

from farfalia.arena import SyncArena
from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import RecordError
from farfalia_server.contract.untrusted import quoted
from farfalia_server.records import files

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
