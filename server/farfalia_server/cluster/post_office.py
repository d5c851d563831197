"""Messages between the nodes of a cluster: one Redis stream per node, its inbox, and one for all nodes.

What is sent to a node in one turn of the event loop, and while the last write is still under way, becomes one entry.
One task writes; another reads this node's inbox and the stream for all, on a connection of its own. Streams are
trimmed, and entries may be lost with Redis: a sender repeats what matters until it is answered.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
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

#: Entries that a stream keeps, and the milliseconds after which an unused inbox is deleted.
MOST_ENTRIES, _KEPT_MS = 10_000, 600_000
#: Milliseconds that a read waits for news: less than a command may take.
_BLOCK_MS = 1000
#: Entries of one read; one has up to _MOST_BYTES.
_AT_ONCE = 100
#: Most bytes that wait for a node while Redis cannot be reached.
_MOST_BYTES = 4 << 20
#: Seconds before the second attempt while Redis cannot be reached, and before later ones at most.
_BACKOFF = (0.05, 1.0)

#: Called with the fields of an entry.
Reader = Callable[[Mapping[bytes, bytes]], None]


@dataclass(slots=True)
class _Backlog:
    """What waits to be sent to a node: only the newest, since senders repeat what matters."""

    parts: deque[bytes] = field(default_factory=deque)
    size: int = 0

    def add(self, data: bytes) -> None:
        self.parts.append(data)
        self.size += len(data)
        while self.size > _MOST_BYTES and len(self.parts) > 1:
            self.size -= len(self.parts.popleft())


class PostOffice(Service):
    """The post of the node `own`; `async with` begins with an empty inbox. `receive` is called with the name of a node
    and what it has sent.
    """

    def __init__(
        self, redis: Redis, redis_url: str, database: str, own: str, receive: Callable[[str, bytes], None]
    ) -> None:
        super().__init__("post office")
        self._redis = redis
        self._database = database
        self._own = own
        self._waiting: dict[str, _Backlog] = {}
        self._following = _StreamReader(redis_url)
        self._following.add(self._inbox(own), lambda fields: receive(fields[b"from"].decode(), fields[b"items"]))

    def follow(self, key: str, read: Reader, again: Callable[[], None]) -> None:
        """Also read a stream for all nodes from now on; `again` is called when entries of it may have been missed."""
        self._following.add(key, read)
        self._following.on_gap[key.encode()] = again

    def unfollow(self, key: str) -> None:
        """Stop reading a stream for all nodes."""
        self._following.remove(key)

    def send(self, node: str, data: bytes) -> None:
        """Send this to a node, together with whatever else waits for it."""
        self._waiting.setdefault(node, _Backlog()).add(data)
        self._woken.set()

    async def __aenter__(self) -> Self:
        await self._redis.delete(self._inbox(self._own))
        await self._following.__aenter__()
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        await self._following.__aexit__(kind, error, trace)

    def _inbox(self, node: str) -> str:
        return redis_keys.MAILBOX(database=self._database, node=node)

    async def _run(self) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            waiting, self._waiting = self._waiting, {}
            if waiting and not await self._write(waiting):
                return
            if self._stopping and not self._waiting:
                return

    async def _write(self, waiting: Mapping[str, _Backlog]) -> bool:
        """Write until Redis has it; return False if it does not answer while the node stops."""
        for pause in backoff(*_BACKOFF):
            pipeline = self._redis.pipeline(transaction=False)
            for node, post in waiting.items():
                entry: Any = {"from": self._own, "items": b"".join(post.parts)}
                pipeline.xadd(self._inbox(node), entry, maxlen=MOST_ENTRIES, approximate=True)
                pipeline.pexpire(self._inbox(node), _KEPT_MS)
            try:
                await pipeline.execute()
            except (RedisError, OSError) as error:
                log.warning("redis_unreachable", what="post", error=str(error), retry_seconds=pause)
                if is_worth_a_new_connection(error):
                    await self._redis.connection_pool.disconnect(inuse_connections=False)
            else:
                return True
            if self._stopping:
                return False
            await asyncio.sleep(pause)
        raise AssertionError("unreachable")


class _StreamReader(Service):
    """Reads streams from the moment at which it starts."""

    def __init__(self, redis_url: str) -> None:
        super().__init__("inbox")
        self._url = redis_url
        self._readers: dict[bytes, Reader] = {}
        self._last: dict[bytes, bytes] = {}
        self._stack = AsyncExitStack()
        self._redis: Redis
        #: By stream, what is called when entries of it may have been missed.
        self.on_gap: dict[bytes, Callable[[], None]] = {}

    def add(self, key: str, read: Reader) -> None:
        """Follow this stream as well."""
        self._readers[key.encode()] = read

    def remove(self, key: str) -> None:
        """Stop following this stream."""
        for by_stream in (self._readers, self._last, self.on_gap):
            by_stream.pop(key.encode(), None)

    async def __aenter__(self) -> Self:
        self._redis = await self._stack.enter_async_context(connect(self._url))
        await self._begin()
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        await self._stack.aclose()

    async def _begin(self) -> list[bytes]:
        """Find the ends of the streams from which nothing was read yet; return which these are."""
        new = [key for key in self._readers if key not in self._last]
        for key in new:
            end = await self._end(key)
            if key in self._readers:  # still
                self._last[key] = end
        return new

    async def _run(self) -> None:
        pauses, doubtful = iter(backoff(*_BACKOFF)), False
        while not self._stopping:
            try:
                if doubtful:
                    await self._step_back()
                for key in await self._begin():
                    self.on_gap.get(key, lambda: None)()  # for what has come since somebody wanted to follow it
                streams: Any = await self._redis.xread(dict(self._last), count=_AT_ONCE, block=_BLOCK_MS)  # type: ignore[arg-type]
            except (RedisError, OSError) as error:
                pause, doubtful = next(pauses), True
                log.warning("redis_unreachable", what="inbox", error=str(error), retry_seconds=pause)
                await self._redis.connection_pool.disconnect(inuse_connections=False)
                await asyncio.sleep(pause)
                for again in tuple(self.on_gap.values()):
                    again()
                continue
            # The client may have reconnected by itself, to another primary.
            pauses, doubtful = iter(backoff(*_BACKOFF)), not streams
            for key, entries in streams or ():
                for id, fields in entries:
                    if key in self._readers:
                        self._last[key] = id
                        self._read(key, fields)

    async def _step_back(self) -> None:
        """Go on in a stream that has lost its newest entries: the next ones may have smaller numbers."""
        for key, last in tuple(self._last.items()):
            end = await self._end(key)
            if key in self._readers and _number(end) < _number(last):
                self._last[key] = end

    async def _end(self, key: bytes) -> bytes:
        newest: Any = await self._redis.xrevrange(key, count=1)
        end: bytes = newest[0][0] if newest else b"0-0"
        return end

    def _read(self, key: bytes, fields: Mapping[bytes, bytes]) -> None:
        try:
            self._readers[key](fields)
        except Exception:  # one bad entry must not block those after it
            log.exception("entry_failed", stream=key.decode())


def _number(id: bytes) -> tuple[int, int]:
    milliseconds, _, number = id.partition(b"-")
    return int(milliseconds), int(number)
