"""One database behind four verbs: `read` and `write`, and their one-step forms `fetch` and `do`.

SQLite has one writer at a time, so writes queue here, in order, rather than at the file's lock, which keeps no order.
PostgreSQL needs no such care.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import asyncpg
from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from farfalia_server.contract.errors import StoreError, StoreUnavailable
from farfalia_server.net.cpu_time import in_thread
from farfalia_server.store.engines import find_file, make_file, normalise, postgres_engine, sqlite_direct, sqlite_engine
from farfalia_server.store.fences import Fence, acting, check
from farfalia_server.store.outages import is_outage
from farfalia_server.store.postgres_hosts import shown

T = TypeVar("T")

#: Number of the advisory lock for migrations: any that nothing else in this database uses.
_MIGRATION_LOCK = 0x46415246
#: Threads that read from SQLite in one go.
_READERS = 2


class Database:
    """An open database; made by `Database.open`."""

    def __init__(self, url: URL, reader: AsyncEngine, writer: AsyncEngine) -> None:
        self.url = url
        self._is_in_outage = False
        self._outage_end = -math.inf
        #: Called with the seconds of each transaction that was answered.
        self.took: Callable[[float], None] = _ignore
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self._reader = reader
        self._writer = writer
        #: Held while writing.
        self._turn = asyncio.Lock() if self.is_sqlite else nullcontext()
        # For writes in one go on SQLite.
        self._direct = sqlite_direct(url, 1, "BEGIN IMMEDIATE") if self.is_sqlite else None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sqlite")
        # For reads in one go.
        self._direct_reader = sqlite_direct(url, _READERS, "BEGIN") if self.is_sqlite else None
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="sqlite-reader")

    @classmethod
    async def open(cls, url: str, *, to_write: bool = True) -> "Database":
        """Connect once, so that a mistake shows now; StoreError, in one sentence, if anything is wrong."""
        parsed = normalise(url)
        if parsed.get_backend_name() == "sqlite":
            (make_file if to_write else find_file)(Path(str(parsed.database)))
            database = cls(parsed, sqlite_engine(parsed, 4, "BEGIN"), sqlite_engine(parsed, 1, "BEGIN IMMEDIATE"))
        else:
            engine = postgres_engine(parsed, to_write=to_write)
            database = cls(parsed, engine, engine)
        try:
            async with database.write() if to_write else database.read() as connection:
                await connection.execute(text("SELECT 1"))
        except BaseException as error:
            await database.close()
            if isinstance(error, (DBAPIError, asyncpg.PostgresError)):
                raise database.unusable(error) from None
            raise
        return database

    @property
    def outage_end(self) -> float:
        """The end of the last outage on the clock of `monotonic`; the present while one lasts."""
        return monotonic() if self._is_in_outage else self._outage_end

    def heard(self, *, answer: bool) -> None:
        """Note whether a call was answered or met an outage."""
        self._outage_end = self.outage_end
        self._is_in_outage = not answer

    @property
    def address(self) -> str:
        """The address as users may see it, without a password."""
        return shown(self.url)

    def unusable(self, error: BaseException) -> StoreError:
        """Return a StoreError for an error that waiting does not fix."""
        return StoreError(f"the database at {shown(self.url)} cannot be used: {_first_line(error)}")

    async def close(self) -> None:
        """Close every connection."""
        await self._reader.dispose()
        if self._writer is not self._reader:
            await self._writer.dispose()
        for direct, threads in ((self._direct, self._thread), (self._direct_reader, self._readers)):
            if direct is not None:
                await asyncio.get_running_loop().run_in_executor(threads, direct.dispose)
            threads.shutdown()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Provide a connection that sees one moment on SQLite and committed rows on PostgreSQL.

        Raises StoreUnavailable if the database does not answer.
        """
        async with _translated(self), self._reader.begin() as connection:
            yield connection

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """Provide a connection that sees one moment on either database, for as long as it takes; nobody waits for it.

        Raises StoreUnavailable if the database does not answer.
        """
        async with _translated(self), self._reader.connect() as connection:
            if not self.is_sqlite:
                await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            async with connection.begin():
                if not self.is_sqlite:  # it locks nothing, and its reader may be slow
                    await connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """Provide a transaction: committed at the end, undone by any error.

        Raises StoreUnavailable if the database does not answer; whether it committed is then unknown. Raises RoleLost
        if the current context acts for a role that another node has.
        """
        fence = acting.get()
        async with _translated(self), self._turn, self._writer.begin() as connection:
            if fence is not None:
                await connection.run_sync(check, fence, is_sqlite=self.is_sqlite)
            yield connection

    async def fetch(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` reads, in one step: for what is looked up again and again while matches are played.

        On SQLite each step of `read` costs the event loop a trip to the driver's thread; this needs one trip in all,
        which takes a third of the time. Raises StoreUnavailable as `read` does.
        """
        direct = self._direct_reader
        if direct is None:
            async with self.read() as connection:
                return await connection.run_sync(work)
        async with _translated(self):
            transaction = in_thread(_in_transaction)
            return await asyncio.get_running_loop().run_in_executor(self._readers, transaction, direct, work)

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction in one step: `work` is committed at its end and rolled back by any error.

        For what every match needs. On SQLite a statement of `write` costs the event loop several trips to the driver's
        thread; this needs one in all. `work` may run in another thread, and is finished even if its caller is
        cancelled. Raises StoreUnavailable as `write` does.
        """
        direct = self._direct
        if direct is None:
            async with self.write() as connection:
                return await connection.run_sync(work)
        async with _translated(self), self._turn:
            done = asyncio.get_running_loop().run_in_executor(self._thread, _in_transaction, direct, work, acting.get())
            try:
                return await asyncio.shield(done)
            except asyncio.CancelledError:
                await asyncio.wait((done,))
                done.exception()  # seen
                raise

    def lock(self, connection: Connection, number: int) -> None:
        """Wait until no other transaction holds the lock of this number; SQLite's single writer has it already."""
        if not self.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})

    async def migrating(self, migrate: Callable[[Any], None]) -> None:
        """Run a migration in one transaction, one node at a time."""
        async with self.write() as connection:
            await connection.run_sync(self.lock, _MIGRATION_LOCK)
            await connection.run_sync(migrate)


def _ignore(seconds: float) -> None:
    """Do nothing: transactions are not measured."""


def _in_transaction(engine: Engine, work: Callable[[Connection], T], fence: Fence | None = None) -> T:
    with engine.begin() as connection:
        if fence is not None:
            check(connection, fence, is_sqlite=True)
        return work(connection)


@asynccontextmanager
async def _translated(database: Database) -> AsyncIterator[None]:
    """Turn the drivers' errors of an outage into StoreUnavailable."""
    began = monotonic()
    try:
        yield
        database.heard(answer=True)
        database.took(monotonic() - began)
    except (DBAPIError, PoolTimeout, asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        if not is_outage(error):
            raise
        database.heard(answer=False)
        raise StoreUnavailable(f"the database at {shown(database.url)} does not answer: {_first_line(error)}") from None


def _first_line(error: BaseException) -> str:
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    lines = str(cause).strip().splitlines()
    return lines[0] if lines else type(cause).__name__
