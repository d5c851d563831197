"""What the journal holds of matches that are over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.server.runner_world import Killed, RunnerScene, killed_at, opening
from tests.server.shared_redis import empty_redis
from tests.server.store_world import claim, record_of

from farfalia.v1 import record_pb2
from farfalia_server import settings_loading
from farfalia_server.app import Server
from farfalia_server.net.redis_connection import connect
from farfalia_server.play.journal import log_name
from farfalia_server.store import MOST_ATTEMPTS, MatchState, VoidReason


async def interrupted_before_its_journal_is_dropped(scene: RunnerScene, patch: pytest.MonkeyPatch) -> None:
    match = await scene.match()
    with patch.context() as killed:
        killed.setattr(scene.journal, "drop", killed_at("before", scene.journal.drop))
        with pytest.raises(Killed):
            await scene.host.play(match.id, match.epoch)


async def given_up_after_too_many_attempts(scene: RunnerScene, patch: pytest.MonkeyPatch) -> None:
    match = await scene.begun(record_pb2.Record())
    while (claimed := await scene.store.claims.claim(match.id, "elsewhere")) is not None:
        await scene.store.claims.void(match.id, claimed.match.epoch, VoidReason.SERVER_FAILED, "a fault")
    assert (await scene.store.matches.get(match.id)).attempt == MOST_ATTEMPTS


async def cancelled_with_its_tournament(scene: RunnerScene, patch: pytest.MonkeyPatch) -> None:
    match = await scene.begun(record_pb2.Record())
    assert match.tournament_id is not None
    await scene.store.tournaments.cancel(match.tournament_id)


@pytest.mark.parametrize(
    "left_behind",
    [interrupted_before_its_journal_is_dropped, given_up_after_too_many_attempts, cancelled_with_its_tournament],
)
async def test_what_redis_still_holds_of_matches_that_are_over_is_swept_away(
    scene: RunnerScene,
    left_behind: Callable[[RunnerScene, pytest.MonkeyPatch], Awaitable[None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await left_behind(scene, monkeypatch)
    assert await scene.redis.keys("*:match:*") != []
    await scene.journal.sweep(scene.store.matches.attempts)
    assert await scene.redis.keys("*:match:*") == []


async def test_a_server_sweeps_when_it_starts(tmp_path: Path) -> None:
    async with empty_redis() as url, connect(url) as redis:
        chosen = settings_loading.load({"data_dir": tmp_path, "redis_url": url, "grpc_port": 0, "http_port": 0})
        async with Server(chosen) as server:
            name = log_name(await server._places.store.meta.database(), 7, 1)
        await redis.xadd(name, {"e": "of a match that is over"})
        async with Server(chosen):
            assert not await redis.exists(name)


async def test_the_sweep_leaves_open_matches_alone(scene: RunnerScene) -> None:
    match = await scene.begun(opening())
    assert await scene.journal.sweep(scene.store.matches.attempts) == 0
    after = await scene.play_on(match.id)
    assert (after.state, after.attempt) == (MatchState.FINISHED, 1)


async def test_a_claim_that_comes_when_the_match_is_over_leaves_nothing_behind(scene: RunnerScene) -> None:
    match = await scene.match()
    await claim(scene.store, match.id, "elsewhere")
    assert await scene.store.claims.finish(match.id, 1, record_of(match.id))
    await scene.host.play(match.id, 1)
    assert await scene.redis.keys("*:match:*") == []
