"""Matches whose journal is lost or cannot be played on: they are void, and played again on another board."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
import structlog
from tests.server.runner_world import Killed, RunnerScene, failing, killed_at, opening, void_reasons, with_five
from tests.server.store_world import claim

from farfalia.v1 import play_pb2, record_pb2
from farfalia_engine import verify
from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.records import codec
from farfalia_server.store import Match, MatchState, VoidReason
from farfalia_tools.testing import FirstLegalStream


async def in_the_middle(scene: RunnerScene) -> tuple[Match, FirstLegalStream, asyncio.Task[None]]:
    """A match that is played until one of its bots keeps an answer back."""
    match, readers = await with_five(scene)
    reader = readers[match.bot_ids[1]]
    reader.silent_after = 7
    playing = asyncio.create_task(scene.host.play(match.id, match.epoch))
    while len(reader.questions()) < 8:
        await asyncio.sleep(0.001)
    return match, reader, playing


async def emptied(scene: RunnerScene) -> tuple[Match, FirstLegalStream, asyncio.Task[None]]:
    """A match in the middle, whose Redis has lost everything."""
    found = await in_the_middle(scene)
    await scene.redis.flushall()
    return found


def stream_of(scene: RunnerScene, bot: int) -> FirstLegalStream:
    stream: Any = scene.lobby.connection(bot).stream
    return cast(FirstLegalStream, stream)


def answer(reader: FirstLegalStream) -> None:
    """Give the answer that was kept back."""
    last = reader.questions()[-1]
    reader.connection.receive([play_pb2.Action(match=last.match, number=last.number, action=last.legal[0])])


async def test_a_match_whose_journal_was_lost_with_redis_is_played_again_on_a_new_board(scene: RunnerScene) -> None:
    match = await scene.match()
    claimed = await claim(scene.store, match.id, "elsewhere")
    await scene.host.play(match.id, claimed.match.epoch)
    void = await scene.store.matches.get(match.id)
    assert (void.state, void.attempt) == (MatchState.QUEUED, 2)
    assert void.board != match.board
    assert "lost with its Redis" in void.note
    assert await void_reasons(scene) == [VoidReason.JOURNAL_LOST]
    await scene.host.play(match.id, void.epoch)
    assert (await scene.store.matches.get(match.id)).state is MatchState.FINISHED


async def test_a_match_whose_journal_makes_no_sense_is_played_again(scene: RunnerScene) -> None:
    match = await scene.begun(record_pb2.Record())
    await scene.host.play(match.id, match.epoch)
    assert (await scene.store.matches.get(match.id)).attempt == 2
    assert await scene.journal.read(match.id, 1) == []


async def test_a_match_with_a_gap_in_its_journal_is_played_again_and_the_reason_names_it(scene: RunnerScene) -> None:
    match = await scene.begun(record_pb2.Record())
    await scene.write(match.id, match.epoch, 2, b"")
    await scene.write(match.id, match.epoch, 3, b"")
    await scene.redis.xdel(f"farfalia:{await scene.store.meta.database()}:match:{match.id}:1:log", "2-0")
    await scene.host.play(match.id, match.epoch)
    void = await scene.store.matches.get(match.id)
    assert (void.attempt, void.note) == (
        2,
        "the match could not be played on: entry 2 of the journal is missing; entry 3-0 stands there",
    )
    assert await void_reasons(scene) == [VoidReason.UNPLAYABLE]


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("step", ["void", "get", "forget"])
async def test_wherever_a_void_is_interrupted_the_old_board_is_not_played_again(
    scene: RunnerScene, step: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first card was seen, and then the journal was spoiled.
    match = await scene.begun(opening())
    await scene.write(match.id, match.epoch, 2, b"spoiled")
    subject = {"forget": scene.journal, "void": scene.store.claims, "get": scene.store.matches}[step]
    with monkeypatch.context() as patch:
        patch.setattr(subject, step, killed_at(moment, getattr(subject, step)))
        with pytest.raises(Killed):
            await scene.host.play(match.id, match.epoch)
    scene.restart()
    after = await scene.play_on(match.id)
    assert (after.state, after.attempt, after.board) == (MatchState.FINISHED, 2, f"{match.board}.1.2")
    record = await scene.store.records.get(match.id)
    assert record.source.board == after.board
    assert verify(codec.from_message(record)).violations == ()
    assert await scene.redis.keys("*:match:*") == []


async def test_a_void_that_the_database_refuses_at_first_is_tried_again(
    scene: RunnerScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await scene.begun(record_pb2.Record())
    monkeypatch.setattr(scene.store.claims, "void", failing(3, scene.store.claims.void))
    await scene.host.play(match.id, match.epoch)
    void = await scene.store.matches.get(match.id)
    assert (void.state, void.attempt) == (MatchState.QUEUED, 2)


async def test_a_match_that_was_void_and_waits_needs_no_journal(scene: RunnerScene) -> None:
    match = await scene.begun(record_pb2.Record())
    await scene.host.play(match.id, match.epoch)
    await scene.redis.flushall()
    assert (await scene.play_on(match.id)).attempt == 2


async def test_a_lost_journal_is_missed_even_if_somebody_has_claimed_the_match_since(
    scene: RunnerScene,
) -> None:
    match = await scene.begun(opening())
    await scene.redis.flushall()
    await scene.journal.claim(match.id, match.epoch + 1, "node")  # and was killed before it told the database
    assert (await scene.play_on(match.id)).attempt == 2


async def test_a_lost_journal_is_missed_even_if_a_job_from_before_came_late(scene: RunnerScene) -> None:
    match = await scene.begun(opening())
    await scene.redis.flushall()
    await scene.host.play(match.id, match.epoch - 1)
    after = await scene.play_on(match.id)
    assert (after.state, after.attempt) == (MatchState.FINISHED, 2)
    assert await void_reasons(scene) == [VoidReason.JOURNAL_LOST]


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_lost_journal_is_missed_even_if_the_server_is_killed_before_it_says_so(
    scene: RunnerScene, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await scene.match()
    claimed = await claim(scene.store, match.id, "elsewhere")
    with monkeypatch.context() as patch:
        patch.setattr(scene.store.claims, "void", killed_at(moment, scene.store.claims.void))
        with pytest.raises(Killed):
            await scene.host.play(match.id, claimed.match.epoch)
    scene.restart()
    after = await scene.play_on(match.id)
    assert (after.state, after.attempt) == (MatchState.FINISHED, 2)
    assert await void_reasons(scene) == [VoidReason.JOURNAL_LOST]


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_redis_that_is_emptied_while_the_database_is_unreachable_loses_no_card(
    scene: RunnerScene, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, reader, playing = await emptied(scene)
    original, left = scene.store.claims.claim, [2]

    async def unreachable(*arguments: Any) -> Any:
        if not left[0]:
            return await original(*arguments)
        left[0] -= 1
        if moment == "after":
            await original(*arguments)
        raise StoreUnavailable("the database does not answer")

    monkeypatch.setattr(scene.store.claims, "claim", unreachable)
    reader.silent_after = None
    answer(reader)
    await playing
    after = await scene.store.matches.get(match.id)
    assert (after.state, after.attempt, left) == (MatchState.FINISHED, 1, [0])
    numbers = [question.number for question in reader.questions()]
    assert numbers == sorted(set(numbers))


async def test_a_redis_that_is_emptied_while_the_server_lives_loses_no_card(scene: RunnerScene) -> None:
    match, reader, playing = await in_the_middle(scene)
    before = [record_pb2.Record.FromString(entry) for entry in await scene.journal.read(match.id, 1)]
    await scene.redis.flushall()
    reader.silent_after = None
    answer(reader)
    with structlog.testing.capture_logs() as logged:
        await playing
    after = await scene.store.matches.get(match.id)
    assert (after.state, after.attempt, after.epoch) == (MatchState.FINISHED, 1, 2)
    record = await scene.store.records.get(match.id)
    played = [action for entry in before for action in entry.actions]
    assert record.actions[: len(played)] == played
    assert list(record.incidents) == []
    assert [line["event"] for line in logged] == ["journal_lost"]
    assert await scene.redis.keys("*:match:*") == []


async def test_a_match_that_redis_has_lost_is_written_again_before_its_bots_see_more_of_it(scene: RunnerScene) -> None:
    match, reader, playing = await emptied(scene)
    for other in (bot for bot in match.bot_ids if bot != match.bot_ids[1]):
        stream_of(scene, other).silent_after = 0
    reader.silent_after = 0
    answer(reader)
    asked = {bot: len(stream_of(scene, bot).questions()) for bot in match.bot_ids}
    while {bot: len(stream_of(scene, bot).questions()) for bot in match.bot_ids} == asked:
        await asyncio.sleep(0.001)
    entries = await scene.journal.read(match.id, 1)
    decided = [one for entry in entries for one in record_pb2.Record.FromString(entry).actions]
    assert len([one for one in decided if one.seat == 1 and one.cause == record_pb2.CAUSE_BOT]) == 8
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing


async def test_cards_that_redis_has_lost_do_not_come_again_after_a_kill_at_the_new_claim(
    scene: RunnerScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, reader, playing = await emptied(scene)
    with monkeypatch.context() as patch:
        patch.setattr(scene.store.claims, "claim", killed_at("after", scene.store.claims.claim))
        answer(reader)
        with pytest.raises(Killed):
            await playing
    scene.restart()
    now = await scene.store.matches.get(match.id)
    await scene.host.play(match.id, now.epoch)
    after = await scene.store.matches.get(match.id)
    assert (after.state, after.attempt, after.board) == (MatchState.QUEUED, 2, f"{match.board}.1.2")
    assert await void_reasons(scene) == [VoidReason.JOURNAL_LOST]


async def test_the_log_names_no_card_of_a_match_that_is_void(scene: RunnerScene) -> None:
    match = await scene.begun(opening(actions=[record_pb2.RecordAction(seat=0, action=9)]))
    with structlog.testing.capture_logs() as lines:
        await scene.host.play(match.id, match.epoch)
    note = (await scene.store.matches.get(match.id)).note
    why, _, detail = note.partition(": ")
    assert "is illegal" in detail
    assert [line["reason"] for line in lines if "reason" in line] == [why]
    assert detail not in str(lines)
