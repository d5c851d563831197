"""The runner of matches: what becomes of a match, its bots, its record and its journal."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any

import pytest
import structlog
from sqlalchemy import Connection, select, update
from tests.server.runner_world import RunnerScene, failing, hosted, opening, void_reasons, with_five
from tests.server.store_world import claim
from tests.server.turns import Turns
from tests.trumps_held import trumps_held

from farfalia.v1 import record_pb2
from farfalia_engine import Deals, Ruleset, replay, verify
from farfalia_server.play.recording import record_of
from farfalia_server.play.table import Table
from farfalia_server.records import codec
from farfalia_server.records.codec import from_message
from farfalia_server.records.house_bot import HouseBot, load
from farfalia_server.store import ClaimedMatch, MatchState, VoidReason
from farfalia_server.store.matches.seat_results import deals_by_trumps
from farfalia_server.store.sql import schema
from farfalia_tools.testing import FirstLegalStream, RecordingStream


async def test_a_finished_match_has_a_result_and_a_record_and_no_journal(scene: RunnerScene) -> None:
    match = await scene.match()
    await scene.host.play(match.id, match.epoch)
    after = await scene.store.matches.get(match.id)
    assert after.state is MatchState.FINISHED
    assert (await scene.store.records.get(match.id)).match == match.id
    assert await scene.redis.keys("*:match:*") == []


async def test_what_a_house_bot_loads_for_its_first_card_is_loaded_in_a_thread_before(
    scene: RunnerScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[tuple[str, str, bool]] = []

    def noted(house: str, rules: Ruleset) -> None:
        loaded.append((house, rules.name, threading.current_thread() is threading.main_thread()))
        load(house, rules)

    monkeypatch.setattr("farfalia_server.play.match_runner.load", noted)
    for _ in range(2):
        match = await scene.match("house-learned-1")
        await scene.host.play(match.id, match.epoch)
        assert (await scene.store.matches.get(match.id)).state is MatchState.FINISHED
    assert loaded == [("learned", match.ruleset, False)]


async def test_a_match_that_is_over_is_freed_without_the_garbage_collector(
    scene: RunnerScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server looks for what holds itself so rarely that its memory would grow with every match."""
    tables: list[weakref.ref[Table]] = []
    play = Table.play

    async def remembered(table: Table, entries: Sequence[bytes], *, are_lost: bool) -> None:
        tables.append(weakref.ref(table))
        await play(table, entries, are_lost=are_lost)

    monkeypatch.setattr(Table, "play", remembered)
    gc.disable()
    try:
        for _ in range(3):
            match = await scene.match()
            await scene.host.play(match.id, match.epoch)
        # The journal's writer still holds the last entry of the last one.
        assert [table() for table in tables[:-1]] == [None, None]
    finally:
        gc.enable()


async def test_of_matches_that_end_at_once_one_record_is_made_in_each_turn_of_the_loop(
    scene: RunnerScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [await scene.match() for _ in range(5)]
    records, make, play, ended = Turns(), record_of, Table.play, asyncio.Barrier(len(matches))

    def counted(claimed: ClaimedMatch, table: Table, finished_ms: int) -> record_pb2.Record:
        records.count()
        return make(claimed, table, finished_ms)

    async def together(table: Table, entries: Sequence[bytes], *, are_lost: bool) -> None:
        await play(table, entries, are_lost=are_lost)
        await ended.wait()

    monkeypatch.setattr("farfalia_server.play.match_endings.record_of", counted)
    monkeypatch.setattr(Table, "play", together)
    with records.counting():
        await asyncio.gather(*(scene.host.play(match.id, match.epoch) for match in matches))
    assert (records.total, records.most) == (len(matches), 1)


async def test_a_result_that_the_database_refuses_at_first_is_stored_in_the_end(
    scene: RunnerScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[record_pb2.Record] = []
    finish = failing(3, scene.store.claims.finish)

    async def noting(match: int, epoch: int, record: record_pb2.Record, trumps: Any) -> bool:
        offered.append(record)
        assert await scene.journal.read(match, 1) != []
        done: bool = await finish(match, epoch, record, trumps)
        return done

    monkeypatch.setattr(scene.store.claims, "finish", noting)
    match = await scene.match()
    with structlog.testing.capture_logs() as logged:
        await scene.host.play(match.id, match.epoch)
    after = await scene.store.matches.get(match.id)
    assert (after.state, after.attempt, after.epoch) == (MatchState.FINISHED, 1, 1)
    assert (await scene.store.records.get(match.id)).actions == offered[0].actions
    assert [line["event"] for line in logged] == ["step_failed"] * 3
    assert await scene.redis.keys("*:match:*") == []


@pytest.mark.usefixtures("impatient")
async def test_a_record_whose_text_the_database_does_not_take_is_stored_without_texts(
    store_url: str,
) -> None:
    async with hosted(store_url) as scene:
        entry = opening()
        entry.incidents.add(seat=3, cause=record_pb2.CAUSE_FAILURE, strikes=1, text="zero \0 byte")
        match = await scene.begun(entry)
        await scene.host.play(match.id, match.epoch)
        after = await scene.store.matches.get(match.id)
        assert (after.state, after.attempt) == (MatchState.FINISHED, 1)
        record = await scene.store.records.get(match.id)
        kept = "" if store_url.startswith("postgresql") else "zero \0 byte"  # SQLite takes all
        assert [(incident.seat, incident.strikes, incident.text) for incident in record.incidents] == [(3, 1, kept)]
        assert not [
            connection for connection in verify(codec.from_message(record)).violations if "digest" in connection
        ]


async def test_a_bot_that_drops_between_reservation_and_seating_keeps_its_seat(scene: RunnerScene) -> None:
    match, _ = await with_five(scene)
    dropped = scene.lobby.connection(match.bot_ids[2])
    assert scene.reserve(match) is None
    dropped.detach()
    playing = asyncio.create_task(scene.host.play(match.id, match.epoch))
    while match.id not in dropped.seatings:
        await asyncio.sleep(0)
    again = FirstLegalStream(connection=dropped)
    await playing
    record = await scene.store.records.get(match.id)
    assert list(record.incidents) == []
    assert {action.cause for action in record.actions if action.seat == 2} <= {
        record_pb2.CAUSE_BOT,
        record_pb2.CAUSE_FORCED,
    }
    assert again.questions()


async def test_a_bot_that_the_reservation_counted_as_absent_loses_its_seat_at_once(scene: RunnerScene) -> None:
    match, _ = await with_five(scene)
    scene.lobby.connection(match.bot_ids[2]).detach()
    assert scene.reserve(match) is None  # absence is 0 here
    await scene.host.play(match.id, match.epoch)
    record = await scene.store.records.get(match.id)
    assert [(one.seat, one.cause, one.text) for one in record.incidents] == [
        (2, record_pb2.CAUSE_ABSENT, "the bot was not connected")
    ]


async def test_a_match_that_somebody_else_has_claimed_is_left_alone(scene: RunnerScene) -> None:
    match = await scene.match()
    claimed = await claim(scene.store, match.id, "elsewhere")
    await scene.host.play(match.id, match.epoch)
    assert await scene.store.matches.get(match.id) == claimed.match


async def test_a_cancelled_tournaments_match_is_given_up_and_its_journal_dropped(scene: RunnerScene) -> None:
    bot, _ = await scene.store.bots.register("silent")
    stream = RecordingStream()
    scene.lobby.connection(bot.id).attach(stream)
    match = await scene.match("silent")
    playing = asyncio.create_task(scene.host.play(match.id, match.epoch))
    while not stream.questions():
        assert not playing.done()
        await asyncio.sleep(0.01)
    assert match.tournament_id is not None
    await scene.store.tournaments.cancel(match.tournament_id)
    scene.host.cancel_tournament(match.tournament_id)
    await playing
    assert (await scene.store.matches.get(match.id)).state is MatchState.CANCELLED
    assert await scene.redis.keys("*:match:*") == []
    assert scene.host.playing == 0


async def test_a_match_whose_owner_died_before_its_first_card_begins_on_the_same_board(scene: RunnerScene) -> None:
    match = await scene.match()
    await scene.journal.claim(match.id, match.epoch + 1, "elsewhere")
    claimed = await claim(scene.store, match.id, "elsewhere")
    await scene.host.play(match.id, claimed.match.epoch)
    after = await scene.store.matches.get(match.id)
    assert (after.state, after.attempt, after.board) == (MatchState.FINISHED, 1, match.board)


@pytest.mark.parametrize("back", [timedelta(seconds=5), timedelta(hours=1)], ids=["seconds", "an hour"])
@pytest.mark.parametrize("resumed", [False, True], ids=["in one process", "resumed on a node whose clock is behind"])
async def test_a_clock_that_steps_back_while_a_match_plays_spoils_no_record(
    scene: RunnerScene, back: timedelta, resumed: bool
) -> None:
    if resumed:
        entry = record_pb2.Record()
        entry.started.FromDatetime(datetime.now(UTC) + back)
        match = await scene.begun(entry)
    else:
        match = await scene.match()
        finish = scene.host._endings.finish

        async def set_back(*arguments: Any) -> None:
            scene.wrong = -back
            await finish(*arguments)

        scene.host._endings.finish = set_back  # type: ignore[method-assign,assignment]
    assert (await scene.play_on(match.id)).state is MatchState.FINISHED
    record = await scene.store.records.get(match.id)
    took_ms = record.finished.ToMilliseconds() - record.started.ToMilliseconds()
    assert record.actions[-1].at_ms <= took_ms < 60_000
    verdict = verify(from_message(record))
    assert verdict.holds
    assert not any("times" in text for text in verdict.unchecked)


@pytest.mark.parametrize("resumed", [False, True], ids=["in one process", "resumed after some deals"])
async def test_what_is_kept_of_trumps_follows_from_the_record(scene: RunnerScene, resumed: bool) -> None:
    match = await scene.match()
    if resumed:
        playing = asyncio.create_task(scene.host.play(match.id, match.epoch))
        while not await scene.journal.read(match.id, 1):
            assert not playing.done()
        playing.cancel()
        await asyncio.wait([playing])
        scene.restart()
        match = await scene.store.matches.get(match.id)
    assert (await scene.play_on(match.id)).state is MatchState.FINISHED
    record = await scene.store.records.get(match.id)
    kept = select(schema.seat_result.c.trumps).order_by(schema.seat_result.c.seat)
    found = await scene.store._database.read(lambda connection: connection.execute(kept).scalars().all())
    assert found == deals_by_trumps(record.outcome, trumps_held(record))
    assert all(found)


async def test_a_match_ends_no_earlier_than_another_nodes_clock_says_it_began(scene: RunnerScene) -> None:
    match = await scene.match()
    ahead = datetime.now(UTC) + timedelta(hours=1)

    def put_ahead(connection: Connection) -> None:
        connection.execute(update(schema.match).values(started=ahead))
        connection.execute(update(schema.tournament).values(started=ahead))

    await scene.store._database.write(put_ahead)
    ended = await scene.play_on(match.id)
    assert (ended.started, ended.finished) == (ahead, ahead)
    tournament = await scene.store.tournaments.get(match.tournament_id or 0)
    assert (tournament.started, tournament.ended) == (ahead, ahead)
    ended_at = select(schema.seat_result.c.ended)
    assert set(await scene.store._database.read(lambda connection: connection.execute(ended_at).scalars().all())) == {
        ahead
    }


async def test_who_knows_only_the_boards_name_predicts_random_no_better_than_chance(scene: RunnerScene) -> None:
    match = await scene.match(*(f"house-random-{number}" for number in range(1, 6)))
    await scene.play_on(match.id)
    record = await scene.store.records.get(match.id)
    board = record.source.board
    guesses: dict[str, list[Callable[[], float]]] = {
        "a seed for each seat": [Random(zlib.crc32(f"{board}/{seat}".encode())).random for seat in range(5)],
        "the name itself": [Random(f"{board}/{seat}").random for seat in range(5)],
    }
    key = Deals(sha256(board.encode()).digest())
    hits, decisions, expected = Counter[str](), 0, 0.0
    for index, (action, state) in enumerate(zip(record.actions, replay(from_message(record)), strict=False)):
        if action.cause != record_pb2.CAUSE_HOUSE:
            continue
        legal = state.legal_actions(action.seat)
        decisions, expected = decisions + 1, expected + 1 / len(legal)
        for how, dice in guesses.items():
            hits[how] += legal[int(dice[action.seat]() * len(legal))] == action.action
        guess = HouseBot("random", key).decide(state.observation(action.seat), action.seat, index)
        hits["a key of the name"] += guess == action.action
    assert decisions > 100
    assert all(hits[how] < expected + 5 * expected**0.5 for how in [*guesses, "a key of the name"])


async def test_a_match_that_nobody_has_come_to_is_void_and_waits(scene: RunnerScene) -> None:
    match, _ = await with_five(scene)
    for bot in match.bot_ids:
        scene.lobby.connection(bot).detach()
    assert scene.reserve(match) is not None, "nobody is there: absence is 0 here"
    await asyncio.sleep(0)
    scene.lobby.note_absent(match.id, match.bot_ids)  # as if they had left meanwhile
    await scene.host.play(match.id, match.epoch)
    after = await scene.store.matches.get(match.id)
    assert (after.state, after.attempt, after.result) == (MatchState.QUEUED, 2, None)
    assert await void_reasons(scene) == [VoidReason.ABANDONED]
