"""Connections to Redis cost the event loop little."""

import asyncio
import importlib.metadata
from pathlib import Path

import pytest

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
