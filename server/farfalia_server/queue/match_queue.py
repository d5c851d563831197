"""Jobs on their way to the nodes that are to play them: each node has a Redis stream, to which the seater appends.

A job is data: the numbers of a match, its epoch and the bots that are absent. A node removes it as soon as it has
taken it. So a job arrives at least once, perhaps twice, unless it is lost with Redis or with its node: the seater knows
which matches it has given to whom, and does so again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Self

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from farfalia_server.net import redis_keys
from farfalia_server.net.backoff import backoff
from farfalia_server.net.redis_connection import connect, is_worth_a_new_connection
from farfalia_server.net.service import Service

log = structlog.get_logger(__name__)

#: Jobs sent to Redis, or received, in one turn of the event loop: each begins a match.
_AT_ONCE = 8
#: Milliseconds that a read waits for a job: less than a command may take.
_BLOCK_MS = 1000
#: Seconds before the second attempt while Redis cannot be reached, and before later ones at most.
_BACKOFF = (0.05, 2.0)
#: The field of an entry that holds the job.
_FIELD = "job"
#: Before all entries: what has been taken is removed, so a read begins with the oldest that there is.
_START = "0-0"


@dataclass(frozen=True, slots=True)
class Job:
    """A match to play at an epoch, and the numbers of its bots that are absent."""

    match: int
    epoch: int
    absent: tuple[int, ...] = ()

    def encode(self) -> str:
        """Return the job as JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def parse(cls, text: bytes) -> Job:
        """Return the job of this JSON; ValueError if it is none."""
        found = json.loads(text)
        if not isinstance(found, dict) or found.keys() != {"match", "epoch", "absent"}:
            raise ValueError("expected the fields match, epoch and absent")
        return cls(_number(found["match"]), _number(found["epoch"]), _numbers(found["absent"]))


class MatchQueue(Service):
    """The jobs of `node`, each of which `take` is called with, and the way to those of other nodes.

    `async with` starts taking jobs. It first removes those for an earlier process of this node, and at its end those
    that were not taken: the seater gives them to another one.
    """

    def __init__(self, take: Callable[[Job], object], *, redis_url: str, database: str, node: str) -> None:
        super().__init__("queue")
        self._take = take
        self._url = redis_url
        self._database = database
        self._key = redis_keys.QUEUE(database=database, node=node)
        self._stack = AsyncExitStack()
        self._redis: Redis
        #: Entries that were taken, which are to be removed.
        self._taken: list[bytes] = []
        #: The number by which Redis knows the connection that waits for jobs; 0 while there is none.
        self._reader_id = 0
        #: Between attempts to read while Redis cannot be reached.
        self._pauses = backoff(*_BACKOFF)

    async def __aenter__(self) -> Self:
        self._redis = await self._stack.enter_async_context(connect(self._url))
        await self._redis.delete(self._key)
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping = True
        if self._reader_id:
            with suppress(RedisError, OSError):  # the read then ends within a second by itself
                await self._redis.client_unblock(self._reader_id)
        await super().__aexit__(kind, error, trace)
        with suppress(RedisError, OSError):  # the next process of this node removes it
            await self._redis.delete(self._key)
        await self._stack.aclose()

    async def add(self, jobs: Sequence[tuple[str, Job]]) -> None:
        """Give jobs to nodes; if this raises RedisError or OSError, some of them may have been added."""
        for first in range(0, len(jobs), _AT_ONCE):
            pipeline = self._redis.pipeline(transaction=False)
            for node, job in jobs[first : first + _AT_ONCE]:
                pipeline.xadd(redis_keys.QUEUE(database=self._database, node=node), {_FIELD: job.encode()})
            await pipeline.execute()

    async def _run(self) -> None:
        """Take jobs, through a connection of its own, since a read waits."""
        while not self._stopping:
            try:
                async with self._redis.client() as reader:
                    self._reader_id = await reader.client_id()
                    while not self._stopping:
                        await self._read(reader)
            except (RedisError, OSError) as error:
                await self._recover(error, next(self._pauses))
            finally:
                self._reader_id = 0

    async def _read(self, reader: Redis) -> None:
        found: Any = await reader.xread({self._key: _START}, count=_AT_ONCE, block=_BLOCK_MS)
        self._pauses = backoff(*_BACKOFF)
        for _, entries in found:
            for id, fields in entries:
                if id not in self._taken and not self._stopping:
                    self._taken.append(id)
                    self._begin(id, fields)
        if self._taken:  # a turn of the loop for each batch
            await reader.xdel(self._key, *self._taken)
            self._taken.clear()

    def _begin(self, id: bytes, fields: Mapping[bytes, bytes]) -> None:
        try:
            job = Job.parse(fields[_FIELD.encode()])
        except (KeyError, ValueError, TypeError) as error:
            log.error("job_unreadable", entry=id.decode(), error=str(error))
        else:
            self._take(job)

    async def _recover(self, error: Exception, seconds: float) -> None:
        log.warning("redis_unreachable", what="queue", error=str(error), retry_seconds=seconds)
        if is_worth_a_new_connection(error):
            await self._redis.connection_pool.disconnect(inuse_connections=False)
        if not self._stopping:
            await asyncio.sleep(seconds)


def _number(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"expected a number, got {value!r}")
    return value


def _numbers(values: object) -> tuple[int, ...]:
    if not isinstance(values, list):
        raise ValueError(f"expected a list of numbers, got {values!r}")
    return tuple(map(_number, values))
