"""Which errors of a database are waited for, and which are shown at once."""

import asyncio
import sqlite3
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from tests.server.postgres_fixture import Postgres

from farfalia_server.errors import StoreError, StoreUnavailable
from farfalia_server.store.database import Database
from farfalia_server.store.outages import is_outage

OUTAGES = (
    "08000 08003 08006 08001 08004 25006 25P03 28P01 3D000 40001 40003 40P01 53000 53100 53200 53300 53400 55P03"
    " 57000 57014 57P01 57P02 57P03 57P04 57P05 58000 58030 F0000 XX000 XX001 XX002"
)
FAULTS = "22003 22021 23505 23503 25001 25P02 42601 42703 42P01 42P07 0A000"


def of_postgresql(sqlstate: str) -> list[Exception]:
    """The same error as the driver raises it, and as SQLAlchemy wraps it."""
    bare = asyncpg.PostgresError.new({"C": sqlstate, "M": "something"})
    wrapped = DBAPIError("SELECT 1", {}, Exception("something"))
    wrapped.orig.__cause__ = bare  # type: ignore[union-attr]
    return [bare, wrapped]


async def written(database: Database, *statements: str) -> None:
    async with database.write() as connection:
        for statement in statements:
            await connection.execute(text(statement))


@pytest.mark.parametrize("sqlstate", OUTAGES.split())
def test_trouble_of_postgresql_itself_is_waited_for(sqlstate: str) -> None:
    assert all(map(is_outage, of_postgresql(sqlstate)))


@pytest.mark.parametrize("sqlstate", FAULTS.split())
def test_what_is_wrong_with_a_statement_or_a_value_is_not_waited_for(sqlstate: str) -> None:
    assert not any(map(is_outage, of_postgresql(sqlstate)))


@pytest.mark.parametrize(
    "statement",
    [
        "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '57014'; END $$",
        "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40P01'; END $$",
        "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '53100'; END $$",
        "SET LOCAL default_transaction_read_only = on; SET TRANSACTION READ ONLY; CREATE TABLE t (i int)",
        "SELECT pg_terminate_backend(pg_backend_pid())",
    ],
    ids=["cancelled", "deadlock", "disk full", "read only", "terminated"],
)
async def test_a_real_postgresql_in_trouble_is_unavailable(postgres: Postgres, statement: str) -> None:
    database = await Database.open(postgres.database())
    with pytest.raises(StoreUnavailable):
        await written(database, *(statement.split("; ") if "DO" not in statement else [statement]))
    async with database.read() as connection:  # and a moment later it is there again
        assert (await connection.execute(text("SELECT 1"))).scalar() == 1
    await database.close()


async def test_a_node_that_is_frozen_in_a_transaction_keeps_its_locks_for_seconds_only(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.store.postgres_hosts._IDLE_SECONDS", 0.2)
    url, lock = postgres.database(), text("SELECT * FROM t FOR UPDATE")
    frozen, other = await Database.open(url), await Database.open(url)
    await written(other, "CREATE TABLE t (i int)", "INSERT INTO t VALUES (1)")
    had = asyncio.Event()

    async def freeze() -> None:
        async with frozen.write() as connection:
            await connection.execute(lock)
            async with asyncio.timeout(30), other.write() as waiting:
                await waiting.execute(lock)
                had.set()
            await connection.execute(lock)

    with pytest.raises(StoreUnavailable):
        await freeze()
    assert had.is_set(), "the other node waits for the frozen one"
    await frozen.close()
    await other.close()


@pytest.mark.parametrize(
    ("statement", "values"),
    [("SELECT * FROM nothing", {}), ("SELECT CAST(:n AS int)", {"n": 2**70}), ("SELECT CAST(:n AS text)", {"n": "\0"})],
    ids=["no such table", "number too large", "zero byte"],
)
async def test_a_fault_of_ours_is_no_outage_of_postgresql(
    postgres: Postgres, statement: str, values: dict[str, object]
) -> None:
    database = await Database.open(postgres.database())
    with pytest.raises(DBAPIError):
        async with database.write() as connection:
            await connection.execute(text(statement), values)
    await database.close()


@pytest.mark.parametrize("through", ["write", "do", "fetch"])
@pytest.mark.parametrize("statement", ["SELECT * FROM nothing", "SELECT nothing FROM sqlite_master", "SELEKT"])
async def test_a_fault_of_ours_is_no_outage_of_sqlite(tmp_path: Path, statement: str, through: str) -> None:
    def broken(connection: Connection) -> None:
        connection.execute(text(statement))

    database = await Database.open(f"sqlite:///{tmp_path / 'store.db'}")
    with pytest.raises(DBAPIError):
        await (written(database, statement) if through == "write" else getattr(database, through)(broken))
    await database.close()


async def test_what_is_read_in_one_go_is_what_was_committed_and_waits_for_an_outage_as_all_reads_do(
    store_url: str,
) -> None:
    def rows(connection: Connection) -> list[int]:
        return list(connection.execute(text("SELECT i FROM t ORDER BY i")).scalars())

    def outage(_: Connection) -> None:
        raise ConnectionRefusedError("nobody is there")

    database = await Database.open(store_url)
    await written(database, "CREATE TABLE t (i int)", "INSERT INTO t VALUES (1)")
    async with database.write() as connection:
        await connection.execute(text("INSERT INTO t VALUES (2)"))
        assert await database.fetch(rows) == [1]
    assert await asyncio.gather(*(database.fetch(rows) for _ in range(5))) == 5 * [[1, 2]]
    with pytest.raises(StoreUnavailable):
        await database.fetch(outage)
    await database.close()


async def test_a_sqlite_that_is_full_is_unavailable(tmp_path: Path) -> None:
    database = await Database.open(f"sqlite:///{tmp_path / 'store.db'}")
    with pytest.raises(StoreUnavailable, match="full"):
        await written(
            database,
            "CREATE TABLE t (b blob)",
            "PRAGMA max_page_count = 10",
            "INSERT INTO t VALUES (zeroblob(1000000))",
        )
    await database.close()


@pytest.mark.parametrize(
    ("code", "outage"),
    [
        (sqlite3.SQLITE_BUSY_SNAPSHOT, True),
        (sqlite3.SQLITE_IOERR_WRITE, True),
        (sqlite3.SQLITE_FULL, True),
        (sqlite3.SQLITE_READONLY_DBMOVED, True),
        (sqlite3.SQLITE_ERROR, False),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, False),
        (sqlite3.SQLITE_NOTADB, False),
    ],
)
def test_an_outage_of_sqlite_is_known_by_its_result_code(code: int, outage: bool) -> None:
    error = sqlite3.OperationalError("something")
    error.sqlite_errorcode = code
    assert is_outage(DBAPIError("SELECT 1", {}, error)) is outage


async def test_a_password_that_is_refused_at_the_start_is_one_sentence(postgres: Postgres) -> None:
    url = postgres.database().replace("postgres@", "nobody:wrong@")
    with pytest.raises(StoreError, match=r'^[^\n]*role "nobody" does not exist[^\n]*$'):
        await Database.open(url)
