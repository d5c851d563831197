"""A Redis that the tests of a process share: it starts once, and is empty for each of them."""

from __future__ import annotations

import atexit
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path

import redis

from farfalia_server.net.redis_connection import connect
from farfalia_server.net.redis_program import find_redis

#: Seconds that a test waits for what must come.
_PATIENCE = 120.0


@asynccontextmanager
async def empty_redis(search_path: str | None = None) -> AsyncIterator[str]:
    """The address of a Redis that is empty and stays when the test ends; its program is looked for on this PATH."""
    url = _start(search_path)
    async with connect(url) as redis:
        await redis.flushall()
    yield url


def emptied_redis() -> str:
    """The address of the same Redis, empty, for a test that is no coroutine."""
    url = _start(None)
    with redis.Redis.from_url(url) as client:
        client.flushall()
    return url


@cache
def _start(search_path: str | None) -> str:
    folder = Path(tempfile.mkdtemp(prefix="farfalia-redis-"))
    address = folder / "redis.sock"
    settings = ("--port", "0", "--unixsocket", str(address), "--save", "", "--dir", str(folder))
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [find_redis(search_path), *settings], stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )

    def stop() -> None:
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    deadline = time.monotonic() + _PATIENCE
    while True:
        assert process.poll() is None, (folder / "log").read_text()
        assert time.monotonic() < deadline, "Redis does not answer"
        with suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(address))
            return f"unix://{address}"
        time.sleep(0.01)
