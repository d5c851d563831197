"""What nodes tell each other: it comes once to all others, in order, and an outage is noticed."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.exceptions import ConnectionError as RedisConnectionError
from tests.server.shared_redis import empty_redis

from farfalia_server.cluster import streams
from farfalia_server.cluster.change_bus import ChangeBus
from farfalia_server.net.redis_connection import connect

KEY = "farfalia:arena:changes"


@pytest.fixture
async def redis() -> AsyncIterator[Redis]:
    async with empty_redis() as url, connect(url) as redis:
        yield redis


def bus(redis: Redis, heard: list[Any], database: str = "arena") -> ChangeBus:
    made = ChangeBus(redis, database)
    made.listen("news", heard.append)
    made.on_missed(lambda: heard.append("missed"))
    return made


async def until(heard: list[Any], *items: Any) -> None:
    async with asyncio.timeout(60):
        while len(heard) < len(items):
            await asyncio.sleep(0.01)
    assert heard == list(items)


async def test_all_other_nodes_hear_what_one_tells_in_order_and_it_does_not_itself(redis: Redis) -> None:
    heard: tuple[list[Any], ...] = ([], [], [])
    async with bus(redis, heard[0]) as one, bus(redis, heard[1]), bus(redis, heard[2]) as three:
        one.tell("news", [1, "a", None])
        one.tell("other", "nobody listens")
        one.tell("news", 2)
        await until(heard[1], [1, "a", None], 2)
        await until(heard[2], [1, "a", None], 2)
        three.tell("news", 3)
        await until(heard[0], 3)
        await until(heard[1], [1, "a", None], 2, 3)


async def test_what_is_told_in_one_turn_travels_in_one_message(redis: Redis) -> None:
    heard: list[Any] = []
    async with bus(redis, []) as one, bus(redis, heard):
        for number in range(100):
            one.tell("news", number)
        await until(heard, *range(100))
        assert await redis.xlen(KEY) == 1


async def test_what_happens_for_each_match_is_heard_by_those_who_follow_it(redis: Redis) -> None:
    follower: list[Any] = []
    other: list[Any] = []
    async with bus(redis, []) as one, bus(redis, follower) as two, bus(redis, other):
        unfollow, again = two.follow(), two.follow()
        await until(follower, "missed")  # what came before
        one.tell("news", 1, of_match=True)
        await until(follower, "missed", 1)
        unfollow()
        one.tell("news", 2, of_match=True)
        await until(follower, "missed", 1, 2)
        again()
        one.tell("news", "for all")
        await until(follower, "missed", 1, 2, "for all")
        one.tell("news", 3, of_match=True)
        one.tell("news", "for all again")
        await until(follower, "missed", 1, 2, "for all", "for all again")
        two.follow()
        await until(follower, "missed", 1, 2, "for all", "for all again", "missed")
        one.tell("news", 4, of_match=True)
        await until(follower, "missed", 1, 2, "for all", "for all again", "missed", 4)
        await until(other, "for all", "for all again")


async def test_a_node_hears_nothing_from_before_its_start_and_nothing_of_another_database(redis: Redis) -> None:
    late: list[Any] = []
    other: list[Any] = []
    early: list[Any] = []
    async with bus(redis, []) as one, bus(redis, early), bus(redis, other, "another"):
        one.tell("news", "before")
        await until(early, "before")
        async with bus(redis, late):
            one.tell("news", "after")
            await until(late, "after")
        await until(early, "before", "after")
    assert other == []


async def test_a_listener_may_stop_to_listen(redis: Redis) -> None:
    heard: list[Any] = []
    kept: list[Any] = []
    async with bus(redis, []) as one, bus(redis, kept) as two:
        unlisten = two.listen("news", heard.append)
        one.tell("news", 1)
        await until(kept, 1)
        unlisten()
        one.tell("news", 2)
        await until(kept, 1, 2)
    assert heard == [1]


async def test_what_is_told_while_redis_is_unreachable_comes_later_and_others_know_that_they_may_have_missed_some(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Any] = []
    away = True
    tried = asyncio.Event()
    real_write, real_read = Pipeline.execute, redis.xread

    async def write(*arguments: Any, **named: Any) -> Any:
        if away:
            tried.set()
            raise RedisConnectionError("away")
        return await real_write(*arguments, **named)

    async def read(*arguments: Any, **named: Any) -> Any:
        if away:
            raise RedisConnectionError("away")
        return await real_read(*arguments, **named)

    monkeypatch.setattr(Pipeline, "execute", write)
    monkeypatch.setattr(redis, "xread", read)
    async with bus(redis, []) as one, bus(redis, heard):
        one.tell("news", 1)
        await asyncio.wait_for(tried.wait(), 60)
        one.tell("news", 2)
        away = False
        async with asyncio.timeout(60):
            while 2 not in heard:
                await asyncio.sleep(0.01)
    assert [item for item in heard if item != "missed"] == [1, 2]
    assert "missed" in heard


async def test_a_redis_that_lost_the_stream_and_numbers_it_again_is_read_from_its_start(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "_BLOCK_MS", 10)
    heard: list[Any] = []
    async with bus(redis, heard):
        await redis.xadd(KEY, {"from": "x", "items": '[["news",1]]'}, id="99999999999999-0")
        await until(heard, 1)
        await redis.delete(KEY)
        await redis.xadd(KEY, {"from": "x", "items": '[["news",2]]'}, id="5-0")
        await until(heard, 1, "missed", 2)


async def test_the_stream_keeps_the_newest_messages_only(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_ENTRIES", 100)
    heard: list[Any] = []
    async with bus(redis, []) as one, bus(redis, heard):
        for number in range(500):
            one.tell("news", number)
        await until(heard, *range(500))
        for _ in range(500):
            await redis.xadd(KEY, {"from": "x", "items": "[]"})
        one.tell("news", "last")
        await until(heard, *range(500), "last")
        assert await redis.xlen(KEY) < 500
