"""One database behind two verbs: `read` and `write` take a function of a Connection and run it as a transaction."""

import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TypeVar

import asyncpg
from sqlalchemy import Connection, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from farfalia_server.contract.errors import StoreError, StoreUnavailable
from farfalia_server.contract.said import said
from farfalia_server.store.sql.dialects import lock
from farfalia_server.store.sql.engines import PostgresEngine, SqliteEngine, find_file, make_file, normalise
from farfalia_server.store.sql.fences import acting, fenced
from farfalia_server.store.sql.outages import is_outage
from farfalia_server.store.sql.postgres_hosts import shown

T = TypeVar("T")

#: Number of the advisory lock for migrations: any that nothing else in this database uses.
_MIGRATION_LOCK = 0x46415246


class Database:
    """An open database; made by `Database.open`."""

    def __init__(self, url: URL, engine: SqliteEngine | PostgresEngine) -> None:
        self.url = url
        self._is_in_outage = False
        self._outage_end = -math.inf
        #: Called with the seconds of each transaction that was answered.
        self.took: Callable[[float], None] = _ignore
        self._engine = engine

    @classmethod
    async def open(cls, url: str, *, to_write: bool = True) -> "Database":
        """Connect once, so that a mistake shows now; StoreError, in one sentence, if anything is wrong."""
        parsed = normalise(url)
        if parsed.get_backend_name() == "sqlite":
            (make_file if to_write else find_file)(Path(str(parsed.database)))
            database = cls(parsed, SqliteEngine(parsed))
        else:
            database = cls(parsed, PostgresEngine(parsed, to_write=to_write))
        try:
            await (database.write if to_write else database.read)(_connect)
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
        await self._engine.close()

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` reads: of one moment on SQLite, committed rows on PostgreSQL; it may run in a thread.

        Raises StoreUnavailable if the database does not answer.
        """
        async with _translated(self):
            return await self._engine.read(work)

    async def snapshot(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` reads of one moment on either database, for as long as it takes; nobody waits for it.

        A caller that is cancelled still waits for it if it runs in a thread. Raises StoreUnavailable as `read` does.
        """
        async with _translated(self):
            return await self._engine.snapshot(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` as a transaction: committed at its end, undone by any error; it may run in a thread.

        A caller that is cancelled finds it done or undone as a whole. Raises StoreUnavailable if the database does not
        answer; whether it committed is then unknown. Raises RoleLost if the current context acts for a role that
        another node has.
        """
        fence = acting.get()
        async with _translated(self):
            return await self._engine.write(work if fence is None else partial(fenced, fence, work))

    async def migrating(self, migrate: Callable[[Connection], None]) -> None:
        """Run a migration in one transaction, one node at a time."""

        def work(connection: Connection) -> None:
            lock(connection, _MIGRATION_LOCK)
            migrate(connection)

        await self.write(work)


def _ignore(seconds: float) -> None:
    """Do nothing: transactions are not measured."""


def _connect(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))


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
        raise StoreUnavailable(
            said(
                "the database at %(url)s does not answer: %(error)s", url=shown(database.url), error=_first_line(error)
            )
        ) from None


def _first_line(error: BaseException) -> str:
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    lines = str(cause).strip().splitlines()
    return lines[0] if lines else type(cause).__name__
