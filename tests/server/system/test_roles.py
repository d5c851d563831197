"""What runs once in a cluster goes on elsewhere when its node is killed, or frozen for longer than its lease."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.migrated import sqlite_url
from tests.server.shared_redis import emptied_redis

from farfalia.v1 import nodes_pb2


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[LiveServer, LiveServer]]:
    """Two nodes; the first has all roles."""
    database_url, redis_url = sqlite_url(tmp_path / "arena.db"), emptied_redis()
    with ExitStack() as servers:
        found = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            server = live_server(tmp_path / name, node=name, redis_url=redis_url, database_url=database_url)
            found.append(servers.enter_context(server))
        first, second = found
        until(lambda: raters(second) == ["one"])
        yield first, second


def nodes(server: LiveServer) -> list[nodes_pb2.Node]:
    return list(server.call("ListNodes", nodes_pb2.ListNodesRequest()).nodes)


def raters(server: LiveServer) -> list[str]:
    return [node.name for node in nodes(server) if "rater" in node.roles]


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
def test_the_roles_of_a_node_that_is_killed_go_to_another(pair: tuple[LiveServer, LiveServer]) -> None:
    first, second = pair
    first.kill()
    until(lambda: raters(second) == ["two"])
    assert [node.name for node in nodes(second)] == ["two"]
    first.start()
    until(lambda: [node.name for node in nodes(first)] == ["one", "two"])
    until(lambda: raters(first) == ["two"])


@pytest.mark.slow
def test_a_frozen_node_finds_its_roles_taken_when_it_wakes_and_plays_on(pair: tuple[LiveServer, LiveServer]) -> None:
    first, second = pair
    first.process.send_signal(signal.SIGSTOP)
    until(lambda: raters(second) == ["two"])
    first.process.send_signal(signal.SIGCONT)
    until(lambda: [node.name for node in nodes(second)] == ["one", "two"])
    until(lambda: raters(first) == raters(second) == ["two"])
    assert "node_taken_for_dead" in first.log()
    assert first.process.poll() is None
    for server in pair:
        assert "Traceback" not in server.log()
