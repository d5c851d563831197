"""A tournament that is cancelled at one node ends its tables at whichever node they are."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.migrated import sqlite_url
from tests.server.rawbot import RawBot
from tests.server.shared_redis import emptied_redis

from farfalia.v1 import nodes_pb2, record_pb2, tournaments_pb2

#: Nobody is waited for that long.
SLOW = record_pb2.TimeControl(limit_ms=600_000, bank_ms=0, grace=0)


def tables(node: LiveServer) -> int:
    """How many matches are in play at all nodes."""
    return sum(one.matches for one in node.call("ListNodes", nodes_pb2.ListNodesRequest()).nodes)


@pytest.mark.slow
def test_a_tournament_that_is_cancelled_at_one_node_ends_at_the_other(tmp_path: Path) -> None:
    redis_url, database_url = emptied_redis(), sqlite_url(tmp_path / "arena.db")
    with ExitStack() as stack:
        nodes = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            started = live_server(tmp_path / name, node=name, redis_url=redis_url, database_url=database_url)
            nodes.append(stack.enter_context(started))
        asked, played = nodes
        silent = stack.enter_context(RawBot(played.grpc_address, asked.register("silent")))
        number = asked.tournament(["silent"], rounds=1, control=SLOW)
        question = silent.question()
        asked.call("CancelTournament", tournaments_pb2.CancelTournamentRequest(id=number))
        over = silent.finished()
        assert (over.match, over.HasField("outcome"), over.voided) == (question.match, False, False)
        deadline = time.monotonic() + PATIENCE
        while tables(asked):
            assert time.monotonic() < deadline, "a table is left"
            time.sleep(0.05)
    for node in nodes:
        assert "Traceback" not in node.log()
