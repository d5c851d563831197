"""A match that another node has taken over meanwhile: this one leaves it alone, wherever it stands."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
import structlog
from tests.server.runner_world import RunnerScene
from tests.server.store_world import five_bots
from tests.server.void_attempts import ladder_match

from farfalia.v1 import play_pb2, record_pb2
from farfalia_server.store import Match, MatchState
from farfalia_tools.testing import RecordingStream


async def taken_over(scene: RunnerScene, match: int) -> None:
    """Another node claims the match, as it does when this one seems dead."""
    assert await scene.store.claims.claim(match, "elsewhere") is not None


async def left_alone(scene: RunnerScene, match: Match, event: str) -> None:
    """This node plays the match until it notices that it has lost it, and says so."""
    with structlog.testing.capture_logs() as logged:
        await scene.host.play(match.id, match.epoch)
    assert [line["event"] for line in logged] == [event]
    after = await scene.store.matches.get(match.id)
    assert (after.state, after.node) == (MatchState.RUNNING, "elsewhere")
    assert scene.host.playing == 0


async def test_a_match_is_played_once_however_often_it_is_given_to_a_node(scene: RunnerScene) -> None:
    match = await scene.match()
    playing = asyncio.create_task(scene.host.play(match.id, match.epoch))
    await asyncio.sleep(0)
    await scene.host.play(match.id, match.epoch)
    assert not playing.done()
    await playing
    assert (await scene.store.matches.get(match.id)).state is MatchState.FINISHED


async def test_a_match_that_was_lost_while_its_bots_were_asked_for_nonces_is_left_alone(
    scene: RunnerScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await scene.store.matches.get(await ladder_match(scene.store, await five_bots(scene.store)))
    settle = scene.store.nonces.settle_match

    async def too_late(number: int, epoch: int, given: Mapping[int, bytes]) -> bool:
        await taken_over(scene, number)
        return await settle(number, epoch, given)

    monkeypatch.setattr(scene.store.nonces, "settle_match", too_late)
    await left_alone(scene, match, "match_superseded")


async def test_a_result_of_a_match_that_was_lost_is_not_stored(
    scene: RunnerScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await scene.match()
    finish = scene.store.claims.finish

    async def too_late(number: int, epoch: int, record: record_pb2.Record, trumps: Any) -> bool:
        await taken_over(scene, number)
        return await finish(number, epoch, record, trumps)

    monkeypatch.setattr(scene.store.claims, "finish", too_late)
    await left_alone(scene, match, "result_refused")


async def test_a_card_of_a_match_that_was_lost_is_not_journalled(scene: RunnerScene) -> None:
    bot, _ = await scene.store.bots.register("slow")
    connection, stream = scene.lobby.connection(bot.id), RecordingStream()
    connection.attach(stream)
    match = await scene.match("slow")
    playing = asyncio.create_task(left_alone(scene, match, "match_superseded"))
    while not stream.questions():
        assert not playing.done()
        await asyncio.sleep(0.001)
    await taken_over(scene, match.id)
    await scene.journal.claim(match.id, (await scene.store.matches.get(match.id)).epoch, "node")
    question = stream.questions()[0]
    connection.receive([play_pb2.Action(match=match.id, number=question.number, action=question.legal[0])])
    await playing
