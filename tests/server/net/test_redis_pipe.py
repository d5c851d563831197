"""Calls on a connection of their own, to a real Redis."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError
from tests.server.event_loops import LOOPS

from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.net.redis_connection import connect
from farfalia_server.net.redis_pipe import RedisPipe


@pytest.fixture
async def redis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Redis]:
    monkeypatch.setattr("farfalia_server.net.redis_connection._COMMAND_SECONDS", 60.0)
    async with EmbeddedRedis(tmp_path) as embedded, connect(embedded.url) as redis:
        yield redis


@pytest.fixture
async def pipe(redis: Redis) -> AsyncIterator[RedisPipe]:
    pipe = RedisPipe(redis)
    yield pipe
    await pipe.aclose()


async def test_replies_of_all_types_and_sizes_come_back(pipe: RedisPipe) -> None:
    large = os.urandom(500_000)
    assert await pipe.call("SET", "key", large) == b"OK"
    assert await pipe.call("GET", "key") == large
    assert await pipe.call("EVAL", "return {1, 'two', {3}}", 0) == [1, b"two", [3]]


async def test_an_error_is_raised_as_the_client_raises_it_and_the_connection_stays(pipe: RedisPipe) -> None:
    first = await pipe.call("CLIENT", "ID")
    with pytest.raises(NoScriptError):
        await pipe.call("EVALSHA", "0" * 40, 0)
    with pytest.raises(ResponseError, match="unknown command"):
        await pipe.call("NONSENSE")
    assert await pipe.call("CLIENT", "ID") == first


@pytest.mark.parametrize("anyio_backend", LOOPS.values(), ids=LOOPS)
async def test_a_connection_that_closes_between_two_calls_is_opened_again(
    pipe: RedisPipe, anyio_backend: object
) -> None:
    first = await pipe.call("CLIENT", "ID")
    pipe._connection._writer.transport.abort()  # the loop has not told the pipe yet
    assert await pipe.call("CLIENT", "ID") != first


async def test_a_lost_connection_fails_the_call_and_the_next_one_opens_another(pipe: RedisPipe, redis: Redis) -> None:
    first = await pipe.call("CLIENT", "ID")
    waiting = asyncio.create_task(pipe.call("BLPOP", "nothing", 0))
    while not await redis.client_kill_filter(_id=first):
        await asyncio.sleep(0.01)
    with pytest.raises(RedisConnectionError):
        await waiting
    assert await pipe.call("CLIENT", "ID") != first


async def test_a_connection_that_was_lost_while_nobody_waited_is_opened_again(pipe: RedisPipe, redis: Redis) -> None:
    first = await pipe.call("CLIENT", "ID")
    assert await redis.client_kill_filter(_id=first)
    while True:  # until the end of the connection has been noticed
        try:
            assert await pipe.call("CLIENT", "ID") != first
            break
        except RedisConnectionError:
            await asyncio.sleep(0.01)


async def test_a_redis_that_stands_still_is_not_waited_for_and_its_reply_comes_to_nobody(
    pipe: RedisPipe, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = (await redis.info("server"))["process_id"]
    await pipe.call("SET", "key", b"before")
    os.kill(process, signal.SIGSTOP)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(pipe._connection, "socket_timeout", 0.5)
            with pytest.raises(RedisTimeoutError, match=r"no reply within 0\.5 s"):
                await pipe.call("INCR", "count")
    finally:
        os.kill(process, signal.SIGCONT)
    assert await pipe.call("GET", "key") == b"before"


async def test_the_reply_to_a_call_that_was_cancelled_comes_to_nobody(pipe: RedisPipe) -> None:
    await pipe.call("SET", "key", b"value")
    waiting = asyncio.create_task(pipe.call("BLPOP", "nothing", 0))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert await pipe.call("GET", "key") == b"value"


async def test_a_pipe_that_is_closed_gives_its_connection_back(redis: Redis) -> None:
    pipe = RedisPipe(redis)
    await pipe.call("PING")
    await pipe.aclose()
    assert await pipe.call("PING") == b"PONG"  # on a connection of its own again
    await pipe.aclose()
    assert await redis.ping()
