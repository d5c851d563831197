"""The nodes of a cluster: who lives, who has come and gone, and who was taken for dead without noticing."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.server.shared_redis import empty_redis

from farfalia_server.cluster import lease, node_entries
from farfalia_server.cluster.node import Node, NodeFigures, NodeNews
from farfalia_server.cluster.registry import NodeRegistry
from farfalia_server.contract.errors import AnotherServer, RedisUnavailable
from farfalia_server.net.redis_connection import connect
from farfalia_server.net.supervision import Supervisor

#: Another process that is a node until it is told to end; it says when it has entered.
NODE = """
import asyncio, sys
from farfalia_server.cluster.registry import NodeRegistry
from farfalia_server.net.redis_connection import connect

async def main(url, name):
    async with connect(url) as redis:
        registry = NodeRegistry(redis, "arena", name, version="1")
        registry.listen(lambda news, node: print(news.value, node.name, node.instance, registry.holds, flush=True))
        async with registry:
            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with empty_redis() as url:
        yield url


@pytest.fixture
async def redis(url: str) -> AsyncIterator[Redis]:
    async with connect(url) as redis:
        yield redis


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words often enough that a test need not wait for one."""
    monkeypatch.setattr("farfalia_server.cluster.registry._RENEWAL_SECONDS", 0.02)


def registry(redis: Redis, name: str, **settings: Any) -> NodeRegistry:
    return NodeRegistry(redis, "arena", name, version="1", **settings)


@contextmanager
def process(url: str, name: str) -> Iterator["subprocess.Popen[str]"]:
    """A node in a process of its own."""
    command = [sys.executable, "-c", NODE, url, name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        try:
            assert node.stdout is not None
            while not node.stdout.readline().startswith(f"came {name} "):
                assert node.poll() is None
            yield node
        finally:
            node.kill()


async def until_live(registry: NodeRegistry, *names: str) -> None:
    async with asyncio.timeout(60):
        while set(registry.live()) != set(names):
            await asyncio.sleep(0.01)


async def test_nodes_know_each_other_and_what_each_says_of_itself(redis: Redis, quick: None) -> None:
    figures = NodeFigures("one:7600", "http://one:7601/", tables=3, bots=5, room=8, lag_ms=1.5)
    async with registry(redis, "one", figures=lambda: figures) as one, registry(redis, "two") as two:
        await until_live(one, "one", "two")
        assert two.live()["one"].figures == figures
        assert two.live()["one"].version == "1"
        assert one.live()["two"].instance == two.own.instance != one.own.instance
        assert one.holds
        figures = NodeFigures(draining=True)
        async with asyncio.timeout(60):
            while not two.live()["one"].figures.draining:
                await asyncio.sleep(0.01)
    assert not one.holds


async def test_nodes_of_another_database_on_the_same_redis_are_not_seen(redis: Redis) -> None:
    async with registry(redis, "one") as one, NodeRegistry(redis, "other", "one", version="1"):
        one.wake()
        await until_live(one, "one")


async def test_a_listener_hears_that_a_node_came_and_left(redis: Redis, quick: None) -> None:
    heard: list[tuple[NodeNews, str]] = []
    async with registry(redis, "one") as one:
        unlisten = one.listen(lambda news, node: heard.append((news, node.instance)))
        async with registry(redis, "two") as two:
            await until_live(one, "one", "two")
        await until_live(one, "one")
        unlisten()
        async with registry(redis, "three"):
            await until_live(one, "one", "three")
    assert heard == [(NodeNews.CAME, two.own.instance), (NodeNews.WENT, two.own.instance)]


async def test_a_second_node_of_a_name_is_refused_with_a_sentence(redis: Redis) -> None:
    async with registry(redis, "one") as first:
        with pytest.raises(AnotherServer, match=rf"^another node is called one, process {os.getpid()} on .*--node$"):
            async with registry(redis, "one"):
                pass
        assert first.holds
        first.wake()
        await until_live(first, "one")
        assert first.live()["one"].instance == first.own.instance


async def test_a_second_node_of_a_name_on_another_machine_is_refused(
    redis: Redis, monkeypatch: pytest.MonkeyPatch, quick: None
) -> None:
    async with registry(redis, "one"):
        monkeypatch.setattr(lease, "_machine", lambda: "another one")
        with pytest.raises(AnotherServer):
            async with registry(redis, "one"):
                pass


async def test_a_node_that_was_killed_is_gone_after_a_lease(redis: Redis, url: str) -> None:
    async with registry(redis, "one") as one:
        with process(url, "two") as two:
            await until_live(one, "one", "two")
            two.kill()
            await until_live(one, "one")


async def test_the_name_of_a_node_that_was_killed_on_this_machine_is_free_at_once(redis: Redis, url: str) -> None:
    with process(url, "one") as old:
        found: dict[Any, Any] = await redis.hgetall("farfalia:arena:nodes")
        old.kill()
        old.wait()
        async with registry(redis, "one") as one:
            assert one.own.instance != found[b"one"][:16].decode()
            assert one.live()["one"].instance == one.own.instance


async def test_the_name_of_a_node_that_died_elsewhere_is_free_after_a_lease(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(lease, "_machine", lambda: "another one")
        dead = registry(redis, "one")
        assert await dead._say() is None
    await redis.hset("farfalia:arena:nodes:registry", "heard", 1)  # it was long ago
    async with registry(redis, "one") as one:
        assert one.live()["one"].instance == one.own.instance


@pytest.mark.slow
async def test_a_frozen_node_is_gone_after_a_lease_and_knows_it_when_it_wakes(redis: Redis, url: str) -> None:
    async with registry(redis, "one") as one:
        with process(url, "two") as two:
            assert two.stdout is not None
            await until_live(one, "one", "two")
            before = one.live()["two"].instance
            two.send_signal(signal.SIGSTOP)
            await until_live(one, "one")
            two.send_signal(signal.SIGCONT)
            await until_live(one, "one", "two")
            after = one.live()["two"].instance
            assert after != before
            lines = iter(two.stdout.readline, "")
            assert f"lost two {before} False\n" in lines, "before it is told, it does not rely on what it owned"
            assert f"came two {after} True\n" in lines


async def test_a_node_is_recognised_at_once_and_under_what_it_was_before_it_was_taken_for_dead(redis: Redis) -> None:
    async with registry(redis, "one") as one, registry(redis, "two") as two:
        before = two.holder
        assert await one.is_known(before), "it has entered after the last look"
        await redis.hdel(two._keys[0], "two")
        while two.holder.mark == before.mark:
            await asyncio.sleep(0.01)
        async with registry(redis, "three") as three:
            assert await three.is_known(before)
            assert not await three.is_known(lease.Holder.own("four"))


async def test_while_redis_does_not_answer_it_is_not_known_which_nodes_there_are(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with registry(redis, "one") as one:
        real = one._hear

        async def away(**_: Any) -> Any:
            raise ConnectionError("nobody there")

        monkeypatch.setattr(one, "_hear", away)
        with monkeypatch.context() as impatient:
            impatient.setattr("farfalia_server.cluster.registry.NODE_LEASE_SECONDS", 0.05)
            with pytest.raises(RedisUnavailable, match="so the nodes are unknown"):
                await one.is_known(lease.Holder.own("two"))
        asked = asyncio.create_task(one.is_known(lease.Holder.own("two")))
        await asyncio.sleep(0)
        monkeypatch.setattr(one, "_hear", real)
        assert not await asked


async def test_a_node_relies_on_nothing_once_its_lease_may_be_over(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with registry(redis, "one") as one:
        assert one.holds
        later = time.clock_gettime(time.CLOCK_MONOTONIC) + node_entries.NODE_LEASE_SECONDS
        with monkeypatch.context() as frozen:
            frozen.setattr("farfalia_server.cluster.registry._now", lambda: later)
            assert not one.holds


async def test_a_node_whose_name_was_taken_meanwhile_ends(redis: Redis, quick: None) -> None:
    supervisor = Supervisor()
    lost: list[NodeNews] = []
    with supervisor.adopting():
        frozen = registry(redis, "one")
        await frozen.__aenter__()
    frozen.listen(lambda news, node: lost.append(news))

    async def served() -> None:
        async with supervisor.guarding():
            await asyncio.Event().wait()

    other = registry(redis, "one")
    await redis.hset("farfalia:arena:nodes", "one", f"{other.own.instance}{other.own}\n")
    with pytest.raises(AnotherServer, match="another node is called one"):
        await served()
    assert lost == [NodeNews.LOST]
    supervisor.close()
    await frozen.__aexit__(None, None, None)
    found: dict[Any, Any] = await redis.hgetall("farfalia:arena:nodes")
    assert found[b"one"].startswith(other.own.instance.encode()), "the one that ends removes nobody but itself"


async def test_when_redis_was_unreachable_longer_than_a_lease_nobody_is_taken_for_dead(redis: Redis) -> None:
    heard: list[NodeNews] = []
    first, second = registry(redis, "one"), registry(redis, "two")
    for each in (first, second):
        assert await each._say() is None
        each.listen(lambda news, node: heard.append(news))
    assert await first._say() is None
    await redis.hincrby("farfalia:arena:nodes:registry", "heard", -60_000)
    for name in ("one", "two"):
        await redis.zincrby("farfalia:arena:nodes:heard", -60_000, name)
    assert await first._say() is None
    assert await second._say() is None
    assert set(first.live()) == {"one", "two"}
    assert heard == [NodeNews.CAME]  # of the second, at the first's second word


async def test_when_redis_lost_its_data_nobody_is_taken_for_dead_and_all_enter_again(redis: Redis) -> None:
    heard: list[NodeNews] = []
    first, second = registry(redis, "one"), registry(redis, "two")
    for each in (first, second, first):
        assert await each._say() is None
    for each in (first, second):
        each.listen(lambda news, node: heard.append(news))
    await redis.flushall()
    assert await first._say() is None
    assert set(first.live()) == {"one", "two"}
    assert await second._say() is None
    assert await first._say() is None
    assert heard == [NodeNews.FORGOTTEN, NodeNews.FORGOTTEN], "each tells itself"


async def test_nodes_that_went_before_are_recognised_by_those_that_come_later(redis: Redis, quick: None) -> None:
    async with registry(redis, "one") as one:
        gone = one.holder
    async with registry(redis, "two") as two:
        assert await two.is_known(gone), "it may still write to the database, where two looks next"


async def test_a_node_is_recognised_when_redis_has_just_lost_everything(redis: Redis) -> None:
    async with registry(redis, "one") as one:
        await redis.flushall()
        async with registry(redis, "two") as two:
            assert set(two.live()) == {"two"}, "the first has not said a word since"
            assert await two.is_known(one.holder)


async def test_nodes_are_told_of_those_that_redis_has_lost(redis: Redis, quick: None) -> None:
    async with registry(redis, "one") as one:
        async with registry(redis, "two") as two:
            gone = two.holder
            await until_live(one, "one", "two")
        await redis.flushall()
        async with registry(redis, "three") as three:
            assert await three.is_known(gone)


async def test_a_node_that_cannot_reach_redis_says_why_and_recovers(
    redis: Redis, monkeypatch: pytest.MonkeyPatch, quick: None
) -> None:
    monkeypatch.setattr("farfalia_server.cluster.registry.LOOK_SECONDS", 0.02)
    async with registry(redis, "one") as one:
        real = one._hear

        async def away(**_: Any) -> Any:
            raise ConnectionError("nobody there")

        monkeypatch.setattr(one, "_hear", away)
        async with asyncio.timeout(60):
            while one.problem != "Redis does not answer: nobody there":
                await asyncio.sleep(0.01)
            monkeypatch.setattr(one, "_hear", real)
            while one.problem:
                await asyncio.sleep(0.01)
        assert one.holds


async def test_the_processor_time_of_a_node_is_measured(redis: Redis, quick: None) -> None:
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(registry(redis, "one"))
        async with asyncio.timeout(60):
            while one.own.load == 0:
                sum(range(100_000))
                await asyncio.sleep(0)


def test_a_node_reads_what_it_wrote() -> None:
    node = Node("one", "0123456789abcdef", "1", 12.5, 0.25, NodeFigures("a:1", "http://b/", 1, 2, 3, 4.5, True))
    assert Node.parse(str(node)) == node
    able = replace(node, figures=NodeFigures(house_bots=("random", "greedy")))
    assert Node.parse(str(able)) == able
    assert able.figures.plays(("greedy",))
    assert not able.figures.plays(("greedy", "learned"))
    assert node.figures.plays(("learned",))  # an older version does not say
