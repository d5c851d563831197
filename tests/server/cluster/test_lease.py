"""One server for each database and each Redis database: who comes second is told so, who died is replaced."""

import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest
import structlog
from tests.cli import forked
from tests.server.live import PATIENCE, live_server
from tests.server.migrated import sqlite_url
from tests.server.postgres_fixture import Postgres

from farfalia_server.cluster import lease
from farfalia_server.cluster.lease import Holder, LeasePlace, RedisLeasePlace, ServerLease
from farfalia_server.contract.errors import AnotherServer
from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.net.redis_connection import connect
from farfalia_server.net.supervision import Supervisor
from farfalia_server.store import Store
from farfalia_server.store.lease import StoreLeasePlace


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "_RENEWAL_SECONDS", 0.02)
    monkeypatch.setattr(lease, "_SERVER_LEASE_SECONDS", 1.0)
    monkeypatch.setattr(lease, "LOOK_SECONDS", 0.02)


@asynccontextmanager
async def in_store(folder: Path) -> AsyncIterator[LeasePlace]:
    async with await Store.open(sqlite_url(folder / "store.db")) as store:
        yield StoreLeasePlace(store)


@asynccontextmanager
async def in_redis(folder: Path) -> AsyncIterator[LeasePlace]:
    async with EmbeddedRedis(folder / "redis") as embedded, connect(embedded.url) as redis:
        yield RedisLeasePlace(redis, embedded.url)


@pytest.fixture(params=[in_store, in_redis], ids=["database", "redis"])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[LeasePlace]:
    """Each place in which a server writes its name."""
    async with request.param(tmp_path) as place:
        yield place


async def test_a_second_server_is_refused_and_told_who_the_first_is(place: LeasePlace) -> None:
    async with ServerLease(place, Holder.own("one")):
        sentence = rf"^another server uses .*: node one, process {os.getpid()} on [^\n]+$"
        with pytest.raises(AnotherServer, match=sentence):
            async with ServerLease(place, Holder.own("two")):
                pass
    async with ServerLease(place, Holder.own("two")):  # the first has stopped cleanly
        pass
    assert await place.read() == ""


async def test_a_server_on_another_machine_is_seen_to_be_alive_by_its_beat(
    place: LeasePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ServerLease(place, Holder.own("one")):
        monkeypatch.setattr(lease, "_machine", lambda: "another one")
        monkeypatch.setattr(lease, "_SERVER_LEASE_SECONDS", 60.0)  # its next beat is waited for no longer than it takes
        with pytest.raises(AnotherServer, match="node one"):
            async with ServerLease(place, Holder.own("two")):
                pass


def dead_process() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        return process.pid


@pytest.mark.parametrize(
    ("of", "waits"),
    [
        ({"pid": dead_process()}, False),
        ({"started": "1"}, False),
        ({"machine": "another one"}, True),
        ({"machine": ""}, True),
    ],
    ids=["dead here", "its number is another's now", "on another machine", "nobody knows where"],
)
async def test_a_server_that_was_killed_is_replaced_at_once_or_after_a_lease(
    place: LeasePlace, of: dict[str, object], waits: bool
) -> None:
    await place.replace("", str(replace(Holder.own("old"), **of)))  # type: ignore[arg-type]
    with structlog.testing.capture_logs() as logged:
        async with ServerLease(place, Holder.own("new")):
            assert json.loads(await place.read())["node"] == "new"
    assert [line["node"] for line in logged] == (["old"] if waits else [])


async def test_a_server_that_was_taken_for_dead_ends(place: LeasePlace) -> None:
    supervisor = Supervisor()
    with supervisor.adopting():
        frozen = await ServerLease(place, Holder.own("one")).__aenter__()
    other = str(Holder.own("two"))
    while not await place.replace(await place.read(), other):
        pass

    async def served() -> None:
        async with supervisor.guarding():
            await asyncio.Event().wait()

    with pytest.raises(AnotherServer, match="node two"):
        await served()
    supervisor.close()
    await frozen.__aexit__(None, None, None)
    assert await place.read() == other, "the one that ends removes no name but its own"


def among(*holders: Holder) -> Callable[[Holder], Awaitable[bool]]:
    """Share the place with these."""

    async def shares(other: Holder) -> bool:
        return other.mark in {holder.mark for holder in holders}

    return shares


async def test_nodes_of_a_cluster_share_the_place_and_others_are_refused(place: LeasePlace) -> None:
    one, two = Holder.own("one"), Holder.own("two")
    marks, seen = {one.mark, two.mark}, set[str]()
    async with ServerLease(place, one, among(one, two)) as first:
        async with ServerLease(place, two, among(one, two)) as second:
            async with asyncio.timeout(60):
                while seen != marks:
                    seen.add(json.loads(await place.read())["mark"])
                    await asyncio.sleep(0.01)
            with pytest.raises(AnotherServer, match=r"node (one|two), process"):
                async with ServerLease(place, Holder.own("three")):
                    pass
            assert (first.problem, second.problem) == ("", "")
        async with asyncio.timeout(60):
            while json.loads(await place.read() or '{"mark": ""}')["mark"] != one.mark:
                await asyncio.sleep(0.01)
    assert await place.read() == ""


async def test_a_node_outlives_a_name_that_nobody_renews_and_that_no_node_knows(place: LeasePlace) -> None:
    # As of a node that came and died while Redis could not be reached.
    one, unknown = Holder.own("one"), replace(Holder.own("unknown"), machine="another one")
    async with ServerLease(place, one, among(one)) as first:
        while not await place.replace(await place.read(), str(unknown)):
            pass
        async with asyncio.timeout(60):
            while json.loads(await place.read())["mark"] != one.mark:
                await asyncio.sleep(0.01)
        assert first.problem == ""


async def test_a_node_ends_where_a_server_of_no_node_renews_its_name(place: LeasePlace) -> None:
    supervisor, one = Supervisor(), Holder.own("one")
    with supervisor.adopting():
        first = await ServerLease(place, one, among(one)).__aenter__()
    unknown = replace(Holder.own("unknown"), machine="another one")
    while not await place.replace(await place.read(), str(unknown)):
        pass

    async def renewing() -> None:
        async with supervisor.guarding():
            for beat in range(1000):
                await place.replace(str(replace(unknown, beat=beat)), str(replace(unknown, beat=beat + 1)))
                await asyncio.sleep(0.05)

    with pytest.raises(AnotherServer, match="node unknown"):
        await renewing()
    supervisor.close()
    await first.__aexit__(None, None, None)


async def test_a_node_that_joins_need_not_wait_for_a_dead_one_where_another_writes(
    place: LeasePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "_SERVER_LEASE_SECONDS", 60.0)
    dead, one = replace(Holder.own("dead"), machine="another one"), Holder.own("one")
    await place.replace("", str(dead))
    third = ServerLease(place, Holder.own("three"), among(one))
    joining = asyncio.create_task(third.__aenter__())
    async with ServerLease(place, one, among(dead, third._name)):
        await asyncio.wait_for(joining, 60)
        await third.__aexit__(None, None, None)


async def test_a_place_that_has_lost_everything_is_told_again(place: LeasePlace) -> None:
    async with ServerLease(place, Holder.own("one")) as kept:
        async with asyncio.timeout(60):
            while not await place.replace(await place.read(), "") or await place.read():
                await asyncio.sleep(0)
            while not await place.read():
                await asyncio.sleep(0.01)
        assert kept.problem == ""


@asynccontextmanager
async def read_only(place: LeasePlace, folder: Path) -> AsyncIterator[None]:
    """Lets the place be read and not written: as a full disk, a replica, or one who holds the file."""
    if isinstance(place, RedisLeasePlace):
        await place._redis.config_set("min-replicas-to-write", 1)
        yield
        await place._redis.config_set("min-replicas-to-write", 0)
        return
    with closing(sqlite3.connect(folder / "store.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


async def test_a_place_that_can_be_read_and_not_written_is_a_problem_for_as_long(
    place: LeasePlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "_TIMEOUT_SECONDS", 0.5)
    async with ServerLease(place, Holder.own("one")) as kept, asyncio.timeout(60):
        async with read_only(place, tmp_path):
            while not kept.problem:
                await asyncio.sleep(0.01)
            assert await place.read() != ""
        while kept.problem:
            await asyncio.sleep(0.01)


def second(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Another server's attempt to start, and how it ends."""
    return forked.run(["serve", "--grpc-port", "0", "--http-port", "0", *options], folder, os.environ, PATIENCE)


@pytest.mark.slow
def test_real_servers_on_one_directory_one_database_or_one_redis_are_refused(
    tmp_path: Path, postgres: Postgres
) -> None:
    database_url = postgres.database()
    with live_server(tmp_path, database_url=database_url) as server:
        redis_url = f"unix://{server.folder / 'data' / 'redis' / 'redis.sock'}"
        name = rf"node \S+, process {server.process.pid} on"
        for options, what in (
            (("--data-dir", str(server.folder / "data")), "/data/redis"),
            (("--data-dir", str(tmp_path / "two"), "--database-url", database_url, "--admin-token", "x" * 20), name),
            (("--data-dir", str(tmp_path / "three"), "--redis-url", redis_url), name),
        ):
            ended = second(tmp_path, *options)
            assert ended.returncode == 6, ended.stderr
            assert re.search(what, ended.stderr), ended.stderr
            assert "Traceback" not in ended.stderr
        server.register("ant")  # the admin token is still the first one's


async def test_a_server_whose_database_was_restored_meanwhile_ends(tmp_path: Path) -> None:
    async with await Store.open(sqlite_url(tmp_path / "store.db")) as store:
        await store.backups.write(tmp_path / "backup", lambda done, of: None)
        supervisor = Supervisor()
        with supervisor.adopting():
            frozen = await ServerLease(
                StoreLeasePlace(store, await store.meta.database()), Holder.own("one")
            ).__aenter__()
        await store.backups.restore(tmp_path / "backup", lambda done, of: None, replace=True)
        with pytest.raises(AnotherServer, match=r"^the database at [^\n]* was restored from a backup while [^\n]*$"):
            async with supervisor.guarding(), asyncio.timeout(PATIENCE):
                await asyncio.Event().wait()
        supervisor.close()
        await frozen.__aexit__(None, None, None)
        assert await StoreLeasePlace(store).read() == ""
