"""A server that commands ask, one for all tests of a file; a file that uses it imports the fixtures."""

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli import forked
from tests.cli.command import LIMIT, Command, environment
from tests.server.live import ADMIN, LiveServer, live_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One for all tests that need none of their own."""
    with live_server(tmp_path_factory.mktemp("serve"), registration="open") as up:
        yield up


@pytest.fixture
def ask(server: LiveServer, farfalia: Command) -> Callable[..., str]:
    """Run a command against the server as the admin; it must succeed."""

    def run(*arguments: object) -> str:
        done = farfalia(*arguments, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
        assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
        return done.stdout

    return run


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


def until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LIMIT
    while not what():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.02)


def until_connected(ask: Callable[..., str], *names: str) -> None:
    until(
        lambda: (
            {bot["name"] for bot in json.loads(ask("bot", "list", "--json"))["bots"] if bot["connected"]} >= set(names)
        )
    )
