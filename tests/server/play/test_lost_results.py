"""Commits that a failover of the database has lost: no node deals cards again that bots have seen."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
import structlog
from tests.server.migrated import sqlite_url
from tests.server.play.journal_writer import Writer, append
from tests.server.runner_world import RunnerScene, opening, void_reasons
from tests.server.store_world import claim, five_bots
from tests.server.void_attempts import ladder_match

from farfalia_server.play.journal import Journal
from farfalia_server.store import MatchState, Store, VoidReason


@asynccontextmanager
async def another_node_on_a_replica(scene: RunnerScene, replica: Path) -> AsyncIterator[RunnerScene]:
    async with (
        await Store.open(sqlite_url(replica)) as store,
        Journal(scene.redis, await store.meta.database()) as journal,
    ):
        yield RunnerScene(store, journal, scene.redis)


def replica_of_now(folder: Path) -> Path:
    """The database as it is now."""
    replica = folder / "replica.db"
    with closing(sqlite3.connect(folder / "store.db")) as primary, closing(sqlite3.connect(replica)) as copy:
        primary.backup(copy)
    return replica


async def test_a_match_whose_stored_result_is_lost_is_played_again_on_a_new_board(
    scene: RunnerScene, tmp_path: Path
) -> None:
    match = await scene.match()
    replica = replica_of_now(tmp_path)
    assert (await scene.play_on(match.id)).state is MatchState.FINISHED
    async with another_node_on_a_replica(scene, replica) as other:
        with structlog.testing.capture_logs() as logged:
            after = await other.play_on(match.id)
        assert [line["event"] for line in logged] == ["result_lost", "match_voided"]
        assert (after.state, after.attempt, after.board) == (MatchState.FINISHED, 2, f"{match.board}.{match.id}.2")
        assert await void_reasons(other) == [VoidReason.UNPLAYABLE]


@pytest.mark.parametrize("swept", [False, True])
async def test_a_match_whose_attempt_was_void_which_is_lost_is_played_again_on_a_new_board(
    scene: RunnerScene, tmp_path: Path, swept: bool
) -> None:
    match = await scene.begun(opening())
    replica = replica_of_now(tmp_path)
    if swept:  # by the next server, since the one that made it void died before it cleared up
        await scene.store.claims.void(match.id, match.epoch, VoidReason.SERVER_FAILED, "a fault")
        assert await scene.journal.sweep(scene.store.matches.attempts) == 1
    else:
        await scene.write(match.id, match.epoch, 2, b"no entry")
        await scene.host.play(match.id, match.epoch)
    assert (await scene.store.matches.get(match.id)).attempt == 2
    async with another_node_on_a_replica(scene, replica) as other:
        after = await other.play_on(match.id)
        assert (after.state, after.attempt) == (MatchState.FINISHED, 2)


async def test_a_match_whose_claim_is_lost_goes_on_at_its_card_and_the_old_table_is_mute(
    scene: RunnerScene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = await scene.match()
    replica = replica_of_now(tmp_path)
    claimed = await claim(scene.store, waiting.id, "elsewhere")
    await scene.journal.claim(waiting.id, claimed.match.epoch, "elsewhere")
    await scene.write(waiting.id, claimed.match.epoch, 1, opening().SerializeToString())
    async with another_node_on_a_replica(scene, replica) as other:
        finish, written = other.store.claims.finish, list[bool]()

        async def finish_later(*arguments: Any) -> bool:
            written.append(await append(scene.journal, Writer(waiting.id, claimed.match.epoch), 2))
            return await finish(*arguments)

        monkeypatch.setattr(other.store.claims, "finish", finish_later)
        after = await other.play_on(waiting.id)
        assert (after.state, after.attempt) == (MatchState.FINISHED, 1)
        assert written == [False]


async def test_a_match_in_play_whose_nonces_are_lost_is_played_again_on_a_new_board(
    scene: RunnerScene,
) -> None:
    match = await scene.store.matches.get(await ladder_match(scene.store, await five_bots(scene.store)))
    claimed = await claim(scene.store, match.id, "elsewhere")
    await scene.journal.claim(match.id, claimed.match.epoch, "elsewhere")
    await scene.write(match.id, claimed.match.epoch, 1, opening().SerializeToString())
    await scene.host.play(match.id, claimed.match.epoch)
    after = await scene.store.matches.get(match.id)
    assert (after.state, after.attempt) == (MatchState.QUEUED, 2)
    assert after.note.endswith("the database no longer knows the nonces of its cards")


async def test_a_match_that_the_database_no_longer_knows_is_given_up(
    scene: RunnerScene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replica = replica_of_now(tmp_path)
    match = await scene.match()
    async with another_node_on_a_replica(scene, replica) as other:
        monkeypatch.setattr(scene.store.claims, "finish", other.store.claims.finish)
        with structlog.testing.capture_logs() as logged:
            await scene.host.play(match.id, match.epoch)
            await other.host.play(match.id, 1)
        assert [line["event"] for line in logged] == ["match_lost", "match_lost"]
        assert await scene.journal.sweep(other.store.matches.attempts) > 0


async def test_that_a_match_has_ended_is_forgotten_after_an_hour(scene: RunnerScene) -> None:
    match = await scene.match()
    await scene.play_on(match.id)
    (key,) = await scene.redis.keys("*")
    assert 3590 < await scene.redis.ttl(key) <= 3600
