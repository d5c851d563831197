"""Every game with every option through the whole server: planned, played, rated, recorded, verified, not forgeable."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from tests.engine.games import label, pairwise
from tests.server.bot_process import bot_process
from tests.server.live import LiveServer, live_server

from farfalia.v1 import record_pb2
from farfalia_engine import ruleset
from farfalia_engine.actions import FARRAGO_CARDS_END
from farfalia_server.records import codec, files


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with two bots that connect as anybody's do."""
    with live_server(tmp_path_factory.mktemp("games"), limit_ms=5000) as server, ExitStack() as processes:
        for name in ("random", "greedy"):
            processes.enter_context(bot_process(server, name, name))
        yield server


@pytest.mark.slow
@pytest.mark.parametrize("played", pairwise(), ids=label)
def test_every_game_is_played_rated_and_verified_and_a_changed_record_refused(
    server: LiveServer, played: tuple[str, dict[str, str]]
) -> None:
    game, options = played
    number = server.tournament(["random", "greedy"], rounds=1, ruleset=game, options=options)
    tournament = server.wait_for(number)
    assert len(tournament.standings) == ruleset(game, options).seats
    assert {standing.strikes for standing in tournament.standings} == {0}
    (match,) = server.matches(number)
    record = server.record(match.id)
    assert dict(record.options) == ruleset(game, options).options
    assert server.verify(record) == []
    for what, forged in forgeries(record):
        assert server.verify(forged), f"{what} was changed, and nobody noticed"
        assert server.verify(codec.seal(forged)), f"{what} was changed and the digest with it, and nobody noticed"
    assert "Traceback" not in server.log()


def forgeries(record: record_pb2.Record) -> Iterator[tuple[str, record_pb2.Record]]:
    """The record with one card, one score and one option changed in its file, the digest left as it was."""
    for change in (another_card, another_score, another_option):
        document = json.loads(files.dumps(record))
        change(document)
        yield change.__name__, files.loads(json.dumps(document))


def another_card(document: dict[str, Any]) -> None:
    """Somebody's first card is one that it played later in that deal."""
    seat = document["actions"][-1]["seat"]
    cards = [row for row in document["actions"] if row["seat"] == seat and row["action"] < FARRAGO_CARDS_END]
    cards[0]["action"] = cards[1]["action"]


def another_score(document: dict[str, Any]) -> None:
    """Seat 0 has a point more than it has won."""
    document["outcome"]["points"][0] += 1


def another_option(document: dict[str, Any]) -> None:
    """The deals open with another decision, or without one."""
    options = document["options"]
    name, value = ("order", "random") if document["ruleset"] == "farrago" else ("double_you", "on")
    options.pop("burnin", None)
    if options.pop(name, None) is None:
        options[name] = value
