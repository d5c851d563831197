"""Rate limits that the nodes of a cluster share through Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator
from time import monotonic

import pytest
from redis.asyncio import Redis
from tests.server.shared_redis import empty_redis

from farfalia_server.net.redis_connection import connect
from farfalia_server.nodes.shared_limits import SharedLimits
from farfalia_server.play.token_bucket import TokenBuckets

#: So slow that a bucket gains nothing in a test.
_BURST, _RATE = 10, 0.001


@pytest.fixture
async def redis() -> AsyncIterator[Redis]:
    async with empty_redis() as url, connect(url) as redis:
        yield redis


class Node:
    """The buckets of a node, and what shares them; a test says when it talks to Redis."""

    def __init__(self, redis: Redis) -> None:
        self.buckets = TokenBuckets(_BURST, _RATE)
        self._limits = SharedLimits(redis, "test", {"call": self.buckets})

    async def exchange(self) -> None:
        await self._limits._tick()

    def takes(self, key: str, tries: int) -> int:
        """Return how many tokens it got."""
        return [self.buckets.take(key, monotonic()) for _ in range(tries)].count(0.0)


async def test_nodes_let_through_together_what_one_alone_does(redis: Redis) -> None:
    north, south = Node(redis), Node(redis)
    assert (north.takes("address", 6), south.takes("address", 1)) == (6, 1)
    for node in (north, south, north):
        await node.exchange()
    assert north.takes("address", 20) == 3
    for node in (north, south):
        await node.exchange()
    assert (north.takes("address", 1), south.takes("address", 1)) == (0, 0)
    assert south.takes("another", 20) == _BURST


async def test_what_was_taken_too_much_before_nodes_knew_is_owed(redis: Redis) -> None:
    nodes = [Node(redis) for _ in range(4)]
    assert [node.takes("address", 20) for node in nodes] == [_BURST] * 4
    for node in (*nodes, *nodes):
        await node.exchange()
    waits = [node.buckets.take("address", monotonic()) for node in nodes]
    assert all(wait == pytest.approx((_BURST + 1) / _RATE, rel=0.01) for wait in waits), "a debt is a burst at most"


async def test_a_token_that_is_put_back_costs_nothing_and_no_command(redis: Redis) -> None:
    node = Node(redis)
    node.takes("address", 1)
    node.buckets.put_back("address")
    await node.exchange()
    assert await redis.keys("*") == []


async def test_a_node_asks_redis_nothing_while_all_its_buckets_are_full(redis: Redis) -> None:
    node = Node(redis)
    await node.exchange()
    node.takes("address", 1)
    await node.exchange()
    (key,) = await redis.keys("*")
    assert 0 < await redis.ttl(key) <= 1 / _RATE + 1
    before = (await redis.info("commandstats"))["cmdstat_evalsha"]["calls"]
    node.buckets = TokenBuckets(_BURST, _RATE)
    await Node(redis).exchange()
    assert (await redis.info("commandstats"))["cmdstat_evalsha"]["calls"] == before


async def test_what_is_taken_during_an_exchange_counts_in_the_next_one() -> None:
    buckets = TokenBuckets(_BURST, _RATE)
    buckets.take("address", 0)
    assert buckets.taken(0, most=5) == {"address": 1}
    buckets.take("address", 0)
    buckets.settle("address", 4, 0)
    assert [buckets.take("address", 0) for _ in range(4)].count(0.0) == 3
    assert buckets.taken(0, most=5) == {"address": 4}


async def test_an_exchange_is_about_the_keys_that_were_used_last_and_the_others_come_later() -> None:
    buckets = TokenBuckets(_BURST, _RATE)
    for number in range(5):
        buckets.take(f"address {number}", 0)
    assert buckets.taken(0, most=2) == {"address 4": 1, "address 3": 1}
    buckets.take("address 0", 0)
    assert buckets.taken(0, most=1) == {"address 0": 2}
