"""Three servers with one database and one Redis, and five bots that are connected to any of them."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.server.bot_process import bot_process
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.played_once import NAMES, assert_played_once
from tests.server.shared_redis import emptied_redis

from farfalia.v1 import tournaments_pb2


@contextmanager
def three_nodes(folder: Path, database_url: str) -> Iterator[list[LiveServer]]:
    """Three servers that play together; each has a folder of its own for its log."""
    redis_url = emptied_redis()
    with ExitStack() as servers:
        nodes = []
        for name in ("A", "B", "C"):
            (folder / name).mkdir()
            server = live_server(folder / name, node=name, redis_url=redis_url, database_url=database_url, max_tables=4)
            nodes.append(servers.enter_context(server))
        yield nodes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("database_url", "trouble"),
    [
        ("sqlite", "restarted"),
        ("postgresql", "killed"),
        ("postgresql", "frozen"),
        pytest.param("sqlite", "killed", marks=pytest.mark.prove),  # so are nodes of a cluster in trouble
        pytest.param("sqlite", "frozen", marks=pytest.mark.prove),
        pytest.param("postgresql", "restarted", marks=pytest.mark.prove),
    ],
    indirect=["database_url"],
)
def test_bots_of_three_nodes_play_together_and_lose_nothing_when_one_goes(
    tmp_path: Path, database_url: str, trouble: str
) -> None:
    rounds = 24
    with three_nodes(tmp_path, database_url) as nodes, ExitStack() as bots:
        first, other, _ = nodes
        for number, name in enumerate(NAMES):
            bots.enter_context(bot_process(nodes[number % 3], name, name.partition("-")[0]))
        tournament = first.tournament(NAMES, rounds=rounds, ruleset="basic")
        before = first.wait_for(tournament, finished=6)
        assert before.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING, "it was over before a node could go"
        if trouble == "killed":
            other.kill()
            other.start()
        elif trouble == "restarted":
            other.process.send_signal(signal.SIGTERM)
            assert other.process.wait(PATIENCE) == 0
            other.start()
        else:
            other.process.send_signal(signal.SIGSTOP)
            while "node_went" not in first.log():
                time.sleep(0.1)
            other.process.send_signal(signal.SIGCONT)
        first.wait_for(tournament)
        assert_played_once(first, tournament, rounds)
        for node in nodes:
            assert "match_voided" not in node.log()
            assert "Traceback" not in node.log()
