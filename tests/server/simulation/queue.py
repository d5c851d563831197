"""The queue without Redis: what a seater and a node are promised of it, and all that the promise leaves open.

A job is delivered to the node that it is for: now and then twice at the same time, again when it was done long ago, or
not at all, if Redis or its node has lost it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Self

from redis.exceptions import RedisError

from farfalia_server.net.supervision import may_end, supervised
from farfalia_server.queue.match_queue import Job

if TYPE_CHECKING:
    from tests.server.simulation.process import ServerProcess

#: Seconds after which a queue whose Redis did not answer tries again.
_PAUSE = 1.0
#: Seconds after which a job that was delivered may be delivered again at most.
_LATE = 60.0


class Broker:
    """The jobs of a world by node; they outlive the processes."""

    def __init__(self) -> None:
        self.jobs: dict[str, list[Job]] = {}
        self.added = asyncio.Event()

    def add(self, node: str, job: Job) -> None:
        """Add a job for a node."""
        self.jobs.setdefault(node, []).append(job)
        added, self.added = self.added, asyncio.Event()
        added.set()

    def flush_all(self) -> None:
        """Lose every job."""
        self.jobs.clear()


class SimulatedQueue:
    """What a seater and a node ask of a `MatchQueue`."""

    def __init__(self, process: ServerProcess, take: Callable[[Job], object], node: str) -> None:
        self._process = process
        self._take = take
        self._node = node
        self._stopping = asyncio.Event()
        self._working: asyncio.Task[None] | None = None
        self._later: list[asyncio.TimerHandle] = []

    async def __aenter__(self) -> Self:
        self._process.world.broker.jobs.pop(self._node, None)
        self._working = supervised(self._work(), "queue")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stopping.set()
        for timer in self._later:
            timer.cancel()
        if self._working is not None:
            may_end(self._working)
            await self._working

    async def add(self, jobs: Sequence[tuple[str, Job]]) -> None:
        """Add jobs; if Redis cannot be reached, some of them may have been added."""
        world = self._process.world
        for node, job in jobs:
            if world.rng.random() < world.faults.job_lost:
                world.note(f"job {job} is lost")
            else:
                await self._process.to_redis("add", lambda node=node, job=job: world.broker.add(node, job))  # type: ignore[misc]

    async def _work(self) -> None:
        stopping = asyncio.create_task(self._stopping.wait())
        while not self._stopping.is_set():
            added = asyncio.create_task(self._process.world.broker.added.wait())
            try:
                for job in await self._process.to_redis("deliver", self._delivered):
                    self._deliver(job)
            except RedisError:
                added.cancel()
                added = asyncio.create_task(asyncio.sleep(_PAUSE, True))
            await asyncio.wait({added, stopping}, return_when=asyncio.FIRST_COMPLETED)
            added.cancel()

    def _delivered(self) -> list[Job]:
        return self._process.world.broker.jobs.pop(self._node, [])

    def _deliver(self, job: Job) -> None:
        world = self._process.world
        times = 2 if world.rng.random() < world.faults.delivered_twice else 1
        world.note(f"job {job} is delivered{' twice' * (times - 1)}")
        for _ in range(times):
            self._take(job)
        if world.rng.random() < world.faults.delivered_late:
            late = world.rng.uniform(0, _LATE)
            self._later.append(asyncio.get_running_loop().call_later(late, self._deliver_late, job))

    def _deliver_late(self, job: Job) -> None:
        self._process.world.note(f"job {job} is delivered again, late")
        self._take(job)
