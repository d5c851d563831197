"""A sample bot in a process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from tests.server.live import LiveServer


@contextmanager
def bot_process(server: LiveServer, name: str, sample: str) -> Iterator[subprocess.Popen[bytes]]:
    """A sample bot in a process of its own, as its author would run it."""
    environment = {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": server.register(name)}
    with (server.folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "farfalia.bots", sample],
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def sample_bots(processes: ExitStack, names: Iterable[str], *servers: LiveServer) -> None:
    """Bots named after their samples, such as `greedy-1`, each in a process, at these servers in turn."""
    for number, name in enumerate(names):
        processes.enter_context(bot_process(servers[number % len(servers)], name, name.partition("-")[0]))
