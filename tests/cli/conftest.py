"""The real command, as a process of its own, and a Redis for it."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.server.live import until
from tests.server.postgres_fixture import database_url, postgres

from farfalia_tools.bench.processes import free_port

__all__ = ["database_url", "postgres"]


@pytest.fixture
def farfalia(tmp_path: Path) -> Command:
    """`farfalia …` in an empty directory."""
    return Command(tmp_path)


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    """A Redis on a TCP port, as an organiser would have one; empty, and gone afterwards."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        message = "neither redis-server nor valkey-server is on the PATH"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def answers() -> bool:
        assert process.poll() is None
        with socket.socket() as dialled:
            return dialled.connect_ex(("127.0.0.1", port)) == 0

    until(answers)
    yield f"redis://127.0.0.1:{port}/0"
    process.terminate()
    process.wait()
