"""The queue of matches, with a real Redis: each job is played at least once, by a worker that lives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs
from tests.server.shared_redis import empty_redis

from farfalia_server.net.redis_connection import connect
from farfalia_server.queue import match_queue
from farfalia_server.queue.match_queue import Job, MatchQueue

KEY = "farfalia:db:queue"
PATIENCE = 60


class Arena:
    """A queue's Redis, and which jobs were run by whom."""

    def __init__(self, url: str, redis: Redis) -> None:
        self.url = url
        self.redis = redis
        self.ran: list[tuple[str, int]] = []
        self.go = asyncio.Event()
        self.go.set()

    def worker(self, name: str, *, most: int = 8, run: Callable[[Job], Awaitable[None]] | None = None) -> MatchQueue:
        async def note(job: Job) -> None:
            self.ran.append((name, job.match))
            await self.go.wait()

        return MatchQueue(KEY, run or note, redis_url=self.url, worker=name, most=most)

    async def until(self, holds: Callable[[], bool | Awaitable[bool]]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not (held if isinstance(held := holds(), bool) else await held):
                await asyncio.sleep(0.01)

    async def is_empty(self) -> bool:
        return await self.redis.xlen(KEY) == 0


@pytest.fixture
async def arena(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Arena]:
    monkeypatch.setattr(match_queue, "_LEASE_SECONDS", 0.5)
    monkeypatch.setattr(match_queue, "_RENEWAL_SECONDS", 0.1)
    async with empty_redis() as url, connect(url) as redis:
        yield Arena(url, redis)


async def test_every_job_is_run_once_and_removed(arena: Arena) -> None:
    async with arena.worker("one") as one, arena.worker("two"):
        await one.add([Job(match, 1) for match in range(50)])
        await arena.until(arena.is_empty)
    assert sorted(match for _, match in arena.ran) == list(range(50))


async def test_jobs_wait_for_a_worker(arena: Arena) -> None:
    jobs = [Job(7, 3, (1, 2), (2,)), Job(8, 1)]
    seen: list[Job] = []

    async def keep(job: Job) -> None:
        seen.append(job)

    async with arena.worker("full", most=0) as full:
        await full.add(jobs)
    async with arena.worker("one", run=keep):
        await arena.until(arena.is_empty)
    assert seen == jobs


async def test_a_worker_takes_no_more_jobs_than_it_may(arena: Arena) -> None:
    arena.go.clear()
    async with arena.worker("one", most=3) as one:
        await one.add([Job(match, 1) for match in range(10)])
        await arena.until(lambda: len(arena.ran) == 3)
        await asyncio.sleep(0.3)
        assert len(arena.ran) == 3
        arena.go.set()
        await arena.until(arena.is_empty)
    assert [match for _, match in arena.ran] == list(range(10))


async def test_a_worker_that_runs_longer_than_a_lease_keeps_its_job(arena: Arena) -> None:
    arena.go.clear()
    async with arena.worker("one") as one:
        await one.add([Job(7, 1)])
        await arena.until(lambda: arena.ran == [("one", 7)])
        async with arena.worker("two"):
            await asyncio.sleep(1.5)
            assert arena.ran == [("one", 7)]
        arena.go.set()
        await arena.until(arena.is_empty)


async def test_the_jobs_of_a_dead_worker_go_to_another_one(arena: Arena) -> None:
    await arena.redis.xgroup_create(KEY, "nodes", id="0", mkstream=True)
    await arena.redis.xadd(KEY, {"job": Job(7, 1).encode()})
    await arena.redis.xreadgroup("nodes", "dead", {KEY: ">"})
    async with arena.worker("one"):
        await arena.until(arena.is_empty)
    assert arena.ran == [("one", 7)]


async def test_workers_that_are_gone_for_long_are_forgotten(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_queue, "_GONE_SECONDS", 0.2)
    await arena.redis.xgroup_create(KEY, "nodes", id="0", mkstream=True)
    await arena.redis.xgroup_createconsumer(KEY, "nodes", "gone")

    async def names() -> list[str]:
        return [worker["name"].decode() for worker in await arena.redis.xinfo_consumers(KEY, "nodes")]

    async def forgotten() -> bool:
        return "gone" not in await names()

    async with arena.worker("one"):
        await arena.until(forgotten)


async def test_a_redis_that_lost_everything_serves_new_jobs(arena: Arena) -> None:
    async with arena.worker("one") as one:
        await one.add([Job(1, 1)])
        await arena.until(lambda: arena.ran == [("one", 1)])
        await arena.redis.flushall()
        await one.add([Job(2, 1)])
        await arena.until(lambda: arena.ran[1:] == [("one", 2)])
        await arena.until(arena.is_empty)


async def test_a_worker_comes_back_after_its_connections_were_killed(arena: Arena) -> None:
    async with arena.worker("one") as one:
        await arena.redis.client_kill_filter(_type="normal", skipme=True)
        await one.add([Job(1, 1)])
        await arena.until(lambda: arena.ran == [("one", 1)])


async def test_a_job_that_fails_is_logged_and_does_not_stop_the_others(arena: Arena) -> None:
    async def run(job: Job) -> None:
        if job.match == 1:
            raise ValueError("no such table")
        arena.ran.append(("one", job.match))

    with capture_logs() as logged:
        async with arena.worker("one", run=run) as one:
            await one.add([Job(1, 1), Job(2, 1)])
            await arena.until(arena.is_empty)
    assert arena.ran == [("one", 2)]
    assert [(line["event"], line["match"]) for line in logged] == [("job_failed", 1)]


async def test_stopping_does_not_wait_for_the_read_that_waits_for_jobs(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read that ended by itself would end after 30 s, later than the command may take."""
    monkeypatch.setattr(match_queue, "_BLOCK_MS", 30_000)
    with capture_logs() as logged:
        async with arena.worker("one") as one:
            await one.add([Job(1, 1)])
            await arena.until(arena.is_empty)
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
        b'{"match": "1", "epoch": 1, "bots": [], "absent": []}',
        b'{"match": 1, "epoch": -1, "bots": [], "absent": []}',
        b'{"match": 1, "epoch": 1, "bots": [true], "absent": []}',
        b'{"match": 1, "epoch": 1, "bots": 7, "absent": []}',
        b'{"match": 1, "epoch": 1, "bots": [], "absent": [], "run": "id"}',
    ],
)
async def test_an_entry_that_is_no_job_is_removed_and_runs_nothing(arena: Arena, entry: bytes) -> None:
    with capture_logs() as logged:
        async with arena.worker("one") as one:
            await arena.redis.xadd(KEY, {"job": entry})
            await one.add([Job(5, 1)])
            await arena.until(arena.is_empty)
    assert arena.ran == [("one", 5)]
    assert [line["event"] for line in logged] == ["job_unreadable"]


async def test_a_pickle_in_the_queue_is_not_executed(arena: Arena, tmp_path: Path) -> None:
    """Whoever can write to Redis must not be able to run code on a node."""
    mark = tmp_path / "mark"
    code = f"cposix\nsystem\n(S'touch {mark}'\ntR.".encode()
    async with arena.worker("one"):
        for fields in ({"job": code}, {"key": "x", "function": "run_match", "args": code, "kwargs": code}):
            await arena.redis.xadd(KEY, fields)  # type: ignore[arg-type]
        await arena.until(arena.is_empty)
    assert not mark.exists()
