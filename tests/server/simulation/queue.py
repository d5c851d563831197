"""The queue without Redis: what a seater and a node are promised of it, and all that the promise leaves open.

A job is delivered at least once: after its worker has died to the next one, now and then twice at the same time, again
when it was done long ago, or not at all if Redis has lost it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Self

from redis.exceptions import RedisError

from farfalia_server.net.supervision import may_end, supervised
from farfalia_server.queue.match_queue import Job

if TYPE_CHECKING:
    from tests.server.simulation.process import ServerProcess

#: Seconds between two looks of a worker at leases, and after which a silent worker's jobs go to another one.
_LOOK, _LEASE = 1.0, 10.0
#: Seconds after which a job that is done may be delivered again at most.
_LATE = 60.0


@dataclass
class _Entry:
    """A job in Redis: who has it, and until when nobody else gets it."""

    job: Job
    worker: object = None
    leased_until: float = 0.0


class Broker:
    """The jobs of a world, by number; they outlive the processes."""

    def __init__(self) -> None:
        self.jobs: dict[int, _Entry] = {}
        self.added = asyncio.Event()
        self._numbers = count(1)

    def add(self, job: Job) -> None:
        """Add a job."""
        self.jobs[next(self._numbers)] = _Entry(job)
        self.added.set()

    def flush_all(self) -> None:
        """Lose every job."""
        self.jobs.clear()


class SimulatedQueue:
    """What a seater and a node ask of a `MatchQueue`."""

    def __init__(
        self, process: ServerProcess, run: Callable[[Job], Awaitable[None]], most: int, *, afresh: bool
    ) -> None:
        self._process = process
        self._run_job = run
        self._most = most
        self._afresh = afresh
        #: By job that runs here, what runs it.
        self._running: dict[int, set[asyncio.Task[None]]] = {}
        self._stopping = False
        self._left = asyncio.Event()
        self._working: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._afresh:
            self._process.world.broker.flush_all()
        self._working = supervised(self._work(), "queue worker")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self) -> None:
        """Take no more jobs; wait until those that run have ended."""
        self._stopping = True
        self._left.set()
        if self._working is not None:
            may_end(self._working)
            await self._working

    async def add(self, jobs: Sequence[Job]) -> None:
        """Add jobs; if Redis cannot be reached, some of them may have been added."""
        for job in jobs:
            await self._process.to_redis("add", lambda job=job: self._process.world.broker.add(job))  # type: ignore[misc]

    async def _work(self) -> None:
        while not self._stopping:
            with suppress(RedisError):
                await self._deliver_until_stopped()
            await asyncio.sleep(0 if self._stopping else _LOOK)

    async def _deliver_until_stopped(self) -> None:
        """Deliver jobs until Redis does not answer, or until it is told to stop, and those that run have ended."""
        broker = self._process.world.broker
        while not self._stopping:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK):
                    await broker.added.wait()
            broker.added.clear()
            for key in await self._process.to_redis("deliver", self._deliverable):
                self._deliver(key)
        while running := {task for tasks in self._running.values() for task in tasks}:
            await asyncio.wait(running)

    def _deliverable(self) -> list[int]:
        """Take what is free, or whose lease has run out; a worker renews its leases unless it stalls."""
        now, rng, world = asyncio.get_running_loop().time(), self._process.world.rng, self._process.world
        taken: list[int] = []
        for key, entry in world.broker.jobs.items():
            expires = rng.random() < world.faults.lease_lost
            if key in self._running and entry.worker is self and not expires:
                entry.leased_until = now + _LEASE
            elif len(self._running) + len(taken) >= self._most:
                continue
            elif entry.worker is None or now >= entry.leased_until or expires:
                entry.worker, entry.leased_until = self, now + _LEASE
                taken.append(key)
        return taken

    def _deliver(self, key: int) -> None:
        world = self._process.world
        entry = world.broker.jobs.get(key)
        if entry is None:
            return
        times = 2 if world.rng.random() < world.faults.delivered_twice else 1
        world.note(f"job {entry.job} is delivered{' twice' * (times - 1)}")
        for _ in range(times):
            task = asyncio.create_task(self._run(key, entry))
            self._running.setdefault(key, set()).add(task)
            task.add_done_callback(partial(self._ended, key))

    def _ended(self, key: int, task: asyncio.Task[None]) -> None:
        self._running[key].discard(task)
        if not self._running[key]:
            del self._running[key]

    async def _run(self, key: int, entry: _Entry) -> None:
        world = self._process.world
        await self._run_job(entry.job)
        if world.rng.random() < world.faults.delivered_late:
            with suppress(TimeoutError):
                async with asyncio.timeout(world.rng.uniform(0, _LATE)):
                    await self._left.wait()
                    return  # another worker gets it
            world.note(f"job {entry.job} is delivered again, late")
            await self._run_job(entry.job)
        with suppress(RedisError):  # then it is delivered again
            await self._process.to_redis("done", lambda: world.broker.jobs.pop(key, None))
