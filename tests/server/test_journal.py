"""The journal on a real Redis: order, fencing, and what happens when Redis is away."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis

from farfalia_server.embedded_redis import EmbeddedRedis
from farfalia_server.journal import Entry, Journal
from farfalia_server.redis_connection import connect


@pytest.fixture(params=["the one on the PATH", "the one that comes with the package"])
def search_path(request: pytest.FixtureRequest) -> str | None:
    """Where the embedded Redis is looked for: scripts must mean the same to Redis and to Valkey."""
    return None if "PATH" in request.param else "/nowhere"


def with_journal(folder: Path, search_path: str | None, scene: Callable[[Journal, Redis], Awaitable[None]]) -> None:
    async def run() -> None:
        async with (
            EmbeddedRedis(folder, search_path=search_path) as embedded,
            connect(embedded.url) as redis,
            Journal(redis) as journal,
        ):
            await scene(journal, redis)

    asyncio.run(run())


async def append(journal: Journal, match: int, epoch: int, index: int, payload: bytes) -> bool:
    written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    journal.append(Entry(match, epoch, index, payload, written.set_result))
    return await written


def test_entries_are_read_in_the_order_in_which_they_were_written(tmp_path: Path, search_path: str | None) -> None:
    async def scene(journal: Journal, redis: Redis) -> None:
        await journal.claim(7, 1)
        for index in (0, 1, 5, 9):
            assert await append(journal, 7, 1, index, b"entry %d" % index)
        assert await journal.read(7) == [b"entry 0", b"entry 1", b"entry 5", b"entry 9"]

    with_journal(tmp_path, search_path, scene)


def test_many_matches_share_one_call_and_keep_their_own_entries(tmp_path: Path, search_path: str | None) -> None:
    async def scene(journal: Journal, redis: Redis) -> None:
        for match in range(1, 51):
            await journal.claim(match, 1)
        calls = (await redis.info("commandstats"))["cmdstat_evalsha"]["calls"]
        written = await asyncio.gather(*(append(journal, match, 1, 0, b"%d" % match) for match in range(1, 51)))
        assert all(written)
        assert (await redis.info("commandstats"))["cmdstat_evalsha"]["calls"] - calls < 5
        for match in range(1, 51):
            assert await journal.read(match) == [b"%d" % match]

    with_journal(tmp_path, search_path, scene)


def test_an_old_epoch_is_refused(tmp_path: Path, search_path: str | None) -> None:
    async def scene(journal: Journal, redis: Redis) -> None:
        assert await journal.claim(7, 1) == 0
        assert await append(journal, 7, 1, 0, b"mine")
        assert await journal.claim(7, 2) == 1
        assert not await append(journal, 7, 1, 1, b"too late")
        assert await append(journal, 7, 2, 1, b"the new owner's")
        assert await journal.claim(7, 1) == 2
        assert not await append(journal, 7, 1, 2, b"still too late")
        assert await journal.read(7) == [b"mine", b"the new owner's"]

    with_journal(tmp_path, search_path, scene)


def test_an_entry_that_is_written_twice_stands_once(tmp_path: Path, search_path: str | None) -> None:
    async def scene(journal: Journal, redis: Redis) -> None:
        await journal.claim(7, 1)
        assert await append(journal, 7, 1, 0, b"first")
        assert await append(journal, 7, 1, 0, b"first")
        assert await journal.read(7) == [b"first"]

    with_journal(tmp_path, search_path, scene)


def test_a_match_that_was_cleared_keeps_its_epoch_and_a_dropped_one_nothing(
    tmp_path: Path, search_path: str | None
) -> None:
    async def scene(journal: Journal, redis: Redis) -> None:
        await journal.claim(7, 3)
        await append(journal, 7, 3, 0, b"entry")
        await journal.clear(7)
        assert await journal.read(7) == []
        assert await journal.claim(7, 4) == 3
        await journal.drop(7)
        assert await redis.keys("farfalia:match:*") == []

    with_journal(tmp_path, search_path, scene)


def test_a_redis_that_is_away_for_a_moment_loses_nothing(tmp_path: Path, search_path: str | None) -> None:
    async def scene(journal: Journal, redis: Redis) -> None:
        await journal.claim(7, 1)
        assert await append(journal, 7, 1, 0, b"before")
        await redis.client_pause(300)
        await redis.client_kill_filter(_type="normal", skipme=False)
        assert await append(journal, 7, 1, 1, b"after")
        assert await journal.read(7) == [b"before", b"after"]

    with_journal(tmp_path, search_path, scene)
