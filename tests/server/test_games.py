"""Every game through the whole server: planned, played by bots that connect and by house bots, rated, verified."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from tests.server.live import LiveServer, live_server

from farfalia.v1 import arena_pb2
from farfalia_engine import GAMES, ruleset

OPTIONS = [
    ("chinkway", {"double_you": "on"}),
    ("chinkway", {"burnin": "on"}),
    ("four", {"target": "30"}),
    ("four", {"hands": "8"}),
    ("three", {"burnin": "on"}),
    ("two", {"double_you": "on"}),
    ("farrago", {"players": "3", "order": "random"}),
    ("farrago", {"players": "5", "pack": "five-hundred"}),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with two bots that connect as anybody's do."""
    with live_server(tmp_path_factory.mktemp("games"), limit_ms=5000) as server, ExitStack() as processes:
        for name in ("random", "greedy"):
            environment = {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": server.register(name)}
            command = [sys.executable, "-m", "farfalia.bots", name]
            process = subprocess.Popen(command, env=os.environ | environment, stderr=subprocess.DEVNULL)
            processes.callback(process.wait)
            processes.callback(process.kill)
        yield server


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), [*((game, {}) for game in sorted(GAMES)), *OPTIONS], ids=str)
def test_a_tournament_of_each_game_is_played_rated_and_verified(
    server: LiveServer, game: str, options: dict[str, str]
) -> None:
    request = arena_pb2.CreateTournamentRequest(
        name=game, ruleset=game, options=options, bots=["random", "greedy"], rounds=2, seed="1"
    )
    number = server.call("CreateTournament", request).tournament.id
    server.call("StartTournament", arena_pb2.StartTournamentRequest(id=number))
    tournament = server.wait_for(number)
    assert len(tournament.standings) == ruleset(game, options).seats
    assert {standing.strikes for standing in tournament.standings} == {0}
    for match in server.matches(number):
        record = server.record(match.id)
        assert dict(record.options) == ruleset(game, options).options
        assert server.verify(record) == []
    assert "Traceback" not in server.log()
