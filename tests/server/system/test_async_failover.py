"""An asynchronous failover of PostgreSQL, whose replica lacks the last results."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.server.live import live_server
from tests.server.outages import in_the_middle, until
from tests.server.postgres_fixture import Postgres

from farfalia.v1 import matches_pb2

pytestmark = [pytest.mark.slow, pytest.mark.prove]


def test_results_that_a_failover_has_lost_are_played_again_and_the_server_says_so(
    tmp_path: Path, replicated: tuple[Postgres, Postgres]
) -> None:
    rounds = 16
    primary, replica = replicated
    url = primary.url_of("postgres", replica)
    with live_server(tmp_path, database_url=url, max_tables=4) as server, ExitStack() as bots:
        tournament, gate = in_the_middle([server], bots, rounds)
        primary.cut_off(replica)
        gate.open(until_ended=11)
        until(lambda: gate.keeps_a_question, "matches are in the middle of what the replica does not have")
        stored = {match.id for match in server.matches(tournament) if match.state == matches_pb2.MATCH_STATE_FINISHED}
        primary.stop()
        replica.promote()
        after = {match.id: match.state for match in server.matches(tournament)}
        lost = {match for match in stored if after[match] != matches_pb2.MATCH_STATE_FINISHED}
        assert any(after[match] == matches_pb2.MATCH_STATE_QUEUED for match in lost), "it does not know that they began"
        gate.open()
        played = server.wait_for(tournament)
        assert played.finished == played.matches == rounds
        assert {standing.strikes for standing in played.standings} == {0}
        records = {match.id: server.record(match.id) for match in server.matches(tournament)}
        assert [server.verify(record) for record in records.values()] == [[]] * rounds
        for match in lost:
            assert records[match].source.board == f"board-1-{match}.{match}.2", "nobody knows its cards"
        for event in ("result_refused", "result_lost", "match_voided"):
            assert event in server.log()
        assert "Traceback" not in server.log()
