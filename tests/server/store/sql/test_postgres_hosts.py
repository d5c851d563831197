"""A PostgreSQL on several hosts: addresses, and connections to the one that can be written to."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.server.postgres_fixture import Postgres
from tests.server.store_world import five_bots

from farfalia_server.contract.errors import StoreError, StoreUnavailable
from farfalia_server.store import Store
from farfalia_server.store.sql.database import Database
from farfalia_server.store.sql.engines import normalise
from farfalia_server.store.sql.postgres_hosts import shown


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("postgresql://me:word@one:1,two:2/name", "postgresql://me:***@one:1,two:2/name"),
        ("postgres://me@one,two:2/name?sslmode=require", "postgresql://me@one:5432,two:2/name?sslmode=require"),
        ("postgresql://one,[::1]:7/name", "postgresql://one:5432,[::1]:7/name"),
        ("postgresql://me@/name?host=one,two&port=1,2", "postgresql://me@one:1,two:2/name"),
        ("postgresql://me:word@one/name", "postgresql://me:***@one/name"),
    ],
)
def test_an_address_may_name_several_hosts(url: str, address: str) -> None:
    assert shown(normalise(url)) == address


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://one,,two/name",
        "postgresql://one:port,two/name",
        "postgresql://me@/name?host=one,two,three&port=1,2",
    ],
)
def test_hosts_that_cannot_be_are_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(StoreError, match=r"^database_url [^\n]*expected[^\n]*$"):
        normalise(url)


async def test_options_of_the_address_are_postgresqls_own(postgres: Postgres) -> None:
    database = await Database.open(f"{postgres.database()}&application_name=arena&sslmode=prefer")
    name = text("SHOW application_name")
    assert await database.read(lambda connection: connection.execute(name).scalar()) == "arena"
    await database.close()


async def test_the_primary_is_found_among_the_hosts_and_again_after_a_failover(
    replicated: tuple[Postgres, Postgres],
) -> None:
    primary, replica = replicated
    async with await Store.open(replica.url_of("postgres", primary)) as store:
        await five_bots(store)
        await asyncio.to_thread(primary.stop)
        said = ""
        while "is not the primary" not in said:  # until each of its connections is known to be lost
            with pytest.raises(StoreUnavailable) as refusal:
                await store.bots.register("early")
            said = str(refusal.value)
        await asyncio.to_thread(replica.promote)
        await store.bots.register("late")
        assert len(await store.bots.all()) == 6


async def test_a_connection_to_a_replica_is_an_outage_and_is_given_up(replicated: tuple[Postgres, Postgres]) -> None:
    primary, replica = replicated
    await (await Store.open(primary.url_of("postgres"))).close()
    database = await Database.open(f"{replica.url_of('postgres')}", to_write=False)

    async def server_process() -> int:
        number = text("SELECT pg_backend_pid()")
        return int(await database.read(lambda connection: connection.execute(number).scalar_one()))

    async def has_tables() -> bool:
        table = text("SELECT to_regclass('meta')")
        return await database.read(lambda connection: connection.execute(table).scalar_one()) is not None

    while not await has_tables():  # the replica is a little behind
        await asyncio.sleep(0.05)
    before = await server_process()
    with pytest.raises(StoreUnavailable, match="read-only transaction"):
        await database.write(lambda connection: connection.execute(text("DELETE FROM meta")))
    assert await server_process() != before
    await database.close()


async def test_hosts_that_are_not_there_are_each_named_without_a_password(tmp_path: Path) -> None:
    hosts = ",".join(str(tmp_path / name) for name in ("one", "two"))
    with pytest.raises(StoreUnavailable, match=r"^the database at [^\n]* does not answer: [^\n]+$") as refusal:
        await Store.open(f"postgresql://me:very-secret@/name?host={hosts}")
    assert str(refusal.value).count("No such file") == 2
    assert "very-secret" not in str(refusal.value)
