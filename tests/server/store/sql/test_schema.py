"""Opening a database: migrations, addresses, and what cannot be opened."""

import asyncio
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection
from tests.server.postgres_fixture import Postgres
from tests.server.store_world import five_bots, run_sql

from farfalia_server.contract.errors import StoreError, StoreUnavailable
from farfalia_server.store import Store
from farfalia_server.store.sql.database import Database
from farfalia_server.store.sql.engines import normalise
from farfalia_server.store.sql.schema import metadata


async def test_the_migrations_give_the_schema_of_the_models(database_url: str) -> None:
    def difference(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        return list(compare_metadata(context, metadata))

    await (await Store.open(database_url)).close()
    database = await Database.open(database_url)
    assert await database.write(difference) == []
    await database.close()


async def test_a_store_that_is_opened_again_still_has_everything(database_url: str) -> None:
    async with await Store.open(database_url) as store:
        await five_bots(store)
    async with await Store.open(database_url) as store:
        assert [bot.name for bot in await store.bots.all()] == [f"bot-{number}" for number in range(5)]


async def test_two_nodes_may_open_an_empty_database_at_once(database_url: str) -> None:
    for store in await asyncio.gather(*(Store.open(database_url) for _ in range(3))):
        await store.close()


async def test_a_database_of_a_newer_server_is_refused(database_url: str) -> None:
    await (await Store.open(database_url)).close()
    await run_sql(database_url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="made by a newer server"):
        await Store.open(database_url)


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("sqlite:///some/file.db", "sqlite:///some/file.db"),
        ("sqlite:////some/file.db", "sqlite:////some/file.db"),
        ("some/file.db", "sqlite:///some/file.db"),
        ("/some/file with spaces.db", "sqlite:////some/file with spaces.db"),
        ("postgresql://me:pw@host:5/name", "postgresql+asyncpg://me:pw@host:5/name"),
        ("postgres://me@host/name", "postgresql+asyncpg://me@host/name"),
        ("postgresql+psycopg://me@host/name", "postgresql+asyncpg://me@host/name"),
    ],
)
def test_an_address_is_given_our_driver(given: str, used: str) -> None:
    assert normalise(given).render_as_string(hide_password=False) == used


@pytest.mark.parametrize(
    "url", ["mysql://host/name", "sqlite://", "sqlite:///:memory:", "postgresql://host:port/name", ""]
)
def test_an_address_of_another_kind_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(StoreError, match=r"^database_url [^\n]*expected[^\n]*$"):
        normalise(url)


async def test_a_file_that_cannot_be_made_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    with pytest.raises(StoreError, match=r"^[^\n]*cannot be created or opened[^\n]*$"):
        await Store.open(f"sqlite:///{tmp_path / 'file' / 'store.db'}")


async def test_nobody_else_may_read_the_file(tmp_path: Path) -> None:
    async with await Store.open(str(tmp_path / "new" / "what? 100%.db")) as store:
        await five_bots(store)
    files = list((tmp_path / "new").iterdir())
    assert "what? 100%.db" in {file.name for file in files}
    assert {file.stat().st_mode & 0o077 for file in files} == {0}


async def test_a_file_that_is_no_database_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_text("not a database, but long enough to have a header " * 100)
    with pytest.raises(StoreError, match=r"^[^\n]*not a database[^\n]*$"):
        await Store.open(f"sqlite:///{tmp_path / 'store.db'}")


async def test_a_database_that_is_not_there_is_refused_without_its_password(tmp_path: Path) -> None:
    url = f"postgresql://me:very-secret@/name?host={tmp_path}"
    with pytest.raises(StoreUnavailable, match=r"^the database at [^\n]* does not answer: [^\n]+$") as refusal:
        await Store.open(url)
    assert "very-secret" not in str(refusal.value)


async def test_a_database_that_does_not_exist_is_refused_in_one_sentence(postgres: Postgres) -> None:
    url = postgres.database().replace("/farfalia_", "/nobody_")
    with pytest.raises(StoreError, match=r'^[^\n]*database "nobody_\d+" does not exist[^\n]*$'):
        await Store.open(url)


@pytest.mark.parametrize(
    ("change", "lacking"),
    [
        ("ALTER TABLE bot DROP COLUMN house", "the column house of the table bot"),
        ("DROP TABLE bot_log", "the table bot_log"),
    ],
    ids=["column", "table"],
)
async def test_a_database_of_the_same_number_with_other_tables_is_refused_in_one_sentence(
    database_url: str, change: str, lacking: str
) -> None:
    await (await Store.open(database_url)).close()
    await run_sql(database_url, change)
    with pytest.raises(StoreError, match=rf"^[^\n]*it lacks {lacking}; start with a new database[^\n]*$"):
        await Store.open(database_url)


async def test_a_database_with_tables_of_somebody_else_is_refused_in_one_sentence(database_url: str) -> None:
    await run_sql(database_url, "CREATE TABLE bot (name text)")
    with pytest.raises(StoreError, match=r"^the database at [^\n]* cannot be used: [^\n]*already exists[^\n]*$"):
        await Store.open(database_url)


async def test_of_servers_that_make_the_first_admin_token_at_once_one_keeps_its_own(database_url: str) -> None:
    async with await Store.open(database_url) as one, await Store.open(database_url) as two:
        made = await asyncio.gather(*(store.meta.first_admin_token() for store in (one, two, one, two)))
        (token,) = [token for token in made if token and await one.meta.is_admin_token(token)]
        seen = [await two.meta.admin_token_seen(token) for token in made if token]
        assert seen.count(True) == 1
        assert await two.meta.is_admin_token(token)
        assert await one.meta.first_admin_token() is None
        await asyncio.gather(*(store.meta.set_admin_token("the same") for store in (one, two, one, two)))
        assert await two.meta.is_admin_token("the same")
