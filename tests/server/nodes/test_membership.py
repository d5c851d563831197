"""Servers on one database and one Redis as nodes of a cluster."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import structlog
from redis.exceptions import ConnectionError as RedisConnectionError
from tests.server.migrated import sqlite_url
from tests.server.several_nodes import Nodes, until
from tests.server.shared_redis import empty_redis

from farfalia_server.cluster import copied_database
from farfalia_server.cluster.mailbox import Mailbox
from farfalia_server.contract.errors import AnotherServer, RedisUnavailable
from farfalia_server.net.redis_connection import connect
from farfalia_server.nodes import gateway_keeper
from farfalia_server.store import Change, MatchState, Store, Topic, token_hash
from farfalia_tools.testing import RecordingStream


@pytest.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[Nodes]:
    async with empty_redis() as url, AsyncExitStack() as stack:
        yield Nodes(tmp_path, url, stack)


async def test_a_second_server_joins_the_first_and_each_hears_what_the_other_commits(nodes: Nodes) -> None:
    one, two = await nodes.start("one"), await nodes.start("two")
    heard: list[Change] = []
    two._places.store.changes.on(tuple(Topic), heard.append)
    one._places.store.changes.tell(Topic.TOURNAMENT, 7, 7, MatchState.CANCELLED)
    bot, _ = await one._places.store.bots.register("ant", "")
    await until(lambda: len(heard) == 2)
    assert heard == [Change(Topic.TOURNAMENT, 7, 7, MatchState.CANCELLED), Change(Topic.BOT, bot.id)]


_BOTH: dict[str, str] = {}
_ONLY_DATABASE, _ONLY_REDIS = {"redis_url": ""}, {"database_url": ""}


@pytest.mark.parametrize(
    ("first", "second"),
    [(_BOTH, _ONLY_DATABASE), (_BOTH, _ONLY_REDIS), (_ONLY_DATABASE, _BOTH), (_ONLY_REDIS, _BOTH)],
)
async def test_a_server_with_one_place_plays_alone_and_beside_nobody(
    nodes: Nodes, first: dict[str, str], second: dict[str, str]
) -> None:
    server = await nodes.start("one", **first)
    assert (server.node.cluster is None) == (first != _BOTH)
    with pytest.raises(AnotherServer, match=r"node one, process .* with the same --database-url and the same --redis"):
        await nodes.start("two", **second)


async def test_nodes_of_another_database_are_refused(nodes: Nodes, tmp_path: Path) -> None:
    await nodes.start("one")
    with pytest.raises(AnotherServer, match=r"another server uses Redis at .*: node one, process"):
        await nodes.start("two", database_url=f"sqlite:///{tmp_path / 'other.db'}")


async def test_servers_that_start_at_the_same_moment_find_each_other(nodes: Nodes) -> None:
    names = ("one", "two", "three")
    servers = {name: nodes.server(name) for name in names}
    shown: dict[str, str | None] = {}
    found: set[str] = set()

    async def serve(name: str) -> bool:
        async with servers[name] as server:
            is_valid = await server.introduce(lambda token: shown.update({name: token}))
            await until(lambda: {node.name for node in server.node.nodes()} == set(names))
            found.add(name)
            await until(lambda: found == shown.keys() == set(names))  # none leaves before all have found it
            valid = await server._places.store.meta.is_admin_token(shown[name] or "")
            return is_valid and valid

    assert sum(await asyncio.gather(*map(serve, names))) == 1


async def test_a_server_joins_one_that_was_taken_for_dead_and_began_again(nodes: Nodes) -> None:
    one = await nodes.start("one")
    assert one.node.cluster is not None
    registry = one.node.cluster.registry
    before = registry.own.instance
    async with connect(nodes.redis_url) as redis:
        await redis.hdel(registry._keys[0], "one")
    await until(lambda: registry.own.instance != before)
    two = await nodes.start("two")
    assert two.node.cluster is not None
    await until(lambda: len(registry.live()) == 2)


async def test_a_server_that_joins_just_after_redis_has_lost_everything_learns_who_is_connected(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_keeper, "_READ_ALL", 1e12)  # never by itself, however long the machine has been up
    one = await nodes.start("one")
    assert one._play.shared is not None
    bot, _ = await one._places.store.bots.register("ant", "")
    assert await one._play.shared.gateways.open(bot.id, "ant", "01", take_over=False) is not None
    one.lobby.connection(bot.id).name = "ant"
    one.lobby.connection(bot.id).attach(RecordingStream())
    async with connect(nodes.redis_url) as redis:
        await redis.flushall()
    two = await nodes.start("two")
    await until(lambda: two.lobby.connected() == {bot.id: "ant"})


async def test_a_redis_that_goes_while_a_server_starts_is_one_sentence(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(post: Mailbox) -> None:
        raise RedisConnectionError("it was stopped")

    monkeypatch.setattr(Mailbox, "__aenter__", gone)
    with pytest.raises(RedisUnavailable, match=r"^Redis does not answer: it was stopped$"):
        await nodes.start("one")


async def test_a_second_server_of_the_same_name_is_refused(nodes: Nodes) -> None:
    await nodes.start("one")
    with structlog.testing.capture_logs() as logged, pytest.raises(AnotherServer, match="another node is called one"):
        await nodes.start("one")
    assert [line for line in logged if line["log_level"] == "error"] == []


async def test_each_node_lists_all_of_them_with_what_they_do(nodes: Nodes) -> None:
    one, two = await nodes.start("one"), await nodes.start("two", max_tables=4)
    await until(lambda: {node.name: node.room for node in two.node.nodes()} == {"one": 256, "two": 4})
    await until(lambda: any("director" in node.roles for node in one.node.nodes()))
    expected = {"one": one.public.bots, "two": two.public.bots}
    await until(lambda: {node.name: node.address for node in one.node.nodes()} == expected)
    assert [node.name for node in one.node.nodes() if "rater" in node.roles] == ["one"]


async def test_a_node_that_drains_says_so_and_leaves_its_roles_to_others(nodes: Nodes) -> None:
    one, two = await nodes.start("one", drain_ms=0), await nodes.start("two")
    await until(lambda: any("rater" in node.roles for node in two.node.nodes() if node.name == "one"))
    await until(lambda: all(node.room for node in one.node.nodes()))
    await one.drain()
    await until(lambda: {node.name for node in two.node.nodes() if "rater" in node.roles} == {"two"})
    await until(lambda: {node.name for node in two.node.nodes() if node.draining} == {"one"})


async def test_a_node_with_nobody_to_take_over_keeps_its_roles_while_it_drains(nodes: Nodes) -> None:
    one = await nodes.start("one")
    cluster = one.node.cluster
    assert cluster is not None
    await until(lambda: cluster.leadership.has("rater"))
    await one.drain()
    assert cluster.leadership.has("rater"), "the matches that end now are rated now"


async def test_a_server_that_is_alone_is_one_node(nodes: Nodes) -> None:
    (node,) = (await nodes.start("one", database_url="")).node.nodes()
    assert (node.name, node.room, node.draining, node.roles, node.bots) == ("one", 256, False, (), 0)
    assert node.address
    assert node.since > 0


async def test_a_node_that_may_have_missed_changes_looks_all_tokens_up_again(nodes: Nodes) -> None:
    server = await nodes.start("one")
    bot, token = await server._places.store.bots.register("ant")
    server._play.service._admitted[bot.id] = (token_hash(token), bot)
    cluster = server.node.cluster
    assert cluster is not None
    cluster.bus._tell_missed()
    assert server._play.service._admitted == {}


async def test_a_copy_of_the_database_is_refused_where_the_original_is_played(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copied_database, "_PATIENCE_SECONDS", 0.5)
    first = await nodes.start("one")
    assert first.node.cluster is not None
    assert first.node.lease is not None
    registry, written = first.node.cluster.registry, first.node.lease.beat
    shutil.copy(tmp_path / "arena.db", tmp_path / "copy.db")
    await until(lambda: registry.own.figures.beat > written + 1)
    url = f"sqlite:///{tmp_path / 'copy.db'}"
    with pytest.raises(AnotherServer, match=r"^the database at [^\n]*copy\.db is a copy[^\n]* node one plays;[^\n]*$"):
        await nodes.start("two", database_url=url)
    await nodes.start("three")
    await until(lambda: set(registry.live()) == {"one", "three"})


async def test_two_arenas_from_one_backup_have_nothing_in_common_in_redis(nodes: Nodes, tmp_path: Path) -> None:
    async with await Store.open(sqlite_url(tmp_path / "arena.db")) as original:
        await original.backups.write(tmp_path / "backup", lambda done, of: None)
        names = {await original.meta.database()}
    for copy in ("one.db", "two.db"):
        async with await Store.open(f"sqlite:///{tmp_path / copy}") as store:
            await store.backups.restore(tmp_path / "backup", lambda done, of: None, replace=False)
            names.add(await store.meta.database())
    assert len(names) == 3
