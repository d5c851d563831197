"""What runs once in a cluster goes on elsewhere when its node is killed, or frozen for longer than its lease."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.live import LiveServer
from tests.server.live_nodes import live_nodes
from tests.server.outages import until

from farfalia.v1 import nodes_pb2


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[LiveServer, LiveServer]]:
    """Two nodes; the first has all roles."""
    with live_nodes(tmp_path, "one", "two") as (first, second):
        until(lambda: raters(second) == ["one"])
        yield first, second


def nodes(server: LiveServer) -> list[nodes_pb2.Node]:
    return list(server.call("ListNodes", nodes_pb2.ListNodesRequest()).nodes)


def raters(server: LiveServer) -> list[str]:
    return [node.name for node in nodes(server) if "rater" in node.roles]


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
