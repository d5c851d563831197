"""A database that goes away, and work that is broken off: nothing is half done, nothing hangs."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
import structlog
from tests.server.postgres_fixture import Postgres
from tests.server.store_world import claim, five_bots, match_ids, play, record_of, started

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.store import MatchState, Store, retrying
from farfalia_server.store.sql import engines


async def test_a_store_works_again_when_its_database_is_back(postgres: Postgres) -> None:
    async with await Store.open(postgres.migrated_database()) as store:
        bots = await five_bots(store)
        (match_id,) = await match_ids(store, await started(store, bots))
        await claim(store, match_id)
        await asyncio.to_thread(postgres.restart)

        async def finish() -> bool:
            return await store.claims.finish(match_id, 1, record_of(match_id))

        with structlog.testing.capture_logs() as logged:
            assert await retrying("finishing a match", finish)
        assert {line["event"] for line in logged} <= {"store_unavailable"}
        assert (await store.matches.get(match_id)).state is MatchState.FINISHED


async def test_an_outage_is_one_kind_of_error_whatever_was_asked(postgres: Postgres) -> None:
    async with await Store.open(postgres.migrated_database()) as store:
        await five_bots(store)
        calls = [store.bots.all, lambda: store.bots.register("late"), store.ratings.all]
        await asyncio.to_thread(postgres.stop)
        try:
            for call in calls:
                with pytest.raises(StoreUnavailable, match=r"^the database at [^\n]+ does not answer: [^\n]+$"):
                    await call()
        finally:
            await asyncio.to_thread(postgres.go_on)


async def test_a_postgresql_that_is_starting_up_is_waited_for(postgres: Postgres) -> None:
    async with await Store.open(postgres.migrated_database()) as store:
        await five_bots(store)
        await asyncio.to_thread(postgres.stop)
        said: list[str] = []
        with postgres.starting_up():
            while not said or "starting up" not in said[-1]:
                said.append(await _bots(store))
        while "does not answer" in said[-1]:
            said.append(await _bots(store))
        assert said[-1] == "5 bots"


async def _bots(store: Store) -> str:
    """How many bots there are, or why they cannot be read."""
    await asyncio.sleep(0.01)
    try:
        return f"{len(await store.bots.all())} bots"
    except StoreUnavailable as error:
        return str(error)


async def test_retrying_asks_until_there_is_an_answer_and_says_so_each_time() -> None:
    outages = [StoreUnavailable("away"), StoreUnavailable("still away")]

    async def call() -> int:
        if outages:
            raise outages.pop(0)
        return 7

    with structlog.testing.capture_logs() as logged:
        assert await retrying("counting", call, longest=0.001) == 7
    assert [(line["what"], line["error"]) for line in logged] == [("counting", "away"), ("counting", "still away")]


async def test_another_process_that_holds_the_file_is_waited_for_and_then_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "_BUSY_SECONDS", 0.1)

    async with await Store.open(f"sqlite:///{tmp_path / 'store.db'}") as store:
        other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="database is locked"):
            await store.bots.register("alice")
        assert await store.bots.all() == []  # readers are not held up
        other.execute("ROLLBACK")
        await store.bots.register("alice")
        other.close()


async def test_work_that_is_broken_off_leaves_nothing_behind_and_holds_nobody_up(store: Store) -> None:
    ids = await match_ids(store, await started(store, await five_bots(store), 20))
    for delay, match_id in zip(range(0, 40, 2), ids, strict=True):
        playing = asyncio.create_task(play(store, match_id))
        for _ in range(delay):
            await asyncio.sleep(0)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    # Whatever was broken off where, every match can still be played to its end.
    for match_id in ids:
        if (await store.matches.get(match_id)).state is not MatchState.FINISHED:
            await play(store, match_id)
    assert await store.matches.counts() == {MatchState.FINISHED: 20}
    for match_id in ids:
        assert (await store.records.get(match_id)).match == match_id
