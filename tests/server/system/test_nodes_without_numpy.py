"""Two servers of one arena, of which one has no NumPy: it plays what it can, and leaves the rest to the other."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from tests.server.live import PATIENCE, until
from tests.server.live_nodes import live_nodes

from farfalia.v1 import matches_pb2, nodes_pb2, tournaments_pb2

#: A server on which NumPy is not installed.
WITHOUT = """
import sys
sys.modules["numpy"] = None
from farfalia_server.__main__ import main
main()
"""
#: A server that says in which thread it imports NumPy.
TELLING = """
import sys, threading
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("numpy."):  # of numpy itself it is only asked at the start whether it is there
            main = threading.current_thread() is threading.main_thread()
            print("numpy is imported in", "the main thread" if main else "another thread", flush=True)
sys.meta_path.insert(0, Finder())
from farfalia_server.__main__ import main
main()
"""
MATCHES = 20


@pytest.mark.slow
def test_a_node_without_numpy_leaves_matches_to_one_that_has_it(tmp_path: Path) -> None:
    programs = {"with": ("-c", TELLING), "without": ("-c", WITHOUT)}
    with live_nodes(tmp_path, "without", "with", programs=programs, max_tables=4) as (without, able):
        learned = able.tournament(["house-learned-1", "house-greedy-1"], rounds=MATCHES, ruleset="two")
        simple = able.tournament(["house-cautious-1", "house-greedy-1"], rounds=MATCHES, ruleset="two")
        able.wait_for(learned)
        able.wait_for(simple)
        for node in (without, able):
            assert "match_voided" not in node.log()
            assert "Traceback" not in node.log()
        assert able.log().count("numpy is imported in") >= 1
        assert "numpy is imported in the main thread" not in able.log()

        # Where no node is left that has it, a match waits, and all say why.
        later = able.tournament(["house-learned-1", "house-greedy-1"], rounds=1, ruleset="two", start=False)
        able.process.send_signal(signal.SIGTERM)
        assert able.process.wait(PATIENCE) == 0
        without.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=later))
        why = tournaments_pb2.TOURNAMENT_WAIT_REASON_HOUSE_BOT_UNPLAYABLE
        until(lambda: without.show(later).waiting_reason == why, lambda: without.show(later))
        sentence = "Waiting for a server that can play learned: none has what this needs, such as NumPy."
        assert without.show(later).waiting == sentence
        assert list(without.call("GetQueue", nodes_pb2.GetQueueRequest()).unplayable) == ["learned"]
        (match,) = without.matches(later)
        assert match.state == matches_pb2.MATCH_STATE_QUEUED
        assert sentence in without.page(f"/matches/{match.id}")[1]
        # Others go on.
        without.wait_for(without.tournament(["house-cautious-1", "house-greedy-1"], rounds=2, ruleset="two"))
        able.start()
        able.wait_for(later)
        assert "match_voided" not in without.log()
