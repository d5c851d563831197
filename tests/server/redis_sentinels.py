"""A primary Redis, a replica and three Sentinels, each in a process."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import redis
from tests.server.live import PATIENCE

from farfalia_server.net.redis_program import find_redis
from farfalia_tools.bench.processes import free_port

NAME = "arena"
_PASSWORD, _SENTINEL_PASSWORD = "to the data", "to the sentinels"


class Sentinels:
    """Three Sentinels and what they watch; passwords everywhere, and another one for the Sentinels."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._ports = [free_port() for _ in range(5)]
        data = f"""
            bind 127.0.0.1
            save ""
            requirepass "{_PASSWORD}"
            masterauth "{_PASSWORD}"
            repl-diskless-sync-delay 0
        """
        self.primary = self._start(0, data)
        self._start(1, f"{data}\nreplicaof 127.0.0.1 {self._ports[0]}")
        self._until(lambda: self.ask(0).info("replication")["connected_slaves"] == 1)
        self.sentinels = [
            self._start(
                number,
                f"""
                bind 127.0.0.1
                requirepass "{_SENTINEL_PASSWORD}"
                sentinel sentinel-pass "{_SENTINEL_PASSWORD}"
                sentinel monitor {NAME} 127.0.0.1 {self._ports[0]} 2
                sentinel auth-pass {NAME} "{_PASSWORD}"
                sentinel down-after-milliseconds {NAME} 1000
                sentinel failover-timeout {NAME} 5000
                """,
                "--sentinel",
            )
            for number in (2, 3, 4)
        ]
        self._until(self._know_each_other)

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{port}" for port in self._ports[2:])
        passwords = [password.replace(" ", "%20") for password in (_PASSWORD, _SENTINEL_PASSWORD)]
        return f"redis+sentinel://:{passwords[0]}@{hosts}/{NAME}/1?sentinel_password={passwords[1]}"

    def ask(self, number: int) -> redis.Redis:
        """A client of the primary (0), of the replica (1), or of a Sentinel."""
        password = _PASSWORD if number < 2 else _SENTINEL_PASSWORD
        return redis.Redis(port=self._ports[number], password=password, decode_responses=True)

    def cut_replica_off(self) -> None:
        """What is written from now on does not reach the replica."""
        with self.ask(0) as primary:
            primary.execute_command("ACL", "SETUSER", "default", "-psync", "-sync", "-replconf")
            primary.execute_command("CLIENT", "KILL", "TYPE", "replica")
        with self.ask(1) as replica:
            self._until(lambda: replica.info("replication")["master_link_status"] == "down")

    def promoted(self) -> bool:
        """Whether the replica is the primary now."""
        with self.ask(1) as replica:
            return bool(replica.info("replication")["role"] == "master")

    def _know_each_other(self) -> bool:
        for number in (2, 3, 4):
            with self.ask(number) as sentinel:
                known = sentinel.sentinel_masters()[NAME]
            if known["num-other-sentinels"] != 2 or known["num-slaves"] != 1:
                return False
        return True

    def _start(self, number: int, settings: str, *options: str) -> subprocess.Popen[bytes]:
        port, folder = self._ports[number], self._folder / f"redis-{number}"
        folder.mkdir()
        file = folder / "redis.conf"
        lines = [line.strip() for line in settings.splitlines()]
        file.write_text("\n".join([f"port {port}", f"dir {folder}", *lines]))
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen([find_redis(), file, *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)

        def answers() -> bool:
            assert process.poll() is None, (folder / "log").read_text()
            with self.ask(number) as client, suppress(redis.ConnectionError):
                return bool(client.ping())
            return False

        self._until(answers)
        return process

    @staticmethod
    def _until(condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, "the Redis servers do not find each other"
            time.sleep(0.05)


@contextmanager
def sentinels(folder: Path) -> Iterator[Sentinels]:
    with ExitStack() as stack:
        yield Sentinels(folder, stack)
