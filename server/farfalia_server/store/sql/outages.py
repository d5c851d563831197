"""Which database errors pass by themselves, so that a caller waits and tries again.

Drivers name the same trouble differently, and SQLAlchemy's classes tell who raised an error rather than why. So errors
are told apart by the databases' own codes: PostgreSQL's SQLSTATE, SQLite's result code. Whatever connecting to
PostgreSQL raises is an outage, and is an OSError by the time it gets here (`postgres_hosts`).
"""

import sqlite3
from collections.abc import Iterator

import asyncpg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

#: First two characters of a SQLSTATE.
_CLASSES = frozenset(
    {
        "08",  # the connection is lost, or was never made
        "40",  # serialization failure, deadlock, unknown outcome
        "53",  # disk full, out of memory, too many connections
        "57",  # shut down, crashed, starting up, cancelled by an operator or a time limit
        "58",  # its files fail
        "72",  # a snapshot is too old
        "F0",  # its configuration file cannot be read
        "XX",  # internal error, data corrupted
    }
)
_STATES = frozenset(
    {
        "25006",  # read-only: after a failover this is the wrong server
        "25P03",  # a transaction was idle for too long, as after a freeze of this process
        "25P04",  # a transaction took too long
        "55P03",  # a lock was not available
    }
)

#: Primary result codes of SQLite. "No such table" has the code of any wrong statement, SQLITE_ERROR, and is no outage.
_CODES = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)


def is_outage(error: BaseException) -> bool:
    """Return whether the same call may succeed a moment later."""
    if isinstance(error, (PoolTimeout, OSError)) or (isinstance(error, DBAPIError) and error.connection_invalidated):
        return True
    for cause in _causes(error):
        state = getattr(cause, "sqlstate", None)
        if state:
            return state in _STATES or state[:2] in _CLASSES
        code = getattr(cause, "sqlite_errorcode", None)
        if code is not None:
            return code & 0xFF in _CODES
        # An error without a code is asyncpg's own: either a value that it cannot send, which is our fault, or the
        # connection's.
        if isinstance(cause, (asyncpg.InterfaceError, asyncpg.InternalClientError)):
            return not isinstance(cause, ValueError)
        if isinstance(cause, OSError):
            return True
    return False


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and those that it wraps, from the outside in."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.orig if isinstance(seen, DBAPIError) else seen.__cause__
