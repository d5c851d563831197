"""Connections to Redis cost the event loop little, and one that is lost is told as lost."""

import asyncio
import importlib.metadata
from pathlib import Path

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from tests.server.event_loops import LOOPS

from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.net.redis_connection import connect


async def test_a_new_connection_does_not_search_the_installed_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []
    find = importlib.metadata.version

    def version(package: str) -> str:
        searched.append(package)
        return find(package)

    async with EmbeddedRedis(tmp_path) as embedded, connect(embedded.url) as redis:
        await redis.ping()
        monkeypatch.setattr(importlib.metadata, "version", version)
        await asyncio.gather(*(redis.ping() for _ in range(20)))  # a connection each
        assert len(await redis.client_list()) >= 20
    assert searched == []


@pytest.mark.parametrize("anyio_backend", LOOPS.values(), ids=LOOPS)
async def test_a_command_on_a_connection_that_has_just_closed_says_that_it_is_lost(
    tmp_path: Path, anyio_backend: object
) -> None:
    async with EmbeddedRedis(tmp_path) as embedded, connect(embedded.url) as redis:
        connection = await redis.connection_pool.get_connection()  # type: ignore[no-untyped-call]
        connection._writer.transport.abort()
        await asyncio.sleep(0.01)
        with pytest.raises(RedisConnectionError):
            await connection.send_command("PING")
        await redis.connection_pool.release(connection)
        assert await redis.ping()
