"""The real store in virtual time: its SQL runs on a SQLite of the world, at once, after a way that takes time."""

from __future__ import annotations

import asyncio
import math
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Engine
from tests.server.migrated import sqlite_url

from farfalia_server.store import Match, Store
from farfalia_server.store.engines import normalise, sqlite_direct
from farfalia_server.store.fences import Fence, acting, check
from farfalia_tools.testing.memory_redis import Through, directly

T = TypeVar("T")

#: Transactions that may be open at the same time.
_CONNECTIONS = 20


class SqlStore:
    """A database that outlives its clients; `close` removes it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        url = normalise(sqlite_url(Path(self._folder.name) / "farfalia.db"))
        self._reader = sqlite_direct(url, _CONNECTIONS, "BEGIN")
        self._writer = sqlite_direct(url, 1, "BEGIN IMMEDIATE")
        self._turn = asyncio.Lock()
        #: What a world looks at itself, without a way to it.
        self.own = self.client()

    def client(self, through: Through = directly) -> Store:
        """Return the store of a process, whose calls go this way."""
        return Store(cast(Any, _Database(self._reader, self._writer, self._turn, through)))

    def all(self) -> list[Match]:
        """Return all matches as they are now, oldest first."""
        return at_once(self.own.matches.of_tournament(1))

    def get(self, match: int) -> Match:
        """Return a match as it is now; NotFound."""
        return at_once(self.own.matches.get(match))

    def close(self) -> None:
        """Remove the database."""
        self._reader.dispose()
        self._writer.dispose()
        self._folder.cleanup()


def at_once(call: Coroutine[Any, Any, T]) -> T:
    """Return the result of a call that lets others run at most, and waits for nothing."""
    try:
        while call.send(None) is None:
            pass
    except StopIteration as done:
        return cast(T, done.value)
    raise AssertionError("the call waits for something")


class _Database:
    """What a store asks of a `Database`."""

    is_sqlite = True
    address = "memory"
    outage_end = -math.inf

    def __init__(self, reader: Engine, writer: Engine, turn: asyncio.Lock, through: Through) -> None:
        self._reader, self._writer, self._turn, self._through = reader, writer, turn, through

    async def fetch(self, work: Callable[[Connection], T]) -> T:
        return cast(T, await self._through("fetch", lambda: _in_transaction(self._reader, work, None)))

    async def do(self, work: Callable[[Connection], T]) -> T:
        fence = acting.get()
        async with self._turn:
            return cast(T, await self._through("do", lambda: _in_transaction(self._writer, work, fence)))

    def read(self) -> AbstractAsyncContextManager[_Connection]:
        return self._open(self._reader, nullcontext(), None)

    def write(self) -> AbstractAsyncContextManager[_Connection]:
        return self._open(self._writer, self._turn, acting.get())

    def lock(self, connection: Connection, number: int) -> None:
        pass

    @asynccontextmanager
    async def _open(self, engine: Engine, turn: Any, fence: Fence | None) -> AsyncIterator[_Connection]:
        async with turn:
            await self._through("begin", lambda: None)
            with engine.begin() as connection:
                if fence is not None:
                    check(connection, fence, is_sqlite=True)
                yield _Connection(connection)


class _Connection:
    """What a store asks of an `AsyncConnection`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def execute(self, *arguments: Any) -> Any:
        return self._connection.execute(*arguments)

    async def run_sync(self, work: Callable[..., T], *arguments: Any, **named: Any) -> T:
        return work(self._connection, *arguments, **named)


def _in_transaction(engine: Engine, work: Callable[[Connection], T], fence: Fence | None) -> T:
    with engine.begin() as connection:
        if fence is not None:
            check(connection, fence, is_sqlite=True)
        return work(connection)
