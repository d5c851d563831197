"""SQLAlchemy's engines: drivers and options for SQLite and PostgreSQL."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from farfalia_server.contract.errors import StoreError
from farfalia_server.store.postgres_hosts import PostgresHosts, with_hosts_as_options

#: Seconds to wait for a lock of SQLite, and for a free connection to PostgreSQL.
_BUSY_SECONDS = 30
#: SQLSTATE of a write to a read-only server: after a failover it is no longer the primary.
_READ_ONLY = "25006"
#: Most connections to PostgreSQL: of the server, and of a process that only reads.
_CONNECTIONS, _READING_CONNECTIONS = 10, 4


def normalise(url: str) -> URL:
    """Return the URL with our driver, for `sqlite:///path`, `postgresql://…` or a plain path.

    Raises StoreError for anything else.
    """
    try:
        parsed = make_url(with_hosts_as_options(url)) if "://" in url else URL.create("sqlite", database=url)
        if parsed.get_backend_name() != "sqlite":
            PostgresHosts(parsed)
    except (ArgumentError, ValueError):
        raise StoreError("database_url is not an address; expected sqlite:///PATH or postgresql://…") from None
    kind = parsed.drivername.partition("+")[0]
    if kind == "sqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise StoreError("database_url names no file; expected sqlite:///PATH")
        if "://" in url and "?" in url:
            raise StoreError("database_url has a question mark; in sqlite:///PATH write %3F for it, and %25 for %")
        return parsed.set(drivername="sqlite+aiosqlite")
    if kind in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+asyncpg")
    raise StoreError(f"database_url begins with {kind}://; expected sqlite:///PATH or postgresql://…")


def postgres_engine(url: URL, *, to_write: bool) -> AsyncEngine:
    """Return an engine for PostgreSQL; one that does not write takes fewer connections."""
    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=PostgresHosts(url).connect,
        pool_size=_CONNECTIONS if to_write else _READING_CONNECTIONS,
        max_overflow=0,
        pool_timeout=_BUSY_SECONDS,
        hide_parameters=True,
    )

    @event.listens_for(engine.sync_engine, "handle_error")
    def look_for_the_primary(context: ExceptionContext) -> None:
        if getattr(context.original_exception, "sqlstate", "") == _READ_ONLY:
            context.is_disconnect = True

    return engine


def sqlite_engine(url: URL, connections: int, begin: str) -> AsyncEngine:
    """Return an engine for a file of SQLite whose transactions start with `begin`."""
    engine = create_async_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=None,
        hide_parameters=True,
        connect_args={"timeout": _BUSY_SECONDS},
    )

    _prepare(engine.sync_engine, begin)
    return engine


def sqlite_direct(url: URL, connections: int, begin: str) -> Engine:
    """Return an engine for the same file without asyncio, for as many threads as connections."""
    engine = create_engine(
        url.set(drivername="sqlite+pysqlite"),
        pool_size=connections,
        max_overflow=0,
        hide_parameters=True,
        connect_args={"timeout": _BUSY_SECONDS, "check_same_thread": False},
    )
    _prepare(engine, begin)
    return engine


def make_file(path: Path) -> None:
    """Create an empty file that only its user can read: it will hold the secrets of running tournaments."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    except OSError as error:
        raise StoreError(f"the database {path} cannot be created or opened: {error.strerror}") from None


def find_file(path: Path) -> None:
    """Raise StoreError if there is no such file: SQLite would create it."""
    if not path.exists():
        raise StoreError(f"there is no database {path}")


def _prepare(engine: Engine, begin: str) -> None:
    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # otherwise the driver decides when a transaction begins
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=NORMAL")  # a crash of this process loses nothing
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def start(connection: Any) -> None:
        connection.exec_driver_sql(begin)
