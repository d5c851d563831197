"""A tournament that is cancelled at one node ends its tables at whichever node they are."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.server.live import LiveServer
from tests.server.live_nodes import live_nodes
from tests.server.outages import until
from tests.server.rawbot import RawBot

from farfalia.v1 import nodes_pb2, record_pb2, tournaments_pb2

#: Nobody is waited for that long.
SLOW = record_pb2.TimeControl(limit_ms=600_000, bank_ms=0, grace=0)


def tables(node: LiveServer) -> int:
    """How many matches are in play at all nodes."""
    return sum(one.matches for one in node.call("ListNodes", nodes_pb2.ListNodesRequest()).nodes)


@pytest.mark.slow
def test_a_tournament_that_is_cancelled_at_one_node_ends_at_the_other(tmp_path: Path) -> None:
    with live_nodes(tmp_path, "one", "two") as nodes, ExitStack() as stack:
        asked, played = nodes
        silent = stack.enter_context(RawBot(played.grpc_address, asked.register("silent")))
        number = asked.tournament(["silent"], rounds=1, control=SLOW)
        question = silent.question()
        asked.call("CancelTournament", tournaments_pb2.CancelTournamentRequest(id=number))
        over = silent.finished()
        assert (over.match, over.HasField("outcome"), over.voided) == (question.match, False, False)
        until(lambda: not tables(asked), "no table is left")
    for node in nodes:
        assert "Traceback" not in node.log()
