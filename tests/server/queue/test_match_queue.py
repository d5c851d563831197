"""The queue of matches, with a real Redis: each job comes to the node that it is for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs
from tests.server.shared_redis import empty_redis

from farfalia_server.net.redis_connection import connect
from farfalia_server.queue import match_queue
from farfalia_server.queue.match_queue import Job, MatchQueue

KEY = "farfalia:db:node:one:queue"
PATIENCE = 60


class Arena:
    """A queue's Redis, and which jobs were taken by whom."""

    def __init__(self, url: str, redis: Redis) -> None:
        self.url = url
        self.redis = redis
        self.taken: list[tuple[str, Job]] = []

    def node(self, name: str = "one") -> MatchQueue:
        return MatchQueue(lambda job: self.taken.append((name, job)), redis_url=self.url, database="db", node=name)

    @property
    def matches(self) -> list[int]:
        return [job.match for _, job in self.taken]

    async def until(self, holds: Callable[[], bool | Awaitable[bool]]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not (held if isinstance(held := holds(), bool) else await held):
                await asyncio.sleep(0.01)

    async def is_empty(self) -> bool:
        return await self.redis.xlen(KEY) == 0


@pytest.fixture
async def arena() -> AsyncIterator[Arena]:
    async with empty_redis() as url, connect(url) as redis:
        yield Arena(url, redis)


async def test_every_job_is_taken_once_in_order_by_the_node_that_it_is_for(arena: Arena) -> None:
    jobs = [Job(7, 3, (2,)), *(Job(match, 1) for match in range(50))]
    async with arena.node("one") as one, arena.node("two"):
        await one.add([("one" if job.match % 2 else "two", job) for job in jobs])
        await arena.until(lambda: len(arena.taken) == len(jobs))
        await arena.until(arena.is_empty)
    for name, odd in (("one", 1), ("two", 0)):
        assert [job for by, job in arena.taken if by == name] == [job for job in jobs if job.match % 2 == odd]


async def test_jobs_for_an_earlier_process_of_a_node_are_removed(arena: Arena) -> None:
    await arena.redis.xadd(KEY, {"job": Job(7, 1).encode()})
    async with arena.node() as one:
        assert await arena.is_empty()
        await one.add([("one", Job(8, 1))])
        await arena.until(lambda: bool(arena.taken))
    assert arena.matches == [8]


async def test_a_job_whose_removal_fails_is_taken_once(arena: Arena) -> None:
    async with arena.node() as one:
        remove, failures = Redis.xdel, ["connection reset", "still"]

        async def fails(redis: Redis, *arguments: Any) -> Any:
            if failures:
                raise ConnectionError(failures.pop())
            return await remove(redis, *arguments)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Redis, "xdel", fails)
            await one.add([("one", Job(7, 1))])
            await arena.until(arena.is_empty)
    assert (arena.matches, failures) == ([7], [])


async def test_a_redis_that_lost_everything_serves_new_jobs(arena: Arena) -> None:
    async with arena.node() as one:
        await one.add([("one", Job(1, 1))])
        await arena.until(lambda: arena.matches == [1])
        await arena.redis.flushall()
        await one.add([("one", Job(2, 1))])
        await arena.until(lambda: arena.matches == [1, 2])
        await arena.until(arena.is_empty)


async def test_a_node_comes_back_after_its_connections_were_killed(arena: Arena) -> None:
    async with arena.node() as one:
        await arena.redis.client_kill_filter(_type="normal", skipme=True)
        await one.add([("one", Job(1, 1))])
        await arena.until(lambda: arena.matches == [1])


async def test_stopping_does_not_wait_for_the_read_that_waits_for_jobs(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read that ended by itself would end after 30 s, later than the command may take."""
    monkeypatch.setattr(match_queue, "_BLOCK_MS", 30_000)
    with capture_logs() as logged:
        async with arena.node() as one:
            await one.add([("one", Job(1, 1))])
            await arena.until(lambda: bool(arena.taken))
            await arena.until(lambda: one._reader_id != 0)
            await asyncio.sleep(0.1)
    assert logged == []


@pytest.mark.parametrize(
    "entry",
    [
        b"\x80\x04\x95\x1f\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94\x93\x94.",
        b"{}",
        b"[1, 2]",
        b"not JSON",
        b'{"match": "1", "epoch": 1, "absent": []}',
        b'{"match": 1, "epoch": -1, "absent": []}',
        b'{"match": 1, "epoch": 1, "absent": [true]}',
        b'{"match": 1, "epoch": 1, "absent": 7}',
        b'{"match": 1, "epoch": 1, "absent": [], "run": "id"}',
    ],
)
async def test_an_entry_that_is_no_job_is_removed_and_runs_nothing(arena: Arena, entry: bytes) -> None:
    with capture_logs() as logged:
        async with arena.node() as one:
            await arena.redis.xadd(KEY, {"job": entry})
            await one.add([("one", Job(5, 1))])
            await arena.until(arena.is_empty)
    assert arena.matches == [5]
    assert [line["event"] for line in logged] == ["job_unreadable"]


async def test_a_pickle_in_the_queue_is_not_executed(arena: Arena, tmp_path: Path) -> None:
    """Whoever can write to Redis must not be able to run code on a node."""
    mark = tmp_path / "mark"
    code = f"cposix\nsystem\n(S'touch {mark}'\ntR.".encode()
    async with arena.node():
        for fields in ({"job": code}, {"key": "x", "function": "run_match", "args": code, "kwargs": code}):
            await arena.redis.xadd(KEY, fields)  # type: ignore[arg-type]
        await arena.until(arena.is_empty)
    assert not mark.exists()
