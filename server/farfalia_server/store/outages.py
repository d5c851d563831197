"""Which errors of a database pass by themselves, so that a caller waits and tries again.

Drivers name the same trouble differently, and SQLAlchemy's classes say who complains rather than what about. So errors
are distinguished by what the databases themselves say: the SQLSTATE of PostgreSQL, the result code of SQLite.
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
        "28",  # it refuses who we are: at the start that is a fault of the settings, later somebody changes passwords
        "40",  # serialization failure, deadlock, an outcome that is not known
        "53",  # disk full, out of memory, too many connections
        "57",  # shut down, crashed, starting up, cancelled by an operator or a time limit
        "58",  # the files below it fail
        "F0",  # its configuration file cannot be read
        "XX",  # internal error, data corrupted
    }
)
_STATES = frozenset(
    {
        "25006",  # read only: after a failover this is the wrong server
        "25P03",  # a transaction did nothing for too long, as if we were frozen
        "3D000",  # the database is not there: at the start a fault of the settings, later it is being restored
        "55P03",  # a lock could not be had
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
    """Return whether the same call may work a moment later, with nothing about the call itself changed."""
    if isinstance(error, (PoolTimeout, OSError)) or (isinstance(error, DBAPIError) and error.connection_invalidated):
        return True
    for cause in _causes(error):
        state = getattr(cause, "sqlstate", None)
        if state:
            return state in _STATES or state[:2] in _CLASSES
        code = getattr(cause, "sqlite_errorcode", None)
        if code is not None:
            return code & 0xFF in _CODES
        # Without a code asyncpg speaks for itself: a value that it cannot send is ours, anything else is the
        # connection's.
        if isinstance(cause, (asyncpg.InterfaceError, asyncpg.InternalClientError)):
            return not isinstance(cause, ValueError)
        if isinstance(cause, OSError):
            return True
    return False


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and what it wraps, from the outside in."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.orig if isinstance(seen, DBAPIError) else seen.__cause__
