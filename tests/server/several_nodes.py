"""Servers in this process that are nodes of one arena, or would be."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from tests.server.migrated import sqlite_url

from farfalia_server.app import Server
from farfalia_server.settings import Settings


class Nodes:
    """Servers that are started with the same settings, but for their names and directories."""

    def __init__(self, folder: Path, redis_url: str, stack: AsyncExitStack) -> None:
        self._folder = folder
        self.redis_url = redis_url
        self._stack = stack

    def settings(self, name: str, **more: Any) -> Settings:
        return Settings(
            node=name,
            grpc_port=0,
            http_port=0,
            data_dir=self._folder / name,
            **{
                "database_url": sqlite_url(self._folder / "arena.db"),
                "redis_url": self.redis_url,
                **more,
            },
        )

    def server(self, name: str, **more: Any) -> Server:
        return Server(self.settings(name, **more))

    async def start(self, name: str, **more: Any) -> Server:
        return await self._stack.enter_async_context(self.server(name, **more))


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.01)
