"""A queue that serves its owners in turn, so that an owner with many jobs delays only itself."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import Generic, TypeVar

Job = TypeVar("Job")


class FairQueue(Generic[Job]):
    """Jobs by owner: first in, first out for each owner, and one job per owner in turn."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[int, deque[Job]] = OrderedDict()
        self._news = asyncio.Event()
        self._closed = False

    def __len__(self) -> int:
        return sum(map(len, self._jobs.values()))

    def put(self, owner: int, job: Job, most: int | None = None) -> bool:
        """Add a job; return False if `most` jobs of this owner wait already."""
        jobs = self._jobs.setdefault(owner, deque())
        if most is not None and len(jobs) >= most:
            return False
        jobs.append(job)
        self._news.set()
        return True

    async def get(self) -> Job | None:
        """Wait for the next job and return it; None once the queue is closed and empty."""
        while not self._jobs:
            if self._closed:
                return None
            self._news.clear()
            await self._news.wait()
        owner, jobs = self._jobs.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            self._jobs[owner] = jobs  # behind all others
        return job

    def close(self) -> None:
        """Accept no more jobs."""
        self._closed = True
        self._news.set()
