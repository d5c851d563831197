"""The Python client and the real server, each in processes of their own."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.clients.programs import Program, connected, house, sample
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.outages import until

from farfalia.v1 import bots_pb2, record_pb2, tournaments_pb2

FAILING = """
import farfalia

class Failing(farfalia.Bot):
    asked = 0

    def play(self, view):
        self.asked += 1
        if self.asked == 3:
            raise LookupError("lost my notes")
        if self.asked == 6:
            return next(card for card in range(52) if card not in view.legal)
        return view.legal[0]

farfalia.run(Failing())
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("clients"), ping_interval_ms=2000) as server:
        yield server


@pytest.fixture(scope="module", autouse=True)
def second(server: LiveServer) -> Iterator[Program]:
    """The second instance of a bot, started before all tests: it tries again for seconds."""
    token = server.register("twice")
    with connected(server, "twice", sample("greedy"), token) as first:
        assert first.stderr is not None
        assert "as twice" in first.stderr.readline()
        with connected(server, "twice", sample("greedy"), token) as second:
            yield second


def test_sample_bots_finish_a_tournament_without_a_strike(server: LiveServer) -> None:
    houses = house(server, "anna", "berta")
    with (
        connected(server, "chance", sample("random")),
        connected(server, "greed", sample("greedy")),
        connected(server, "care", sample("cautious")) as care,
    ):
        entrants = [*houses, "chance", "greed", "care"]
        tournament = server.tournament(entrants, rounds=12, ruleset="basic", start=False)
        server.wait_for_nonces(tournament)
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=tournament))
        matches = server.wait_for_matches(tournament)
        assert matches
        for match in matches:
            record = server.record(match.id)
            assert server.verify(record) == []
            assert list(record.incidents) == []
            assert {action.cause for action in record.actions} <= {
                record_pb2.CAUSE_BOT,
                record_pb2.CAUSE_FORCED,
                record_pb2.CAUSE_HOUSE,
            }
        care.send_signal(signal.SIGTERM)
        _, said = care.communicate(timeout=PATIENCE)
    assert care.returncode == 0
    first, *others = said.splitlines()
    assert first == f"farfalia: connected to {server.grpc_address} as care"
    pages = f"http://{server.http_address}"
    for line in others[:10]:
        assert re.match(r"farfalia: match \d+: [1-5](st|nd|rd|th) of 5, \d+ points; ", line)
        assert f"; {pages}/matches/" in line
    # The rest are summed up.
    assert len(others) <= 11


def test_a_bot_that_fails_twice_is_told_what_the_server_made_of_it_and_plays_on(server: LiveServer) -> None:
    houses = house(server, "carla", "dora", "ella", "frieda")
    with connected(server, "failing", [sys.executable, "-c", FAILING]) as failing:
        tournament = server.tournament([*houses, "failing"], rounds=1)
        record = server.record(server.wait_for_matches(tournament)[0].id)
        failing.send_signal(signal.SIGINT)
        _, said = failing.communicate(timeout=PATIENCE)
    texts = [incident.text for incident in record.incidents]
    assert [incident.cause for incident in record.incidents] == [record_pb2.CAUSE_FAILURE] * 2
    assert set(texts) == {"the bot said that it failed; its owner's log has what it said"}
    assert not any(incident.taken_over for incident in record.incidents)
    assert failing.returncode == 0
    assert 'raise LookupError("lost my notes")' not in said  # a program given by -c has no source lines to show
    assert "LookupError: lost my notes" in said
    assert said.count("LookupError: lost my notes") == 1
    assert re.search(r"match \d+, question \d+ \(strike 2 of 4\): play returned ", said)

    def logged() -> str:
        return "\n".join(log.line.text for log in server.call("GetBot", bots_pb2.GetBotRequest(name="failing")).logs)

    until(lambda: "failed: play returned " in logged(), "the owner's log has what was written last")
    assert "failed: LookupError: lost my notes" in logged()
    assert "Traceback" in logged()


@pytest.mark.parametrize("rounds", [8, pytest.param(40, marks=pytest.mark.prove)])
def test_bots_come_back_by_themselves_to_a_server_that_was_killed(tmp_path: Path, rounds: int) -> None:
    with live_server(tmp_path) as server:
        houses = house(server, "gerda", "hanna", "ilse")
        with (
            connected(server, "jana", sample("greedy")),
            connected(server, "karin", sample("cautious")),
        ):
            tournament = server.tournament([*houses, "jana", "karin"], rounds=rounds, ruleset="five-hand")
            server.wait_for(tournament, finished=2)
            server.kill()
            server.start()
            for match in server.wait_for_matches(tournament):
                record = server.record(match.id)
                assert server.verify(record) == []
                assert list(record.incidents) == []


def test_a_second_instance_is_refused_with_what_to_do_about_it(second: Program) -> None:
    _, said = second.communicate(timeout=PATIENCE)
    assert second.returncode == 3
    told = "another instance of twice is connected: stop it, or start this one with farfalia.run(bot, take_over=True)"
    assert said.count(f"{told}; trying again in 2 s") == 4
    assert said.endswith(f"{told} (BOT_CONNECTED).\n")
    assert "cannot be reached" not in said
