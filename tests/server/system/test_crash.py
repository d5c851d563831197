"""A server that is killed in the middle of a tournament, and started again on the same data."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.server.bot_process import bot_process, sample_bots
from tests.server.live import PATIENCE, LiveServer, live_server, until
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import bots_pb2, matches_pb2, play_pb2, ratings_pb2, stages_pb2, tournaments_pb2
from farfalia_server.organising.stage_messages import stage_message
from farfalia_tournaments import parse_stages
from farfalia_tournaments.schedules import Boards


def ratings_of(server: LiveServer, names: Collection[str], total: int) -> dict[str, int]:
    """How many matches of Basic Farfalia these bots are rated by, once they add up to `total`."""
    deadline = time.monotonic() + PATIENCE
    while True:
        bots = server.call("ListRatings", ratings_pb2.ListRatingsRequest(ladder="basic")).bots
        rated = {row.bot: row.rating.matches for row in bots if row.bot in names}
        if sum(rated.values()) >= total or time.monotonic() > deadline:
            return rated
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.prove)])
def test_every_match_counts_once_and_at_its_first_attempt_whatever_is_killed(
    tmp_path: Path, database_url: str, kills: int
) -> None:
    names = ["random-1", "greedy-1", "cautious-1"]
    rounds = 4 * (kills + 1)
    with live_server(tmp_path, max_tables=4, database_url=database_url) as server, ExitStack() as bots:
        sample_bots(bots, names, server)
        # A house bot that was entered, and one that fills the fifth seat.
        tournament = server.tournament([*names, "house-random-1"], rounds=rounds, ruleset="basic")
        for kill in range(kills):
            before = server.wait_for(tournament, finished=3 * kill + 1)
            assert before.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING, "it was over before it could be killed"
            server.kill()
            server.start()
        after = server.wait_for(tournament)

        assert after.finished == after.matches == rounds
        matches = server.matches(tournament)
        assert {match.state for match in matches} == {matches_pb2.MATCH_STATE_FINISHED}
        records = [server.record(match.id) for match in matches]
        assert [server.verify(record) for record in records] == [[]] * rounds
        assert {record.source.secret for record in records} == {after.secret}
        # No match was void: each was resumed at the card at which it stood.
        assert {record.source.board for record in records} == {f"board-1-{number + 1}" for number in range(rounds)}
        # Nobody lost a strike through our fault.
        assert {standing.strikes for standing in after.standings} == {0}

        # Every match moved every rating once; the rater comes a moment after the last result.
        assert ratings_of(server, names, rounds * len(names)) == dict.fromkeys(names, rounds)
        assert "match_voided" not in server.log()
        assert "Traceback" not in server.log()


@pytest.mark.slow
def test_a_tournament_with_stages_goes_on_where_it_stood_when_it_was_killed(tmp_path: Path) -> None:
    names = [f"house-{sample}-{number}" for number in (1, 2) for sample in ("random", "greedy", "cautious")][1:]
    with live_server(tmp_path, max_tables=2, limit_ms=600_000) as server, ExitStack() as bots:
        token = server.register("thinker")

        def thinker(react: Callable[[RawBot, play_pb2.PlayResponse], None] | None) -> None:
            bots.enter_context(RawBot(server.grpc_address, token, react=react))

        def first_match_only(bot: RawBot, message: play_pb2.PlayResponse) -> None:
            if not any(earlier.finished for earlier in bot.messages):
                first_legal(bot, message)

        thinker(first_match_only)
        tournament = server.tournament(
            [*names, "thinker"],
            ruleset="two",
            stages=map(stage_message, parse_stages("swiss:rounds=3,qualifiers=4 knockout:advance=1", Boards.DATUM)),
        )
        # As soon as the last match of a round has ended, and in the middle of another.
        for finished, react in ((3, None), (5, first_legal)):
            before = server.wait_for(tournament, finished=finished)
            assert before.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING
            server.kill()
            server.start()
            thinker(react)
        after = server.wait_for(tournament)

        matches = server.matches(tournament)
        assert {match.state for match in matches} == {matches_pb2.MATCH_STATE_FINISHED}
        rounds = Counter((match.stage, match.round) for match in matches)
        assert rounds == {(1, number): 3 for number in range(1, 4)} | {(2, 1): 2, (2, 2): 1}
        assert after.finished == after.matches == 12
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
            bots.enter_context(RawBot(server.grpc_address, server.register(name), react=first_legal))
        with bot_process(server, names[0], "cautious") as process:
            tournament = server.tournament(names, rounds=6, ruleset="basic")
            server.wait_for(tournament, finished=1)
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


@pytest.mark.slow
def test_a_final_goes_on_with_those_who_can_still_be_first_when_it_was_killed(tmp_path: Path) -> None:
    names = ["house-greedy-1", "house-greedy-2", *(f"house-random-{number}" for number in range(1, 5))]
    stages = [stage_message(stage) for stage in parse_stages("round-robin:rounds=24,until-first=1", Boards.DATUM)]
    with live_server(tmp_path, max_tables=4) as server:
        tournament = server.tournament(names, rounds=0, ruleset="two", stages=stages)
        for finished in (8, 20):
            server.wait_for(tournament, finished=finished)
            server.kill()
            server.start()
        after = server.wait_for(tournament)
        assert after.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
        matches = server.matches(tournament)
        tables = Counter(match.round for match in matches)
        assert [tables[number] for number in range(1, 6)] == [3] * 5
        assert min(tables.values()) < 3
        (stage,) = after.stages
        behind = {row.entrant for row in stage.standings if row.outlook == stages_pb2.OUTLOOK_BEHIND}
        assert behind
        assert after.standings[0].entrant in names[:2]
        # Both change a last time when house bots have played its boards.
        until(lambda: server.show(tournament).stages[0].contest in server.page(f"/tournaments/{tournament}")[1])
        assert all(server.verify(server.record(match.id)) == [] for match in matches[-2:])
        assert "Traceback" not in server.log()
