"""Results that a failover of the database has lost: no node that gets the match plays its board again."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import structlog
from tests.server.migrated import sqlite_url
from tests.server.runner_world import RunnerScene, void_reasons

from farfalia_server.play.journal import Journal
from farfalia_server.store import MatchState, Store, VoidReason


@asynccontextmanager
async def another_node_on_a_replica(scene: RunnerScene, replica: Path) -> AsyncIterator[RunnerScene]:
    async with (
        await Store.open(sqlite_url(replica)) as store,
        Journal(scene.redis, await store.meta.database()) as journal,
    ):
        yield RunnerScene(store, journal, scene.redis)


async def test_a_match_whose_result_was_stored_on_another_node_and_lost_is_played_again_on_a_new_board(
    scene: RunnerScene, tmp_path: Path
) -> None:
    match = await scene.match()
    replica = tmp_path / "replica.db"
    with closing(sqlite3.connect(tmp_path / "store.db")) as primary, closing(sqlite3.connect(replica)) as copy:
        primary.backup(copy)
    assert (await scene.play_on(match.id)).state is MatchState.FINISHED
    async with another_node_on_a_replica(scene, replica) as other:
        with structlog.testing.capture_logs() as logged:
            after = await other.play_on(match.id)
        assert [line["event"] for line in logged] == ["result_lost", "match_voided"]
        assert (after.state, after.attempt, after.board) == (MatchState.FINISHED, 2, f"{match.board}.{match.id}.2")
        assert await void_reasons(other) == [VoidReason.UNPLAYABLE]


async def test_that_a_match_has_ended_is_forgotten_after_an_hour(scene: RunnerScene) -> None:
    match = await scene.match()
    await scene.play_on(match.id)
    (key,) = await scene.redis.keys("*")
    assert 3590 < await scene.redis.ttl(key) <= 3600
