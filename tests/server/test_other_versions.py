"""Servers of several versions on one database: which may play together, and when its tables may change."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from tests.server.next_schema import NUMBER, become_newer
from tests.server.several_nodes import Nodes, until
from tests.server.shared_redis import empty_redis

from farfalia_server import __version__, server_places
from farfalia_server.cluster import node_entries
from farfalia_server.cluster.lease import Holder
from farfalia_server.cluster.node import CLUSTER_PROTOCOL, Node, NodeFigures
from farfalia_server.cluster.registry import NodeRegistry
from farfalia_server.contract.errors import AnotherServer, StoreError
from farfalia_server.net.redis_connection import connect
from farfalia_server.net.supervision import Supervisor
from farfalia_server.store import Store, opening
from farfalia_server.store.sql.migrate import newest_schema


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Nodes]:
    async with empty_redis() as url, AsyncExitStack() as stack:
        yield Nodes(tmp_path, url, stack)


@pytest.mark.parametrize("plays", ["together", "alone"])
async def test_the_tables_change_only_when_no_server_of_the_older_version_lives(
    arena: Nodes, store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plays: str
) -> None:
    older = newest_schema()
    where = {"database_url": store_url, "redis_url": arena.redis_url if plays == "together" else ""}
    async with arena.server("one", **where) as one:
        with monkeypatch.context() as patch:
            become_newer(patch, tmp_path / "newer")
            who = "node one .version .* plays" if plays == "together" else "node one, process .* plays"
            with pytest.raises(
                AnotherServer,
                match=rf"^the database at [^\n]* has schema {older} and must be upgraded to {NUMBER} for version "
                rf"[^\n]*, but {who} with it; stop all nodes, then start this version$",
            ):
                await arena.start("two", **where)
        assert await one._places.store.schema() == older
        assert await one._places.store.meta.get("server"), "it has its lease"
    with monkeypatch.context() as patch:
        become_newer(patch, tmp_path / "newer again")
        async with arena.server("two", **where) as two, AsyncExitStack() as stack:
            assert await two._places.store.schema() == NUMBER
            if plays == "together":
                await stack.enter_async_context(arena.server("three", **where))
                await until(lambda: {node.name for node in two.node.nodes()} == {"two", "three"})
    with pytest.raises(StoreError, match="made by a newer server"):
        await arena.start("one", **where)


async def test_nodes_of_two_versions_that_understand_each_other_are_one_arena(
    arena: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await arena.start("one")
    monkeypatch.setattr(server_places, "__version__", "9.9.9")
    two = await arena.start("two")
    for server in (one, two):
        await until(
            lambda seen=server: (
                {node.name: node.version for node in seen.node.nodes()}  # type: ignore[misc]
                == {"one": __version__, "two": "9.9.9"}
            )
        )


async def test_nodes_of_another_cluster_protocol_are_refused_until_all_have_stopped(
    arena: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena.server("one") as one:
        monkeypatch.setattr("farfalia_server.cluster.registry.CLUSTER_PROTOCOL", 7)
        with pytest.raises(
            AnotherServer,
            match=rf"^node one \(version [^\n]*\) has cluster protocol {CLUSTER_PROTOCOL} and schema \d+, this one "
            r"\(version [^\n]*\) has cluster protocol 7 and schema \d+: they cannot be one arena; "
            r"stop all nodes, then start those of one version$",
        ):
            await arena.start("two")
        assert [node.name for node in one.node.nodes()] == ["one"]
    await arena.start("two")


async def test_a_node_that_was_taken_for_dead_ends_if_the_others_were_upgraded_meanwhile(
    arena: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    supervisor = Supervisor()
    async with connect(arena.redis_url) as redis:
        with supervisor.adopting():
            one = NodeRegistry(redis, "arena", "one", version="1")
            await one.__aenter__()
        await redis.delete(*one._keys)
        monkeypatch.setattr("farfalia_server.cluster.registry.CLUSTER_PROTOCOL", 7)
        monkeypatch.setattr(one, "_hear", _unheard)
        async with NodeRegistry(redis, "arena", "two", version="2") as two:
            assert set(two.live()) == {"two"}
            monkeypatch.setattr(one, "_run_id", two._run_id)
            monkeypatch.setattr(one, "_hear", two._hear)
            one.wake()
            with pytest.raises(AnotherServer, match=r"^node two \(version 2\) has cluster protocol 7"):
                async with supervisor.guarding():
                    await asyncio.Event().wait()
        supervisor.close()
        await one.__aexit__(None, None, None)


async def _unheard(**_: object) -> None:
    raise RedisConnectionError("cut off")


async def test_nodes_that_have_died_hinder_nobody(arena: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_entries, "NODE_LEASE_SECONDS", 0.5)
    here = Holder.own("dead")
    async with connect(arena.redis_url) as redis:
        time = (await redis.time())[0] * 1000
        keys = node_entries.node_keys("arena")
        elsewhere = Holder("far", "another machine", 1, "", "", "f" * 16)
        for holder in (here, elsewhere):
            entry = f"{holder.mark}{Node(holder.node, holder.mark, '0.0.1')}\n{holder}"
            await redis.hset(keys[0], holder.node, entry)
            await redis.zadd(keys[1], {holder.node: time})
        monkeypatch.setattr(Holder, "is_alive", property(lambda holder: None if holder.host != here.host else False))
        assert await node_entries.live_nodes(redis, "arena") == []
        async with NodeRegistry(redis, "arena", "one", version="1") as one:
            assert "one" in one.live()


async def test_a_server_whose_database_was_upgraded_while_it_started_does_not_play(
    arena: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = arena.settings("one")
    open_store = opening.open_store

    async def overtaken(settings_: object) -> Store:
        store = await open_store(settings)
        with monkeypatch.context() as patch:
            become_newer(patch, tmp_path / "newer")
            await (await Store.open(settings.database_url)).close()
        return store

    monkeypatch.setattr(server_places, "open_store", overtaken)
    with pytest.raises(StoreError, match=rf"^the database at .* was upgraded to schema {NUMBER} while this server"):
        await arena.start("one")


def test_what_only_another_version_says_of_a_node_is_left_out() -> None:
    node = Node("one", "0123456789abcdef", "1", 12.5, 0.25, NodeFigures("a:1", tables=1), 3, "0001")
    later = str(node).replace('{"name"', '{"colour":"red","name"').replace('{"address"', '{"mood":"fine","address"')
    assert Node.parse(later) == node
    holder = Holder.own("one")
    assert Holder.parse(str(holder).replace('{"node"', '{"colour": "red", "node"')) == holder
