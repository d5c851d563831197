"""Whether a program's process goes on with the next match is for the tournament to say."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.server.live import LiveServer, live_server, until
from tests.server.system.hosts import HostProcess, a_folder, is_connected, submit

from farfalia.v1 import bots_pb2, matches_pb2
from farfalia_server.sandbox.process_tree import tree

pytestmark = pytest.mark.slow

#: Says at the beginning of each match how many its process has played.
COUNTING = """import random

from farfalia import Bot, run

played = set()


class Counting(Bot):
    def decide(self, view):
        if view.match not in played:
            played.add(view.match)
            print(f"match {len(played)} of its process")
        return random.choice(view.legal)


run(Counting())
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("lasting")) as server:
        yield server


@pytest.fixture(scope="module", autouse=True)
def host(server: LiveServer) -> Iterator[HostProcess]:
    """A host with a bot `ada` that counts."""
    with HostProcess(server, "one", slots=1) as host:
        folder = a_folder(server, "ada", {"bot.py": COUNTING})
        done = submit(server, server.register("ada"), str(folder), "--bot", "ada")
        assert done.returncode == 0, done.stderr
        until(lambda: is_connected(server, "ada"))
        yield host


def counted(server: LiveServer, *, lasting: bool) -> list[int]:
    """How many matches its process had played with each match of a new tournament, in order."""
    number = server.tournament(
        ["ada", "house-greedy-1"], ruleset="four", options={"target": "1"}, rounds=4, lasting_processes=lasting
    )
    matches = server.wait_for_matches(number)
    assert {match.state for match in matches} == {matches_pb2.MATCH_STATE_FINISHED}
    assert not any(server.record(match.id).incidents for match in matches)
    assert server.show(number).lasting_processes == lasting
    shown = "may keep their process" in server.page(f"/tournaments/{number}")[1]
    assert shown == lasting
    until(lambda: len(told(server, matches)) == len(matches))  # log lines come a moment later
    return sorted(told(server, matches))


def told(server: LiveServer, matches: list[matches_pb2.Match]) -> list[int]:
    found = []
    for match in matches:
        logs = server.call("GetBot", bots_pb2.GetBotRequest(name="ada", match=match.id)).logs
        lines = [re.match(r"match (\d+) of its process", log.line.text) for log in logs]
        found += [int(line[1]) for line in lines if line is not None]
    return found


def test_each_match_has_a_process_of_its_own_as_a_rule(server: LiveServer) -> None:
    assert counted(server, lasting=False) == [1, 1, 1, 1]


def test_a_process_plays_all_matches_of_a_tournament_that_allows_it(server: LiveServer) -> None:
    assert counted(server, lasting=True) == [1, 2, 3, 4]


def test_another_tournament_begins_with_another_process(server: LiveServer) -> None:
    first, second = (counted(server, lasting=True) for _ in range(2))
    assert first == second == [1, 2, 3, 4]


def test_a_process_without_a_match_makes_way_for_one_with_a_match(server: LiveServer, host: HostProcess) -> None:
    counted(server, lasting=True)
    counted(server, lasting=False)
    until(lambda: [one.pid for one in tree(host.process.pid)] == [host.process.pid])
