"""A server that is killed in the middle of a tournament, and started again on the same data."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.server.bot_process import bot_process
from tests.server.live import PATIENCE, LiveServer, live_server

from farfalia.v1 import bots_pb2, matches_pb2, ratings_pb2, tournaments_pb2
from farfalia_server.organising.stage_messages import stage_message
from farfalia_tournaments import parse_stages
from farfalia_tournaments.schedules import Boards

ROUNDS = 12
KILLS = 2
#: Kills of a field with house bots. `FARFALIA_TEST_KILLS=10` asks for more than there is time for every day.
FIELD_KILLS = int(os.environ.get("FARFALIA_TEST_KILLS", "1"))


def ratings_of(server: LiveServer, total: int) -> dict[str, int]:
    """Rated matches by bot, once they add up to `total`."""
    deadline = time.monotonic() + PATIENCE
    while True:
        bots = server.call("ListRatings", ratings_pb2.ListRatingsRequest()).bots
        rated = {row.bot: row.rating.matches for row in bots}
        if sum(rated.values()) >= total or time.monotonic() > deadline:
            return rated
        time.sleep(0.1)


@pytest.mark.slow
def test_every_match_counts_once_and_every_record_holds_after_kills_in_the_middle(tmp_path: Path) -> None:
    with live_server(tmp_path, max_tables=4) as server, ExitStack() as bots:
        names = []
        for number, sample in enumerate(["random", "greedy", "cautious", "random", "greedy", "cautious"]):
            names.append(f"{sample}-{number}")
            bots.enter_context(bot_process(server, names[-1], sample))
        tournament = server.tournament(names, rounds=ROUNDS)
        for kill in range(1, KILLS + 1):
            before = server.wait_for(tournament, finished=kill * ROUNDS // (KILLS + 1))
            assert before.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING, "it was over before it could be killed"
            server.kill()
            server.start()
        after = server.wait_for(tournament)

        assert after.finished == after.matches == ROUNDS
        matches = server.matches(tournament)
        assert {match.state for match in matches} == {matches_pb2.MATCH_STATE_FINISHED}
        for match in matches:
            record = server.record(match.id)
            assert server.verify(record) == []
            assert record.source.secret == after.secret
        # No match was void: each was taken up at the card at which it stood.
        assert {server.record(match.id).source.board for match in matches} == {
            f"board-1-{number}" for number in range(1, ROUNDS + 1)
        }
        # Nobody lost a strike through our fault.
        assert {standing.strikes for standing in after.standings} == {0}

        # Every match moved every rating once; the rater comes a moment after the last result.
        played = Counter(name for match in matches for name in match.entrants)
        assert ratings_of(server, sum(played.values())) == dict(played)
        assert "Traceback" not in server.log()


@pytest.mark.slow
def test_a_field_with_house_bots_plays_every_match_at_its_first_attempt_whatever_is_killed(
    tmp_path: Path, database_url: str
) -> None:
    names = ["random-1", "greedy-1", "cautious-1"]
    rounds = 6 * (FIELD_KILLS + 1)
    with live_server(tmp_path, max_tables=4, database_url=database_url) as server, ExitStack() as bots:
        for name in names:
            bots.enter_context(bot_process(server, name, name.partition("-")[0]))
        # A house bot that was entered, and one that fills the fifth seat.
        tournament = server.tournament([*names, "house-random-1"], rounds=rounds)
        for kill in range(1, FIELD_KILLS + 1):
            before = server.wait_for(tournament, finished=kill * rounds // (FIELD_KILLS + 1))
            assert before.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING, "it was over before it could be killed"
            server.kill()
            server.start()
        after = server.wait_for(tournament)

        matches = server.matches(tournament)
        assert {match.state for match in matches} == {matches_pb2.MATCH_STATE_FINISHED}
        found = [server.record(match.id) for match in matches]
        assert sorted(record.source.board for record in found) == sorted(
            f"board-1-{number}" for number in range(1, rounds + 1)
        )
        assert [server.verify(record) for record in found] == [[]] * rounds
        assert {standing.strikes for standing in after.standings} == {0}
        assert "match_voided" not in server.log()
        assert "Traceback" not in server.log()
        taken_up = server.log().count("matches_recovered")
        print(f"{rounds} matches, {FIELD_KILLS} kills; {taken_up} times open matches were taken up")


@pytest.mark.slow
def test_a_tournament_with_stages_goes_on_where_it_stood_when_it_was_killed(tmp_path: Path) -> None:
    names = [f"house-{sample}-{number}" for number in (1, 2) for sample in ("random", "greedy", "cautious")]
    with live_server(tmp_path, max_tables=2) as server:
        tournament = server.tournament(
            names,
            ruleset="two",
            stages=map(stage_message, parse_stages("swiss:rounds=6,qualifiers=4 knockout:advance=1", Boards.DATUM)),
        )
        for finished in (6, 11):  # as soon as the last match of a round has ended, and in the middle of another
            before = server.wait_for(tournament, finished=finished)
            assert before.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING, "it was over before it could be killed"
            server.kill()
            server.start()
        after = server.wait_for(tournament)

        matches = server.matches(tournament)
        assert {match.state for match in matches} == {matches_pb2.MATCH_STATE_FINISHED}
        rounds = Counter((match.stage, match.round) for match in matches)
        assert rounds == {(1, number): 3 for number in range(1, 7)} | {(2, 1): 2, (2, 2): 1}
        assert after.finished == after.matches == 21
        assert {row.entrant for row in after.stages[1].standings} == {
            row.entrant for row in after.stages[0].standings if row.qualified
        }
        for match in matches:
            record = server.record(match.id)
            assert server.verify(record) == []
            assert record.source.board == f"board-{match.stage}-{match.round}"
        assert "Traceback" not in server.log()


@pytest.mark.slow
def test_a_bot_that_is_killed_and_started_again_plays_on(tmp_path: Path) -> None:
    with live_server(tmp_path, max_tables=2, limit_ms=2000, bank_ms=60_000) as server, ExitStack() as bots:
        names = [f"bot-{number}" for number in range(5)]
        for name in names[1:]:
            bots.enter_context(bot_process(server, name, "greedy"))
        with bot_process(server, names[0], "cautious") as process:
            tournament = server.tournament(names, rounds=8)
            server.wait_for(tournament, finished=2)
            process.kill()
            process.wait()
        token = server.call("RotateToken", bots_pb2.RotateTokenRequest(name=names[0])).token
        environment = {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": token}
        again = subprocess.Popen(
            [sys.executable, "-m", "farfalia.bots", "cautious"], env=os.environ | environment, stderr=subprocess.DEVNULL
        )
        try:
            after = server.wait_for(tournament)
        finally:
            again.kill()
            again.wait()
        assert {standing.forfeits for standing in after.standings} == {0}
        for match in server.matches(tournament):
            assert server.verify(server.record(match.id)) == []
