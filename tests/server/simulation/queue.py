"""Docket without Redis: what a dispatcher is promised of its queue, and all that the promise leaves open.

A job is delivered at least once: after its worker has died to the next one, now and then twice at the same time, again
when it was done long ago, or not at all if Redis has lost it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

if TYPE_CHECKING:
    from tests.server.simulation.process import ServerProcess

#: Seconds between two looks of a worker at leases.
_LOOK = 1.0
#: Seconds after which a job that is done may be delivered again at most.
_LATE = 60.0

Function = Callable[..., Awaitable[None]]


@dataclass
class _Job:
    """A job in Redis: who has it, and until when nobody else gets it."""

    name: str
    arguments: tuple[object, ...]
    worker: object = None
    leased_until: float = 0.0


class Broker:
    """The jobs of a world, by key; they outlive the processes."""

    def __init__(self) -> None:
        self.jobs: dict[str, _Job] = {}
        self.added = asyncio.Event()

    def add(self, key: str, job: _Job) -> None:
        """Add a job, unless its key is known."""
        self.jobs.setdefault(key, job)
        self.added.set()

    def flush_all(self) -> None:
        """Lose every job."""
        self.jobs.clear()


class SimulatedDocket:
    """What a dispatcher asks of a `Docket`."""

    def __init__(self, process: ServerProcess) -> None:
        self.process = process
        self.functions: dict[str, Function] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def register(self, function: Function, names: Sequence[str]) -> None:
        self.functions.update(dict.fromkeys(names, function))

    def call(self, name: str, key: str) -> Callable[..., tuple[str, _Job]]:
        return lambda *arguments: (key, _Job(name, arguments))

    async def add_many(self, calls: Sequence[tuple[str, _Job]], chunk_size: int) -> list[Any]:
        """Add jobs, some of which may fail; a key that is known keeps its job."""
        added = []
        for first in range(0, len(calls), chunk_size):
            for key, job in calls[first : first + chunk_size]:
                added.append(SimpleNamespace(schedule_exception=await self._add(key, job)))
        return added

    async def _add(self, key: str, job: _Job) -> Exception | None:
        try:
            await self.process.to_redis("add", lambda: self.process.world.broker.add(key, job))
        except RedisConnectionError as error:
            return error
        return None


class SimulatedWorker:
    """What a dispatcher asks of a `Worker`."""

    def __init__(self, docket: SimulatedDocket, redelivery_timeout: timedelta, concurrency: int) -> None:
        self._docket = docket
        self._most = concurrency
        self._lease = redelivery_timeout.total_seconds()
        self._process = docket.process
        #: By job that runs here, what runs it.
        self._running: dict[str, set[asyncio.Task[None]]] = {}
        self._stopping = False
        self._left = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stopping = True
        self._left.set()

    async def run_forever(self) -> None:
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

    def _deliverable(self) -> list[str]:
        """Take what is free, or whose lease has run out; a worker renews its leases unless it stalls."""
        now, rng, world = asyncio.get_running_loop().time(), self._process.world.rng, self._process.world
        taken: list[str] = []
        for key, job in world.broker.jobs.items():
            expires = rng.random() < world.faults.lease_lost
            if key in self._running and job.worker is self and not expires:
                job.leased_until = now + self._lease
            elif len(self._running) + len(taken) >= self._most:
                continue
            elif job.worker is None or now >= job.leased_until or expires:
                job.worker, job.leased_until = self, now + self._lease
                taken.append(key)
        return taken

    def _deliver(self, key: str) -> None:
        world = self._process.world
        job = world.broker.jobs.get(key)
        if job is None:
            return
        times = 2 if world.rng.random() < world.faults.delivered_twice else 1
        world.note(f"job {job.arguments} is delivered{' twice' * (times - 1)}")
        for _ in range(times):
            task = asyncio.create_task(self._run(key, job))
            self._running.setdefault(key, set()).add(task)
            task.add_done_callback(partial(self._ended, key))

    def _ended(self, key: str, task: asyncio.Task[None]) -> None:
        self._running[key].discard(task)
        if not self._running[key]:
            del self._running[key]

    async def _run(self, key: str, job: _Job) -> None:
        world = self._process.world
        await self._docket.functions[job.name](*job.arguments)
        if world.rng.random() < world.faults.delivered_late:
            with suppress(TimeoutError):
                async with asyncio.timeout(world.rng.uniform(0, _LATE)):
                    await self._left.wait()
                    return  # another worker gets it
            world.note(f"job {job.arguments} is delivered again, late")
            await self._docket.functions[job.name](*job.arguments)
        with suppress(RedisError):  # then it is delivered again
            await self._process.to_redis("done", lambda: world.broker.jobs.pop(key, None))
