"""The queue of matches to play: jobs in Redis, handed out by Docket."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import Self

import structlog
from docket import Docket, Worker, _redis_sentinel

from farfalia_server.net.redis_connection import blocking
from farfalia_server.net.redis_sentinels import Sentinels
from farfalia_server.net.supervision import supervised
from farfalia_server.queue.docket_log import quieten

log = structlog.get_logger(__name__)

#: Seconds of a worker's silence after which Docket hands its job out again.
_REDELIVERY_SECONDS = 10.0
#: Jobs sent to Redis, or received, in one turn of the event loop: each takes some tenths of a millisecond.
_AT_ONCE = 8

# Docket tries an unreachable Sentinel eleven times, five seconds each, before it asks the next one.
_redis_sentinel.Sentinel = Sentinels  # type: ignore[attr-defined,assignment]


@dataclass(frozen=True, slots=True)
class Job:
    """A job for a match; `key` is unique."""

    key: str
    arguments: tuple[object, ...]


class MatchQueue:
    """A named queue of jobs, shared by all who open it: `run` is called with the arguments of each job that comes here,
    at most `most` at a time, and perhaps twice. `async with` opens it and starts taking jobs.
    """

    def __init__(
        self, name: str, run: Callable[..., Awaitable[None]], *, redis_url: str, worker: str, most: int
    ) -> None:
        quieten()
        self._run = run
        self._docket = Docket(name=name, url=blocking(redis_url), execution_ttl=timedelta(0))
        self._worker = Worker(
            self._docket,
            name=f"{worker}#{secrets.token_hex(4)}",
            concurrency=most,
            redelivery_timeout=timedelta(seconds=_REDELIVERY_SECONDS),
            message_batch=_AT_ONCE,
            reconnection_delay=timedelta(seconds=1),
            scheduling_resolution=timedelta(seconds=5),  # nothing is ever scheduled for later
            schedule_automatic_tasks=False,
        )
        self._stopping = False
        self._working: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self._docket.__aenter__()
        await self._worker.__aenter__()
        self._docket.register(self._run, names=["run_match"])
        self._working = supervised(self._work(), "queue worker")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        await self._docket.__aexit__(None, None, None)

    async def stop(self) -> None:
        """Take no more jobs; running ones have to end by themselves."""
        if not self._stopping:
            self._stopping = True
            await self._worker.__aexit__(None, None, None)
            if self._working is not None:
                await self._working

    async def add(self, jobs: Sequence[Job]) -> None:
        """Add jobs; if this fails, some of them may have been added."""
        calls = [self._docket.call("run_match", key=job.key)(*job.arguments) for job in jobs]
        for execution in await self._docket.add_many(calls, chunk_size=_AT_ONCE):
            if execution.schedule_exception is not None:
                raise execution.schedule_exception

    async def _work(self) -> None:
        while not self._stopping:
            try:
                await self._worker.run_forever()
            except Exception:
                log.exception("service_failed", service="queue worker")
                await asyncio.sleep(1)
