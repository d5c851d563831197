"""A server that commands ask, one for all tests of a file; a file that uses it imports the fixtures."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli import forked
from tests.cli.command import LIMIT, Command, environment
from tests.server.live import ADMIN, LiveServer, live_server, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One for all tests that need none of their own."""
    with live_server(tmp_path_factory.mktemp("serve"), registration="open") as up:
        yield up


@pytest.fixture
def admin(server: LiveServer, tmp_path: Path) -> Command:
    """Commands of the admin against the server."""
    return Command(tmp_path, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)


def numbered(told: str) -> int:
    """The number of the tournament that a command tells of."""
    found = re.search(r"\(tournament (\d+)\)", told)
    assert found, told
    return int(found[1])


@contextmanager
def sample(server: LiveServer, name: str, tmp_path: Path) -> Iterator[None]:
    """`farfalia bot run` as a process."""
    command = ["bot", "run", "greedy", "--name", name, "--register", "--token-file", f"{name}.token"]
    with Path(os.devnull).open("wb") as nothing:
        told = nothing.fileno()
        process = forked.start(command, environment(FARFALIA_SERVER=server.grpc_address), told, told, folder=tmp_path)
    try:
        yield
    finally:
        process.terminate()
        process.wait(LIMIT)


def until_connected(admin: Command, *names: str) -> None:
    def connected() -> set[str]:
        return {bot["name"] for bot in json.loads(admin.told("bot", "list", "--json"))["bots"] if bot["connected"]}

    until(lambda: connected() >= set(names))
