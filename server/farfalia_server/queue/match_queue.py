"""The queue of matches to play: a Redis stream, read by a consumer group of all nodes.

A job is data: the numbers of a match, its epoch and its bots. Redis hands it to one worker. While the worker has it, it
renews its claim; a worker that has been silent for a lease loses its jobs to the others. So a job arrives at least
once, perhaps twice, and is lost only with Redis.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Self

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from farfalia_server.net.backoff import backoff
from farfalia_server.net.redis_connection import connect, is_worth_a_new_connection
from farfalia_server.net.supervision import may_end, supervised

log = structlog.get_logger(__name__)

#: Seconds of a worker's silence after which another one gets its jobs, and seconds between two renewals.
_LEASE_SECONDS, _RENEWAL_SECONDS = 10.0, 2.0
#: Jobs sent to Redis, or received, in one turn of the event loop: each begins a match.
_AT_ONCE = 8
#: Milliseconds that a read waits for a job: less than a command may take.
_BLOCK_MS = 1000
#: Seconds after which a worker without a job counts as gone.
_GONE_SECONDS = 3600
#: Seconds before the second attempt while Redis cannot be reached, and before later ones at most.
_BACKOFF = (0.05, 2.0)
#: The consumer group, and the field of an entry that holds the job.
_GROUP, _FIELD = "nodes", "job"

#: KEYS: the stream. ARGV: the group, the milliseconds after which a worker counts as gone.
#: Looks and removes in one step: a worker that has got a job in between would lose it.
_FORGET = """
for _, each in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local worker = {}
  for at = 1, #each, 2 do worker[each[at]] = each[at + 1] end
  if worker.pending == 0 and worker.idle > tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], worker.name)
  end
end
"""


@dataclass(frozen=True, slots=True)
class Job:
    """A match to play at an epoch; the numbers of its bots, without house bots, and of those that are absent."""

    match: int
    epoch: int
    bots: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()

    def encode(self) -> str:
        """Return the job as JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def parse(cls, text: bytes) -> Job:
        """Return the job of this JSON; ValueError if it is none."""
        found = json.loads(text)
        if not isinstance(found, dict) or found.keys() != {"match", "epoch", "bots", "absent"}:
            raise ValueError("expected the fields match, epoch, bots and absent")
        return cls(_number(found["match"]), _number(found["epoch"]), _numbers(found["bots"]), _numbers(found["absent"]))


class MatchQueue:
    """The jobs in the stream `key`, shared by all who open it: `run` is called with each job that comes here, at most
    `most` at a time, and perhaps twice. `async with` opens it and starts taking jobs; with `afresh` it removes those
    first that are there.
    """

    def __init__(
        self,
        key: str,
        run: Callable[[Job], Awaitable[None]],
        *,
        redis_url: str,
        worker: str,
        most: int,
        afresh: bool = False,
    ) -> None:
        self._key = key
        self._run = run
        self._url = redis_url
        self._worker = f"{worker}#{secrets.token_hex(4)}"
        self._most = most
        self._afresh = afresh
        self._stack = AsyncExitStack()
        self._redis: Redis
        #: By entry of the stream, what runs its job here.
        self._running: dict[bytes, asyncio.Task[None]] = {}
        #: Entries whose jobs are done, which are to be removed.
        self._done: list[bytes] = []
        self._stopping = False
        self._freed = asyncio.Event()
        #: The number by which Redis knows the connection that waits for jobs; 0 while there is none.
        self._reader_id = 0
        #: Between attempts to read while Redis cannot be reached.
        self._pauses = backoff(*_BACKOFF)
        self._loops: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._redis = await self._stack.enter_async_context(connect(self._url))
        if self._afresh:
            await self._redis.delete(self._key)
        await self._make_group()
        self._loops = [supervised(self._take(), "queue worker"), supervised(self._tend(), "queue leases")]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        await self._stack.aclose()

    async def stop(self) -> None:
        """Take no more jobs, and wait until those that run have ended."""
        if self._stopping:
            return
        self._stopping = True
        for loop in self._loops:
            may_end(loop)
        self._freed.set()
        await self._end_read()
        while self._running:
            await asyncio.wait(self._running.values())
        self._freed.set()
        for loop in self._loops:
            await loop

    async def add(self, jobs: Sequence[Job]) -> None:
        """Add jobs; if this raises RedisError or OSError, some of them may have been added."""
        for first in range(0, len(jobs), _AT_ONCE):
            pipeline = self._redis.pipeline(transaction=False)
            for job in jobs[first : first + _AT_ONCE]:
                pipeline.xadd(self._key, {_FIELD: job.encode()})
            await pipeline.execute()

    # -- jobs come -------------------------------------------------------------------------

    async def _take(self) -> None:
        """Take new jobs while there is room, through a connection of its own, since a read waits."""
        while not self._stopping:
            try:
                async with self._redis.client() as reader:
                    self._reader_id = await reader.client_id()
                    await self._read(reader)
            except (RedisError, OSError) as error:
                await self._recover(error, next(self._pauses))
            finally:
                self._reader_id = 0

    async def _read(self, reader: Redis) -> None:
        while not self._stopping:
            room = min(_AT_ONCE, self._most - len(self._running))
            if room <= 0:
                self._freed.clear()
                await self._freed.wait()
                continue
            found: Any = await reader.xreadgroup(_GROUP, self._worker, {self._key: ">"}, count=room, block=_BLOCK_MS)
            self._pauses = backoff(*_BACKOFF)
            for _, entries in found:
                self._begin(entries)
            await asyncio.sleep(0)  # a turn of the loop for each batch

    def _begin(self, entries: Iterable[tuple[bytes | None, Mapping[bytes, bytes] | None]]) -> None:
        for id, fields in entries:
            if id is None or id in self._running or self._stopping:
                continue  # it is done, its job still runs here, or another worker gets it
            try:
                job = Job.parse((fields or {})[_FIELD.encode()])
            except (KeyError, ValueError, TypeError) as error:
                log.error("job_unreadable", entry=id.decode(), error=str(error))
                self._done.append(id)
                continue
            task = self._running[id] = asyncio.create_task(self._play(job), name=f"job {job.match}")
            task.add_done_callback(lambda _, id=id: self._ended(id))  # type: ignore[misc]

    async def _play(self, job: Job) -> None:
        try:
            await self._run(job)
        except Exception:
            log.exception("job_failed", match=job.match)

    def _ended(self, id: bytes) -> None:
        del self._running[id]
        self._done.append(id)
        self._freed.set()

    async def _end_read(self) -> None:
        """End the read that waits for jobs; if that fails, it ends within a second by itself."""
        if self._reader_id:
            with suppress(RedisError, OSError):
                await self._redis.client_unblock(self._reader_id)

    # -- leases ----------------------------------------------------------------------------

    async def _tend(self) -> None:
        """Remove jobs that are done, renew the claims of those that run, and take those of silent workers."""
        loop, pauses = asyncio.get_running_loop(), backoff(*_BACKOFF)
        renew_at = loop.time()
        while not (self._stopping and not self._running and not self._done):
            due = loop.time() >= renew_at
            try:
                await self._remove_done()
                if due:
                    await self._renew()
                    await self._claim_of_others()
            except (RedisError, OSError) as error:
                if self._stopping:
                    return  # another worker gets a job again that is done: it finds nothing to do
                await self._recover(error, next(pauses))
                continue
            pauses = backoff(*_BACKOFF)
            if due:
                renew_at = loop.time() + _RENEWAL_SECONDS
            self._freed.clear()
            if not self._done:
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(renew_at):
                        await self._freed.wait()

    async def _remove_done(self) -> None:
        while ids := self._done[:256]:
            pipeline = self._redis.pipeline(transaction=True)
            pipeline.xack(self._key, _GROUP, *ids)
            pipeline.xdel(self._key, *ids)
            await pipeline.execute()
            del self._done[: len(ids)]

    async def _renew(self) -> None:
        if self._running:
            await self._redis.xclaim(self._key, _GROUP, self._worker, 0, list(self._running), justid=True)

    async def _claim_of_others(self) -> None:
        room = min(_AT_ONCE, self._most - len(self._running))
        if room <= 0 or self._stopping:
            return
        claimed: Any = await self._redis.xautoclaim(
            self._key, _GROUP, self._worker, round(_LEASE_SECONDS * 1000), count=room
        )
        self._begin(claimed[1])
        await self._redis.eval(_FORGET, 1, self._key, _GROUP, round(_GONE_SECONDS * 1000))

    # -- outages ---------------------------------------------------------------------------

    async def _make_group(self) -> None:
        try:
            await self._redis.xgroup_create(self._key, _GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise

    async def _recover(self, error: Exception, seconds: float) -> None:
        """Make the group again if Redis has lost its data, else wait for Redis."""
        if isinstance(error, ResponseError) and str(error).startswith("NOGROUP"):
            try:
                await self._make_group()
            except (RedisError, OSError) as again:
                error = again
            else:
                return
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
