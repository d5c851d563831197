"""Databases that earlier versions have made, opened by this one: everything is there, and still holds."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.cli import forked
from tests.server.live import ADMIN, PATIENCE, live_server
from tests.server.postgres_fixture import Postgres
from tests.server.upgrade.contents import contents, what_newer_versions_leave

from farfalia_server.store import Store
from farfalia_server.store.sql.database import Database
from farfalia_server.store.sql.migrate import migrate_to, newest_schema, schemas

HERE = Path(__file__).parent
#: The schemas of which a database is kept, by their number.
KEPT = sorted(file.stem for file in HERE.glob("*.sql"))


def test_a_database_of_the_first_the_last_and_the_schema_before_is_kept() -> None:
    known = sorted(schemas())
    assert sorted({known[0], *known[-2:]}) == KEPT, "python -m tests.server.upgrade keeps the newest; delete the others"


def sqlite_file(number: str, file: Path) -> str:
    """A SQLite file as a version of this schema has left it."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript((HERE / f"{number}.sql").read_text())
    return f"sqlite:///{file}"


def rows(number: str) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """The rows of every table of a schema that is kept."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript((HERE / f"{number}.sql").read_text())
        database.row_factory = sqlite3.Row
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        for (name,) in tables.fetchall():
            yield name, [dict(row) for row in database.execute(f'SELECT * FROM "{name}"')]


async def fill(url: str, number: str) -> None:
    """Give a PostgreSQL the tables of this schema, and the same rows."""

    def work(connection: sa.Connection) -> None:
        migrate_to(connection, number)
        tables = sa.MetaData()
        tables.reflect(connection)
        given = dict(rows(number))
        for table in reversed(tables.sorted_tables):
            connection.execute(table.delete())
        for table in tables.sorted_tables:
            kinds = {column.name: column.type for column in table.columns}
            for row in given[table.name]:
                values = {key: fitting(value, kinds[key]) for key, value in row.items()}
                connection.execute(table.insert(), values)
            for column in sa.inspect(connection).get_columns(table.name):
                if "nextval" in str(column["default"]):  # new rows are numbered after these
                    newest = f'SELECT coalesce(max("{column["name"]}"), 0) + 1 FROM "{table.name}"'
                    sequence = f"pg_get_serial_sequence('\"{table.name}\"', '{column['name']}')"
                    connection.execute(sa.text(f"SELECT setval({sequence}, ({newest}), false)"))

    database = await Database.open(url)
    await database.write(work)
    await database.close()


def fitting(value: object, kind: sa.types.TypeEngine[object]) -> object:
    """A value of SQLite as PostgreSQL's driver takes it."""
    if value is None:
        return None
    if isinstance(kind, sa.Boolean):
        return bool(value)
    if isinstance(kind, sa.DateTime):
        return datetime.fromisoformat(str(value)).replace(tzinfo=UTC)
    if isinstance(kind, sa.JSON):
        return json.loads(str(value))
    return value


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("number", KEPT)
def test_what_a_version_has_left_reads_the_same_and_holds_after_the_upgrade(
    tmp_path: Path, request: pytest.FixtureRequest, number: str, kind: str
) -> None:
    if kind == "sqlite":
        url = sqlite_file(number, tmp_path / "old.db")
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        url = postgres.database()
        asyncio.run(fill(url, number))
    before = json.loads((HERE / f"{number}.json").read_text())
    with live_server(tmp_path, database_url=url, fit_hour=-1) as server:
        assert what_newer_versions_leave(before, json.loads(contents(server))) == before
        finished = [name for name in before if name.startswith("match ") and "outcome" in before[name]]
        assert len(finished) >= 4
        for name in finished:
            assert server.verify(server.record(int(name.removeprefix("match ")))) == []
        where = {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_ADMIN_TOKEN": ADMIN}
        rebuilt = forked.run(["ratings", "rebuild"], tmp_path, os.environ | where, PATIENCE)
        assert rebuilt.returncode == 0, rebuilt.stdout + rebuilt.stderr
        assert "matches give the ratings that are shown" in rebuilt.stderr
        played = server.wait_for(server.tournament(["ada", "ben"], rounds=1, ruleset="two"))
        assert played.finished == 1, "new rows have numbers of their own"
        assert "Traceback" not in server.log()

    async def schema() -> str:
        store = await Store.attach(url)
        try:
            return await store.schema()
        finally:
            await store.close()

    assert asyncio.run(schema()) == newest_schema()
