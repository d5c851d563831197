"""The real store in virtual time: its SQL runs on a SQLite of the world, at once, after a way that takes time."""

from __future__ import annotations

import asyncio
import math
import tempfile
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Engine
from tests.server.migrated import sqlite_url

from farfalia_server.store import Match, Store
from farfalia_server.store.sql.engines import normalise, sqlite_engine
from farfalia_server.store.sql.fences import acting, fenced
from farfalia_tools.testing.memory_redis import Through, directly

T = TypeVar("T")

#: Transactions that may be open at the same time.
_CONNECTIONS = 20


class SqlStore:
    """A database that outlives its clients; `close` removes it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        url = normalise(sqlite_url(Path(self._folder.name) / "farfalia.db"))
        self._reader = sqlite_engine(url, _CONNECTIONS, "BEGIN")
        self._writer = sqlite_engine(url, 1, "BEGIN IMMEDIATE")
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

    address = "memory"
    outage_end = -math.inf

    def __init__(self, reader: Engine, writer: Engine, turn: asyncio.Lock, through: Through) -> None:
        self._reader, self._writer, self._turn, self._through = reader, writer, turn, through

    async def read(self, work: Callable[[Connection], T]) -> T:
        return cast(T, await self._through("read", lambda: _in_transaction(self._reader, work)))

    async def write(self, work: Callable[[Connection], T]) -> T:
        fence = acting.get()
        work = work if fence is None else partial(fenced, fence, work)
        async with self._turn:
            return cast(T, await self._through("write", lambda: _in_transaction(self._writer, work)))


def _in_transaction(engine: Engine, work: Callable[[Connection], T]) -> T:
    with engine.begin() as connection:
        return work(connection)
