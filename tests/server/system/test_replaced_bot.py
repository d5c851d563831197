"""A bot is replaced while it plays: real streams, the log, pages, downloads, and a stranger who adds it all up."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import httpx
from tests.server.live import PATIENCE, live_server
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import acts_pb2, play_pb2, record_pb2, stages_pb2, tournaments_pb2

RECOMPUTE = Path(__file__).parents[2] / "strangers" / "recompute_table.py"
GAME, ROUNDS = "basic", 4
HOUSE = ["house-greedy-1", "house-random-1", "house-cautious-1", "house-random-2"]


class Slow:
    """Plays its first match, and waits in the second until it is let."""

    def __init__(self) -> None:
        self.waits, self.let = threading.Event(), threading.Event()
        self._first = 0

    def __call__(self, bot: RawBot, message: play_pb2.PlayResponse) -> None:
        for question in message.questions:
            self._first = self._first or question.match
            if question.match != self._first:
                self.waits.set()
                self.let.wait(PATIENCE)
        first_legal(bot, message)


def test_a_bot_that_is_replaced_finishes_its_match_and_the_other_plays_the_rest(tmp_path: Path) -> None:
    control = record_pb2.TimeControl(limit_ms=60_000, bank_ms=0, grace=0)
    slow = Slow()
    with live_server(tmp_path, fit_hour=-1) as server:
        tokens = {name: server.register(name) for name in ("ant", "bee")}
        with (
            RawBot(server.grpc_address, tokens["ant"], rulesets=(GAME,), matches=1, react=slow),
            RawBot(server.grpc_address, tokens["bee"], rulesets=(GAME,), react=first_legal),
        ):
            fresh = stages_pb2.BOARDS_FRESH
            number = server.tournament(["ant", *HOUSE], rounds=ROUNDS, ruleset=GAME, control=control, boards=fresh)
            assert slow.waits.wait(PATIENCE)
            asked = tournaments_pb2.EnterTournamentRequest(id=number, bot="bee", instead_of="ant")
            done = server.call("EnterTournament", asked)
            assert (done.playing, done.taken) == (1, ROUNDS - 2)
            slow.let.set()
            server.wait_for(number)
        matches = sorted(server.matches(number), key=lambda match: match.round)
        assert [("ant" in match.entrants, "bee" in match.entrants) for match in matches] == [
            (True, False),
            (True, False),
            (False, True),
            (False, True),
        ]
        assert [server.verify(server.record(match.id)) for match in matches] == [[]] * ROUNDS
        acts = server.call("ListActs", acts_pb2.ListActsRequest(tournament=number)).acts
        assert ("bee", "instead of ant") in [(one.subject, one.reason) for one in acts]
        with httpx.Client(base_url=f"http://{server.http_address}", timeout=PATIENCE) as client:
            rows = client.get(f"/api/tournaments/{number}").json()["standings"]
            (row,) = (one for one in rows if one["entrant"] == "bee")
            assert (row["matches"], row["formerly"], row["rating"]["matches"]) == (ROUNDS, ["ant"], 2)
            assert "instead of ant" in client.get(f"/tournaments/{number}").text
            assert "formerly" in client.get(f"/api/tournaments/{number}?format=csv").text.splitlines()[0]
            for name, address in (
                ("tournament.json", f"/api/tournaments/{number}"),
                ("matches.json", f"/api/matches?tournament={number}&limit=1000"),
                ("records.ndjson", f"/api/records?tournament={number}"),
            ):
                (tmp_path / name).write_text(client.get(address).raise_for_status().text, encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(RECOMPUTE), str(tmp_path)]
    added = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (added.returncode, added.stdout) == (0, f"the table of {ROUNDS} matches agrees\n"), added.stderr
