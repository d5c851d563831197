"""A tournament of five sample bots from which nothing may be lost."""

from __future__ import annotations

from tests.server.live import LiveServer

from farfalia.v1 import matches_pb2

NAMES = ["random-1", "greedy-1", "cautious-1", "random-2", "greedy-2"]


def assert_played_once(server: LiveServer, tournament: int, rounds: int) -> None:
    """Every match of a tournament is finished at its first attempt, and no bot lost a strike."""
    after = server.show(tournament)
    assert after.finished == after.matches == rounds
    matches = server.matches(tournament)
    assert {match.state for match in matches} == {matches_pb2.MATCH_STATE_FINISHED}
    records = [server.record(match.id) for match in matches]
    assert [server.verify(record) for record in records] == [[]] * rounds
    assert {record.source.board for record in records} == {f"board-1-{number + 1}" for number in range(rounds)}
    assert [incident for record in records for incident in record.incidents] == []
    assert {standing.strikes for standing in after.standings} == {0}
