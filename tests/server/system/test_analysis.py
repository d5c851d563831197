"""Matches that a real server analyses, also one that is killed meanwhile, and who may ask for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.server.live import PATIENCE, LiveServer, live_server, until
from tests.server.system.form_browser import PASSWORD, Browser

from farfalia.v1 import accounts_pb2, analysis_pb2, bots_pb2

#: As few worlds as have an error, which is enough to see what becomes of the prices.
FEW = {"farfalia.analysis.prices.WORLDS": 8}


def state(server: LiveServer, match: int) -> int:
    """How far the analysis of a match is."""
    found: int = server.call("GetAnalysis", analysis_pb2.GetAnalysisRequest(match=match)).analysis.state
    return found


def finished(server: LiveServer, *bots: str, unrated: bool = True) -> int:
    """A match of these bots that is over."""
    tournament = server.tournament(list(bots), rounds=1, ruleset="two", unrated=unrated)
    server.wait_for(tournament)
    return int(server.matches(tournament)[0].id)


def refused(server: LiveServer, match: int, token: str) -> grpc.StatusCode:
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    with pytest.raises(grpc.RpcError) as refusal:
        server.arena.RequestAnalysis(analysis_pb2.RequestAnalysisRequest(match=match), metadata=metadata)
    error: Any = refusal.value
    code: grpc.StatusCode = error.code()
    return code


@pytest.mark.slow
def test_an_owner_asks_for_prices_and_they_survive_the_server(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"registration": "open", "analysis_minutes": 10, "fit_hour": -1}
    with live_server(tmp_path, constants=FEW, **settings) as server:
        server.call("CreateAccount", accounts_pb2.CreateAccountRequest(name="olga", password=PASSWORD))
        stranger = server.call("CreateAccount", accounts_pb2.CreateAccountRequest(name="sten", password=PASSWORD)).token
        token = server.call("RegisterBot", bots_pb2.RegisterBotRequest(name="ada", owner="olga")).token
        environment = os.environ | {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": token}
        with (tmp_path / "bot.log").open("wb") as log:
            bot = subprocess.Popen([sys.executable, "-m", "farfalia.bots", "greedy"], env=environment, stderr=log)
            try:
                match = finished(server, "ada", "house-random-1")
            finally:
                bot.kill()
                bot.wait()
        assert refused(server, match, "") is grpc.StatusCode.UNAUTHENTICATED
        assert refused(server, match, stranger) is grpc.StatusCode.PERMISSION_DENIED
        assert state(server, match) == analysis_pb2.ANALYSIS_STATE_NONE
        with Browser(server) as browser:
            browser.send("sign-in", name="sten", password=PASSWORD)
            assert "expected the token" in browser.send("analysis/request", match=str(match)).text
        with Browser(server) as browser:
            browser.send("sign-in", name="olga", password=PASSWORD)
            page = browser.client.get(f"/account/analysis?match={match}").raise_for_status().text
            assert f"Analysis of match {match}" in page
            asked = browser.send("analysis/request", match=str(match))
            assert (asked.status_code, asked.headers["location"]) == (303, f"/matches/{match}")
        until(lambda: state(server, match) == analysis_pb2.ANALYSIS_STATE_RUNNING, server.log)
        server.process.kill()
        server.process.wait()
        server.start()
        # It has the lowest priority, and other tests may need all cores.
        until(lambda: state(server, match) == analysis_pb2.ANALYSIS_STATE_DONE, server.log, 4 * PATIENCE)
        found = server.call("GetAnalysis", analysis_pb2.GetAnalysisRequest(match=match)).analysis
        assert found.decisions
        assert {one.entrant for one in found.seats} == {"ada", "house-random-1"}
        assert server.log().count("match_analysed") == 1


@pytest.mark.slow
def test_a_server_that_analyses_nothing_says_so(tmp_path: Path) -> None:
    with live_server(tmp_path, analysis_minutes=0, fit_hour=-1) as server:
        for bot in ("ada", "ben"):
            server.register(bot, "greedy")
        match = finished(server, "ada", "ben")
        with pytest.raises(grpc.RpcError, match="this server does not analyse matches"):
            server.call("RequestAnalysis", analysis_pb2.RequestAnalysisRequest(match=match))
