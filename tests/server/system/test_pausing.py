"""A final whose network fails: it pauses itself, goes on when the bots are back, and nobody is struck for it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server import outages
from tests.server.live import PATIENCE, LiveServer, live_server

from farfalia.v1 import acts_pb2, matches_pb2, ratings_pb2, record_pb2, tournaments_pb2

BOTS = [f"team{number}" for number in range(10)]
#: All bots in one process, so that they are lost together; the first plays best, by its highest cards.
CREW = """
import asyncio, os, time, farfalia
class Slow(farfalia.Bot):
    def play(self, view):
        time.sleep(0.002)
        return max(view.legal)
async def main():
    await asyncio.gather(*(
        farfalia.play(Slow(), server=os.environ["FARFALIA_SERVER"], token=token, matches=4)
        for token in os.environ["TOKENS"].split()
    ))
asyncio.run(main())
"""
CONTROL = record_pb2.TimeControl(limit_ms=500, bank_ms=1000, grace=1)


def crew(server: LiveServer, tokens: list[str]) -> subprocess.Popen[bytes]:
    """The bots of all teams."""
    return subprocess.Popen(
        [sys.executable, "-c", CREW],
        env=os.environ | {"FARFALIA_SERVER": server.grpc_address, "TOKENS": " ".join(tokens)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def until(server: LiveServer, number: int, wanted: Callable[[tournaments_pb2.Tournament], bool]) -> None:
    """Wait until a tournament is as wanted."""
    deadline = time.monotonic() + PATIENCE
    while not wanted(shown := server.show(number)):
        assert time.monotonic() < deadline, f"{shown}\n{server.log()[-3000:]}"
        time.sleep(0.1)


def acts(server: LiveServer, number: int) -> list[tuple[int, str]]:
    """What the log of a tournament has: what, and who."""
    answer = server.call("ListActs", acts_pb2.ListActsRequest(tournament=number))
    return [(act.kind, act.who) for act in answer.acts]


def until_rated(server: LiveServer, matches: int) -> None:
    """Wait until the ratings count this many matches of each bot."""
    asked = ratings_pb2.ListRatingsRequest(ladder="two")
    outages.until(
        lambda: {row.rating.matches for row in server.call("ListRatings", asked).bots} == {matches},
        f"{matches} matches are rated",
    )


@pytest.mark.slow
def test_a_final_survives_two_outages_of_its_network_without_strikes(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"reconnect_grace_ms": 1000, "absence_ms": 2000, "fit_hour": -1}
    with live_server(tmp_path, **settings) as server:
        tokens = [server.register(name) for name in BOTS]
        number = server.tournament(
            BOTS,
            start=False,
            control=CONTROL,
            stages=[
                {"kind": "STAGE_KIND_SWISS", "rounds": 3, "qualifiers": 5},
                {"kind": "STAGE_KIND_KNOCKOUT", "advance": 1},
            ],
            network_rule={"percent": 50, "seconds": 30, "settling": 1},
        )
        bots = crew(server, tokens)
        try:
            server.wait_for_nonces(number)
            server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
            for finished, away in ((1, 0.0), (6, 8.0)):
                until(server, number, lambda one, finished=finished: one.finished >= finished)  # type: ignore[misc]
                bots.kill()
                bots.wait()
                until(server, number, lambda one: one.HasField("pause"))
                time.sleep(away)
                shown = server.show(number)
                assert shown.pause.cause == tournaments_pb2.PAUSE_CAUSE_NETWORK
                assert shown.waiting_reason == tournaments_pb2.TOURNAMENT_WAIT_REASON_PAUSED
                page = server.page(f"/tournaments/{number}")[1]
                assert "Missing: team" in page
                bots = crew(server, tokens)
                until(server, number, lambda one: not one.HasField("pause"))
            over = server.wait_for(number)
        finally:
            bots.kill()
            bots.wait()
        assert over.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
        assert {row.entrant for row in over.standings if row.strikes or row.forfeits} == set()
        champions = [row.entrant for row in over.stages[-1].standings if row.place == 1]
        assert len(champions) == 1
        assert over.standings[0].entrant == champions[0]
        kinds = [kind for kind, _ in acts(server, number)]
        assert kinds.count(acts_pb2.ACT_KIND_PAUSE) == 2
        assert kinds.count(acts_pb2.ACT_KIND_RESUME) == 2
        assert kinds[-1] == acts_pb2.ACT_KIND_FINISH
        assert "Traceback" not in server.log()


def test_an_organiser_pauses_resumes_voids_and_replays(tmp_path: Path) -> None:
    with live_server(tmp_path, fit_hour=-1) as server:
        for name in ("ada", "ben"):
            server.register(name, "greedy")
        number = server.tournament(["ada", "ben"], rounds=6, ruleset="two")
        server.wait_for(number)
        until_rated(server, 6)
        first = server.matches(number)[-1].id
        void = tournaments_pb2.VoidMatchesRequest(id=number, matches=[first], reason="power cut")
        assert list(server.call("VoidMatches", void).matches) == [first]
        assert list(server.call("VoidMatches", void).matches) == []
        after = server.show(number)
        assert after.finished == 5
        states = {match.id: match.state for match in server.matches(number)}
        assert states[first] == matches_pb2.MATCH_STATE_VOID
        assert server.record(first).match == first
        page = server.page(f"/tournaments/{number}")[1]
        assert "power cut" in page
        assert "power cut" in server.page(f"/api/tournaments/{number}/log")[1]
        assert acts(server, number)[-1] == (acts_pb2.ACT_KIND_VOID, "admin")
        until_rated(server, 5)
        silent = server.tournament(["ada", server.register("absent") and "absent"], rounds=2, ruleset="two")
        pause = tournaments_pb2.PauseTournamentRequest(id=silent, reason="lunch")
        for _ in range(2):
            assert server.call("PauseTournament", pause).tournament.pause.reason == "lunch"
        server.kill()
        server.start()
        shown = server.show(silent)
        assert shown.waiting == "Paused by admin: lunch. Matches in play are played on."
        waiting = server.matches(silent)[0].id
        again = tournaments_pb2.VoidMatchesRequest(id=silent, matches=[waiting], reason="again", replay=True)
        (instead,) = server.call("VoidMatches", again).instead
        assert not server.call("VoidMatches", again).instead
        assert {match.id for match in server.matches(silent)} > {waiting, instead}
        resume = tournaments_pb2.ResumeTournamentRequest(id=silent)
        for _ in range(2):
            assert not server.call("ResumeTournament", resume).tournament.HasField("pause")
