"""Which errors of a database are waited for, and which are shown at once."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from tests.server.postgres_fixture import Postgres
from tests.server.store_world import transaction

from farfalia_server.contract.errors import StoreError, StoreUnavailable
from farfalia_server.store.sql.database import Database
from farfalia_server.store.sql.outages import is_outage


def codes(table: str) -> list[str]:
    """SQLSTATEs, by lines that each have a class and what follows it."""
    return [kind + rest for kind, *conditions in map(str.split, table.strip().splitlines()) for rest in conditions]


#: Appendix A of PostgreSQL's manual.
SQLSTATES = codes(
    """
01 000 003 004 006 007 008 00C P01
02 000 001
03 000
08 000 001 003 004 006 007 P01
09 000
0A 000
0B 000
0F 000 001
0L 000 P01
0P 000
0Z 000 002
20 000
21 000
22 000 001 002 003 004 005 007 008 009 00B 00C 00D 00F 00G 00H 00L 00M 00N 00S 00T 010 011 012 013 014
22 015 016 018 019 01B 01E 01F 01G 01W 01X 021 022 023 024 025 026 027 02E 02G 02H 030 031 032 033 034
22 035 036 037 038 039 03A 03B 03C 03D 03E 03F 03G P01 P02 P03 P04 P05 P06
23 000 001 502 503 505 514 P01
24 000
25 000 001 002 003 004 005 006 007 008 P01 P02 P03 P04
26 000
27 000
28 000 P01
2B 000 P01
2D 000
2F 000 002 003 004 005
34 000
38 000 001 002 003 004
39 000 001 004 P01 P02 P03
3B 000 001
3D 000
3F 000
40 000 001 002 003 P01
42 000 501 601 602 611 622 701 702 703 704 710 712 723 725 803 804 809 830 846 883 8C9 939 P01 P02 P03
42 P04 P05 P06 P07 P08 P09 P10 P11 P12 P13 P14 P15 P16 P17 P18 P19 P20 P21 P22
44 000
53 000 100 200 300 400
54 000 001 011 023
55 000 006 P02 P03 P04
57 000 014 P01 P02 P03 P04 P05
58 000 030 P01 P02
72 000
F0 000 001
HV 000 001 002 004 005 006 007 008 009 00A 00B 00C 00D 00J 00K 00L 00M 00N 00P 00Q 00R 010 014 021 024
HV 090 091
P0 000 001 002 003 004
XX 000 001 002
"""
)
#: Those that a statement meets while PostgreSQL itself is in trouble. Any other one ends the server: it is a mistake in
#: what was asked, which asking again does not mend.
OUTAGES = codes(
    """
08 000 001 003 004 006 007 P01
25 006 P03 P04
40 000 001 002 003 P01
53 000 100 200 300 400
55 P03
57 000 014 P01 P02 P03 P04 P05
58 000 030 P01 P02
72 000
F0 000 001
XX 000 001 002
"""
)


def of_postgresql(sqlstate: str) -> list[Exception]:
    """The same error as the driver raises it, and as SQLAlchemy wraps it."""
    bare = asyncpg.PostgresError.new({"C": sqlstate, "M": "something"})
    wrapped = DBAPIError("SELECT 1", {}, Exception("something"))
    wrapped.orig.__cause__ = bare  # type: ignore[union-attr]
    return [bare, wrapped]


async def written(database: Database, *statements: str) -> None:
    def work(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))

    await database.write(work)


def test_every_sqlstate_of_a_statement_is_waited_for_or_ends_the_server() -> None:
    assert len(SQLSTATES) == 260
    assert [state for state in SQLSTATES if any(map(is_outage, of_postgresql(state)))] == OUTAGES
    assert [state for state in SQLSTATES if all(map(is_outage, of_postgresql(state)))] == OUTAGES


@pytest.mark.parametrize(
    "sqlstate",
    [state for state in SQLSTATES if state.endswith("000") and state > "03"],  # before that come warnings
)
async def test_whatever_connecting_raises_is_an_outage(sqlstate: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise asyncpg.PostgresError.new({"C": sqlstate, "M": "no"})

    monkeypatch.setattr(asyncpg, "connect", refuse)
    with pytest.raises(StoreUnavailable, match=r"^the database at \S+ does not answer: no$"):
        await Database.open("postgresql://nobody@127.0.0.1:1/nothing")


@pytest.mark.parametrize(
    ("refuse", "accept", "said"),
    [
        (
            "ALTER DATABASE {0} ALLOW_CONNECTIONS false",
            "ALTER DATABASE {0} ALLOW_CONNECTIONS true",
            "not currently",
        ),
        ("ALTER DATABASE {0} CONNECTION LIMIT 0", "ALTER DATABASE {0} CONNECTION LIMIT -1", "too many connections"),
        ("ALTER DATABASE {0} RENAME TO {0}_away", "ALTER DATABASE {0}_away RENAME TO {0}", "does not exist"),
        ("ALTER ROLE {0} NOLOGIN", "ALTER ROLE {0} LOGIN", "not permitted to log in"),
        ("REVOKE CONNECT ON DATABASE {0} FROM PUBLIC", "GRANT CONNECT ON DATABASE {0} TO PUBLIC", "permission denied"),
    ],
    ids=["55000 not accepting", "53300 too many", "3D000 no database", "28000 no login", "42501 no permission"],
)
async def test_a_real_postgresql_that_refuses_connections_is_waited_for(
    postgres: Postgres, refuse: str, accept: str, said: str
) -> None:
    url = postgres.database()
    name = url.partition("@/")[2].partition("?")[0]
    await asyncio.to_thread(postgres.run_sql, f"CREATE ROLE {name} LOGIN")  # the limits do not hold for superusers
    database = await Database.open(url.replace("postgres@", f"{name}@"))
    try:
        cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        if "RENAME" in refuse:
            await database._engine.close()
        await asyncio.to_thread(postgres.run_sql, refuse.format(name))
        await asyncio.to_thread(postgres.run_sql, cut)
        with pytest.raises(StoreUnavailable):  # one that was cut off
            await selected(database)
        with pytest.raises(StoreUnavailable, match=said):
            await selected(database)
        await asyncio.to_thread(postgres.run_sql, accept.format(name))
        assert await selected(database) == 1
    finally:
        await database.close()


async def selected(database: Database) -> int:
    return int(await database.read(lambda connection: connection.execute(text("SELECT 1")).scalar_one()))


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
    assert await selected(database) == 1  # and a moment later it is there again
    await database.close()


async def test_a_node_that_is_frozen_in_a_transaction_keeps_its_locks_for_seconds_only(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.store.sql.postgres_hosts._IDLE_SECONDS", 0.2)
    url, lock = postgres.database(), text("SELECT * FROM t FOR UPDATE")
    frozen, other = await Database.open(url), await Database.open(url)
    await written(other, "CREATE TABLE t (i int)", "INSERT INTO t VALUES (1)")
    had = asyncio.Event()

    async def meanwhile() -> None:
        async with asyncio.timeout(30):
            await other.write(lambda connection: connection.execute(lock))
        had.set()

    def freeze(connection: Connection) -> None:
        connection.execute(lock)
        driver: Any = connection.connection.dbapi_connection
        driver.run_async(lambda _: meanwhile())
        connection.execute(lock)

    with pytest.raises(StoreUnavailable):
        await frozen.write(freeze)
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
        await database.write(lambda connection: connection.execute(text(statement), values))
    await database.close()


@pytest.mark.parametrize("through", ["write", "read"])
@pytest.mark.parametrize("statement", ["SELECT * FROM nothing", "SELECT nothing FROM sqlite_master", "SELEKT"])
async def test_a_fault_of_ours_is_no_outage_of_sqlite(tmp_path: Path, statement: str, through: str) -> None:
    def broken(connection: Connection) -> None:
        connection.execute(text(statement))

    database = await Database.open(f"sqlite:///{tmp_path / 'store.db'}")
    with pytest.raises(DBAPIError):
        await getattr(database, through)(broken)
    await database.close()


async def test_what_is_read_in_one_go_is_what_was_committed_and_an_outage_is_known_there(
    store_url: str,
) -> None:
    def rows(connection: Connection) -> list[int]:
        return list(connection.execute(text("SELECT i FROM t ORDER BY i")).scalars())

    def outage(_: Connection) -> None:
        raise ConnectionRefusedError("nobody is there")

    database = await Database.open(store_url)
    await written(database, "CREATE TABLE t (i int)", "INSERT INTO t VALUES (1)")
    async with transaction(database, "INSERT INTO t VALUES (2)"):
        assert await database.read(rows) == [1]
    assert await asyncio.gather(*(database.read(rows) for _ in range(5))) == 5 * [[1, 2]]
    with pytest.raises(StoreUnavailable):
        await database.read(outage)
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
