"""A Redis that is killed with what it knows, or without."""

from __future__ import annotations

import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import redis

from farfalia_server.net.redis_program import find_redis

#: Seconds that it may take to start.
_PATIENCE = 60.0


class RedisServer:
    """A Redis with its data in `folder`; it listens on a socket there, and on a TCP port if one is given."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._folder = folder
        self._socket = folder / "redis.sock"
        self._port = port
        self._process: subprocess.Popen[bytes]
        self.url = f"unix://{self._socket}"

    def start(self) -> None:
        """Start it, and wait until it has read its data."""
        settings = ["--dir", self._folder, "--unixsocket", self._socket, "--appendonly", "yes", "--save", ""]
        settings += ["--port", str(self._port), "--bind", "0.0.0.0", "--protected-mode", "no"]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [find_redis(None), *map(str, settings)], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        deadline = time.monotonic() + _PATIENCE
        while True:
            with suppress(redis.RedisError), redis.Redis.from_url(self.url) as client:
                client.ping()
                return
            assert self._process.poll() is None, (self._folder / "log").read_text()
            assert time.monotonic() < deadline, "Redis does not answer"
            time.sleep(0.05)

    def kill(self) -> None:
        """SIGKILL: what it has answered is in its file, since that needs no more than a living kernel."""
        self._process.kill()
        self._process.wait()

    def lose_everything(self) -> None:
        """Delete the data of one that has been killed."""
        shutil.rmtree(self._folder / "appendonlydir", ignore_errors=True)

    def flush(self) -> None:
        """FLUSHALL."""
        with redis.Redis.from_url(self.url) as client:
            client.flushall()
