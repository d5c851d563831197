"""Redis streams through which the nodes of a cluster speak: one task adds to them, another reads from some of them.

What is published in one turn of the event loop, and while the last write is still under way, travels together, in one
entry for each stream. Streams are trimmed, and Redis may lose entries. A reader is called when that may have happened,
and looks for itself; a publisher repeats what matters until it is answered.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, ClassVar, Self

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from farfalia_server.net.backoff import backoff
from farfalia_server.net.redis_connection import is_worth_a_new_connection
from farfalia_server.net.service import Service
from farfalia_server.net.supervision import may_end, supervised

log = structlog.get_logger(__name__)

#: Entries that a stream keeps (roughly).
MOST_ENTRIES = 10_000
#: Most parts of an entry; most bytes that wait for a stream while Redis cannot be reached.
_PARTS, _MOST_BYTES = 500, 4 << 20
#: Entries that are read at a time, and milliseconds that a read waits for one: less than a command may take.
_AT_ONCE, _BLOCK_MS = 200, 1000
#: Seconds before the second attempt while Redis cannot be reached, and before later ones at most.
_BACKOFF = (0.05, 1.0)
_START = b"0-0"

#: Called with the fields of an entry.
Reader = Callable[[Mapping[bytes, bytes]], None]


@dataclass(slots=True)
class _Backlog:
    """What waits to be added to a stream: only the newest."""

    parts: deque[bytes] = field(default_factory=deque)
    size: int = 0

    def add(self, part: bytes) -> None:
        self.parts.append(part)
        self.size += len(part)
        while self.size > _MOST_BYTES and len(self.parts) > 1:
            self.size -= len(self.parts.popleft())


class Streams(Service):
    """Publishes under the name `sender` and reads from the moment at which `async with` starts it.

    A read that waits for news ends at an entry in the stream `own`, which must be among those that are read.
    """

    #: Seconds of a pause after a read that follows the last one soon, so that one read brings many entries. The first
    #: entry after a silence is read at once.
    rest: ClassVar[float] = 0.0
    #: Whether a stream whose newest entries Redis has lost is read again from its start, and not from its new end.
    reads_again: ClassVar[bool] = False
    #: Milliseconds after which an unused stream is deleted; None for never.
    kept_ms: ClassVar[int | None] = None

    def __init__(self, name: str, redis: Redis, sender: str, own: str) -> None:
        super().__init__(name)
        self._redis = redis
        self._sender = sender
        self._own = own
        self._waiting: dict[str, _Backlog] = {}
        #: By stream that is read, who reads it, and who is called when entries of it may have been missed.
        self._readers: dict[bytes, tuple[Reader, Callable[[], None]]] = {}
        #: By stream, the newest entry that was read.
        self._last: dict[bytes, bytes] = {}
        self._reading: asyncio.Task[None] | None = None

    def publish(self, key: str, part: bytes) -> None:
        """Add this to a stream, together with whatever else waits for it."""
        self._waiting.setdefault(key, _Backlog()).add(part)
        self.wake()

    def subscribe(self, key: str, read: Reader, missed: Callable[[], None]) -> None:
        """Read a stream from now on; `missed` is called when that begins, unless `async with` begins it, and whenever
        entries may have been missed.
        """
        self._readers[key.encode()] = read, missed
        if self._reading is not None:
            self._end_read()

    def unsubscribe(self, key: str) -> None:
        """Stop reading a stream."""
        self._readers.pop(key.encode(), None)
        self._last.pop(key.encode(), None)

    async def __aenter__(self) -> Self:
        await self._begin()
        self._stopping = False
        self._reading = supervised(self._read_all(), f"{self._service} reader")
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reading is not None:
            may_end(self._reading)  # it ends as soon as this is stopping
        await super().__aexit__(kind, error, trace)
        if self._reading is not None:
            await self._reading
            self._reading = None

    # From this node.

    def _entry(self, parts: Iterable[bytes]) -> bytes:
        """Return what an entry with these parts contains."""
        return b"".join(parts)

    def _end_read(self) -> None:
        """Add an empty entry to a stream that this node reads."""
        self._waiting.setdefault(self._own, _Backlog())
        self.wake()

    async def _run(self) -> None:
        while await self._goes_on(None):
            self._woken.clear()
            await self._write_all()
        self._end_read()
        await self._write_all()

    async def _write_all(self) -> None:
        while self._waiting:
            waiting, self._waiting = self._waiting, {}
            if not await self._write(waiting):
                return

    async def _write(self, waiting: Mapping[str, _Backlog]) -> bool:
        """Write until Redis has it; return False if it does not answer while the node stops."""
        for pause in backoff(*_BACKOFF):
            pipeline = self._redis.pipeline(transaction=False)
            for key, backlog in waiting.items():
                parts = tuple(backlog.parts)
                for at in range(0, max(len(parts), 1), _PARTS):
                    entry: Any = {"from": self._sender, "items": self._entry(parts[at : at + _PARTS])}
                    pipeline.xadd(key, entry, maxlen=MOST_ENTRIES, approximate=True)
                if self.kept_ms is not None:
                    pipeline.pexpire(key, self.kept_ms)
            try:
                await pipeline.execute()
            except (RedisError, OSError) as error:
                if self._stopping:
                    return False
                await self._pause(self._service, pause, error)
            else:
                return True
        raise AssertionError("unreachable")

    # To this node.

    async def _read_all(self) -> None:
        pauses, failed, doubtful = backoff(*_BACKOFF), False, False
        loop, read_at = asyncio.get_running_loop(), float("-inf")
        while not self._stopping:
            try:
                if doubtful:
                    await self._step_back()
                if failed:
                    self._report_missed(self._last)
                    pauses, failed = backoff(*_BACKOFF), False
                self._call_missed(await self._begin())  # for what has come since somebody wanted to read it
                found: Any = await self._redis.xread(dict(self._last), count=_AT_ONCE, block=_BLOCK_MS)  # type: ignore[arg-type]
            except (RedisError, OSError) as error:
                failed = doubtful = True
                await self._pause(f"{self._service} reader", next(pauses), error)
                continue
            doubtful = not found  # the client may have reconnected by itself, to another primary
            self._read(found)
            if found and self.rest:
                soon, read_at = loop.time() - read_at < self.rest, loop.time()
                await asyncio.sleep(self.rest if soon and not self._stopping else 0)

    async def _begin(self) -> list[bytes]:
        """Find the ends of the streams from which nothing was read yet; return which these are."""
        new = [key for key in self._readers if key not in self._last]
        for key in new:
            end = await self._end(key)
            if key in self._readers:  # still
                self._last[key] = end
        return new

    async def _step_back(self) -> None:
        """Go on in a stream that has lost its newest entries: the next ones may have smaller numbers."""
        lost = []
        for key, last in tuple(self._last.items()):
            end = await self._end(key)
            if key in self._last and _number(end) < _number(last):
                self._last[key] = _START if self.reads_again else end
                lost.append(key)
        if lost:
            self._report_missed(lost)

    def _read(self, found: Sequence[tuple[bytes, Sequence[tuple[bytes, Mapping[bytes, bytes]]]]]) -> None:
        for key, entries in found:
            for id, fields in entries:
                if key not in self._last:  # no longer
                    break
                self._last[key] = id
                try:
                    self._readers[key][0](fields)
                except Exception:  # one bad entry must not block those after it
                    log.exception("entry_failed", stream=key.decode())

    def _report_missed(self, keys: Iterable[bytes]) -> None:
        log.info("changes_missed", what=self._service)
        self._call_missed(keys)

    def _call_missed(self, keys: Iterable[bytes]) -> None:
        for missed in dict.fromkeys(self._readers[key][1] for key in keys if key in self._readers):
            missed()

    async def _end(self, key: bytes) -> bytes:
        newest: Any = await self._redis.xrevrange(key, count=1)
        end: bytes = newest[0][0] if newest else _START
        return end

    async def _pause(self, what: str, seconds: float, error: Exception) -> None:
        log.warning("redis_unreachable", what=what, error=str(error), retry_seconds=seconds)
        if is_worth_a_new_connection(error):
            await self._redis.connection_pool.disconnect(inuse_connections=False)
        await asyncio.sleep(seconds)


def _number(id: bytes) -> tuple[int, int]:
    milliseconds, _, number = id.partition(b"-")
    return int(milliseconds), int(number)
