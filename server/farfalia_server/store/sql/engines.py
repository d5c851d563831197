"""SQLAlchemy's engines: where work runs, with which drivers and options, for SQLite and PostgreSQL."""

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import create_async_engine

from farfalia_server.contract.errors import StoreError
from farfalia_server.net.cpu_time import in_thread
from farfalia_server.store.sql.postgres_hosts import PostgresHosts, with_hosts_as_options

T = TypeVar("T")

#: Seconds to wait for a lock of SQLite, and for a free connection to PostgreSQL.
_BUSY_SECONDS = 30
#: SQLSTATE of a write to a read-only server: after a failover it is no longer the primary.
_READ_ONLY = "25006"
#: Most connections to PostgreSQL: of the server, and of a process that only reads.
_CONNECTIONS, _READING_CONNECTIONS = 10, 4
#: Threads that read from SQLite.
_READERS = 4
#: Seconds between two looks whether a file may be opened.
_LOOK_SECONDS = 0.05


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
        return parsed.set(drivername="sqlite")
    if kind in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+asyncpg")
    raise StoreError(f"database_url begins with {kind}://; expected sqlite:///PATH or postgresql://…")


class SqliteEngine:
    """A file of SQLite, whose work runs in threads: one trip for a transaction, where each statement would take some.

    SQLite has one writer at a time, so writes queue here, in order, rather than at the file's lock, which keeps no
    order.
    """

    def __init__(self, url: URL) -> None:
        self._turn = asyncio.Lock()
        self._writer = sqlite_engine(url, 1, "BEGIN IMMEDIATE")
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="sqlite")
        self._reader = sqlite_engine(url, _READERS, "BEGIN")
        self._reading = ThreadPoolExecutor(_READERS, thread_name_prefix="sqlite-reader")

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` reads."""
        transaction = in_thread(_in_transaction)
        return await asyncio.get_running_loop().run_in_executor(self._reading, transaction, self._reader, work)

    async def snapshot(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` reads, and wait for its end even if cancelled."""
        return await _to_its_end(self._reading, self._reader, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Commit what `work` does, and wait for its end even if cancelled."""
        async with self._turn:
            return await _to_its_end(self._writing, self._writer, work)

    async def close(self) -> None:
        """Close every connection, in a thread of its own."""
        for engine, threads in ((self._writer, self._writing), (self._reader, self._reading)):
            await asyncio.get_running_loop().run_in_executor(threads, engine.dispose)
            threads.shutdown()


class PostgresEngine:
    """Connections to PostgreSQL, whose work runs on the event loop; one that does not write takes fewer of them."""

    def __init__(self, url: URL, *, to_write: bool) -> None:
        self._engine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=PostgresHosts(url).connect,
            pool_size=_CONNECTIONS if to_write else _READING_CONNECTIONS,
            max_overflow=0,
            pool_timeout=_BUSY_SECONDS,
            hide_parameters=True,
        )
        event.listen(self._engine.sync_engine, "handle_error", _look_for_the_primary)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` reads."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    #: Commits what `work` does; undone if the caller is cancelled.
    write = read

    async def snapshot(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` reads of one moment."""
        async with self._engine.connect() as connection:
            await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            async with connection.begin():
                # It locks nothing, and may be slow.
                await connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
                return await connection.run_sync(work)

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()


def sqlite_engine(url: URL, connections: int, begin: str) -> Engine:
    """Return an engine for a file of SQLite whose transactions start with `begin`, for as many threads."""
    engine = create_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        hide_parameters=True,
        connect_args={"timeout": _BUSY_SECONDS, "check_same_thread": False},
    )

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


@asynccontextmanager
async def one_at_a_time(url: str) -> AsyncIterator[None]:
    """Keep others from opening this SQLite file within the block; other databases need no such lock.

    Opening a new file switches it to write-ahead logging and migrates it. Two processes that do so at the same time
    can wait for each other until both give up.
    """
    parsed = normalise(url)
    file = Path(str(parsed.database))
    if parsed.get_backend_name() != "sqlite":
        yield
        return
    try:
        lock = os.open(file.parent, os.O_RDONLY)  # the directory, so that no other file is left behind
    except OSError:  # a file that cannot be written is reported when it is opened
        yield
        return
    try:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                await asyncio.sleep(_LOOK_SECONDS)
        yield
    finally:
        os.close(lock)


def _look_for_the_primary(context: ExceptionContext) -> None:
    if getattr(context.original_exception, "sqlstate", "") == _READ_ONLY:
        context.is_disconnect = True


async def _to_its_end(threads: ThreadPoolExecutor, engine: Engine, work: Callable[[Connection], T]) -> T:
    """Return what `work` returns; if the caller is cancelled, not before it has ended."""
    done = asyncio.get_running_loop().run_in_executor(threads, _in_transaction, engine, work)
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        await asyncio.wait((done,))
        done.exception()  # seen
        raise


def _in_transaction(engine: Engine, work: Callable[[Connection], T]) -> T:
    with engine.begin() as connection:
        return work(connection)
