"""Matches that somebody asks for, and a bot that is suspended while it plays one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
import pytest
from tests.server.bot_process import sample_bots
from tests.server.live import PATIENCE, LiveServer, live_server, until

from farfalia.v1 import accounts_pb2, bots_pb2, matches_pb2, record_pb2
from farfalia.v1.matches_pb2 import ChallengeSeat, Match, MatchState

BOTS = ("greedy-1", "random-1")
#: A bot that takes its time.
SLOW = """
import os, time, farfalia
class Slow(farfalia.Bot):
    def play(self, view):
        time.sleep(0.2)
        return view.legal[0]
farfalia.run(Slow())
"""


@contextmanager
def slow_bot(server: LiveServer, name: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": server.register(name)}
    with (server.folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-c", SLOW], env=os.environ | environment, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, registration="open", reconnect_grace_ms=500, absence_ms=1000) as server:
        yield server


def connected(server: LiveServer, *names: str) -> None:
    """Wait until these bots are connected."""
    for name in names:
        until(lambda name=name: server.call("GetBot", bots_pb2.GetBotRequest(name=name)).bot.connected)  # type: ignore[misc]


def ask(server: LiveServer, token: str, *seats: str, limit_ms: int = 1000) -> Match:
    """The match of four that somebody asked for; names with a dash are bots."""
    wanted = [ChallengeSeat(bot=seat) if "-" in seat else ChallengeSeat(house=seat) for seat in seats]
    control = record_pb2.TimeControl(limit_ms=limit_ms, bank_ms=0, grace=1)
    request = matches_pb2.CreateChallengeRequest(ruleset="four", seats=wanted, time_control=control)
    answer: matches_pb2.CreateChallengeResponse = server.arena.CreateChallenge(
        request, metadata=(("authorization", f"Bearer {token}"),)
    )
    return answer.match


def shown(server: LiveServer, match: int) -> Match:
    """A match that ada asked for."""
    found: matches_pb2.ListMatchesResponse = server.call(
        "ListMatches", matches_pb2.ListMatchesRequest(challenger="ada")
    )
    return next(one for one in found.matches if one.id == match)


def over(server: LiveServer, match: int) -> Match:
    """The match once it is over."""
    until(lambda: shown(server, match).state not in (MatchState.MATCH_STATE_QUEUED, MatchState.MATCH_STATE_RUNNING))
    return shown(server, match)


def account(server: LiveServer) -> str:
    made: accounts_pb2.CreateAccountResponse = server.call(
        "CreateAccount", accounts_pb2.CreateAccountRequest(name="ada")
    )
    return made.token


@pytest.mark.slow
def test_anyone_with_an_account_has_a_match_at_once_that_counts_nowhere(server: LiveServer) -> None:
    token = account(server)
    with ExitStack() as processes:
        sample_bots(processes, BOTS, server)
        connected(server, *BOTS)
        asked = ask(server, token, "greedy-1", "cautious", "random-1")
        match = over(server, asked.id)
        assert (match.state, match.ladder, match.tournament) == (MatchState.MATCH_STATE_FINISHED, "", 0)
        assert list(match.entrants) == ["greedy-1", "house-cautious-1", "random-1", "house-cautious-2"]
        assert not LiveServer.verify(server.record(match.id))
        assert "ada" in server.page(f"/matches/{match.id}")[1]
        assert not server.call("GetBot", bots_pb2.GetBotRequest(name="greedy-1")).bot.ratings


@pytest.mark.slow
def test_house_bots_finish_what_a_suspended_bot_plays(server: LiveServer) -> None:
    token = account(server)
    with ExitStack() as processes:
        slow = processes.enter_context(slow_bot(server, "slow-1"))
        sample_bots(processes, ["greedy-1"], server)
        connected(server, "slow-1", "greedy-1")
        asked = ask(server, token, "slow-1", "greedy-1")
        until(lambda: shown(server, asked.id).state == MatchState.MATCH_STATE_RUNNING)
        suspend = bots_pb2.ModerateBotRequest(name="slow-1", suspended=True, reason="plays with somebody")
        server.call("ModerateBot", suspend)
        match = over(server, asked.id)
        assert match.state == MatchState.MATCH_STATE_FINISHED
        assert list(match.outcome.forfeits) == [0]
        record = server.record(match.id)
        assert {incident.cause for incident in record.incidents} == {record_pb2.CAUSE_ABSENT}
        with pytest.raises(grpc.RpcError) as refused:
            ask(server, token, "slow-1")
        assert "slow-1 is suspended" in str(refused.value)
        assert slow.wait(PATIENCE) != 0
        assert "suspended" in (server.folder / "slow-1.log").read_text(encoding="utf-8")
        server.call("ModerateBot", bots_pb2.ModerateBotRequest(name="slow-1", suspended=False))


@pytest.mark.slow
def test_a_match_that_somebody_asked_for_is_given_up_in_the_middle(server: LiveServer) -> None:
    token = account(server)
    with ExitStack() as processes:
        processes.enter_context(slow_bot(server, "slow-1"))
        connected(server, "slow-1")
        match = ask(server, token, "slow-1").id
        until(lambda: shown(server, match).state == MatchState.MATCH_STATE_RUNNING)
        cancel = matches_pb2.CancelChallengeRequest(match=match)
        server.arena.CancelChallenge(cancel, metadata=(("authorization", f"Bearer {token}"),))
        assert over(server, match).state == MatchState.MATCH_STATE_VOID
        again = ask(server, token, "slow-1").id
        until(lambda: shown(server, again).state == MatchState.MATCH_STATE_RUNNING)
