"""How nodes notify each other of changes: through a Redis stream that every node keeps reading.

Changes of single matches go to a second stream, which only nodes that `follow` it read: nodes with a role, or with
somebody who watches. So what every node reads does not grow with the matches of the whole cluster.

What a node sends in one turn of its event loop is one message, and so is what it sends while Redis is still busy with
the last one. Other nodes receive each item at least once, in order; the sender does not receive its own. The streams
keep only the newest messages. After an outage or a long sleep some may have been missed; then the listeners of
`on_missed` are called, and look for themselves.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import defaultdict, deque
from collections.abc import Callable
from itertools import islice
from types import TracebackType
from typing import Any, Self

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from farfalia_server.net import redis_keys
from farfalia_server.net.backoff import backoff
from farfalia_server.net.redis_connection import is_worth_a_new_connection
from farfalia_server.net.service import Service
from farfalia_server.net.supervision import may_end, supervised

log = structlog.get_logger(__name__)

#: Messages that the stream keeps (roughly); most items in a message; most items that wait for Redis.
_KEPT, _ITEMS, _WAITING = 10_000, 500, 20_000
#: Messages that are read at once, and milliseconds that a read waits for one: less than a command may take.
_AT_ONCE, _BLOCK_MS = 200, 1000
#: Pause in seconds after a read that returned something: one read then brings many messages, so that the cost of
#: reading does not grow with the number of nodes. The first message after a silence is read at once.
_READ_SECONDS = 0.5
#: Seconds before the second attempt while Redis cannot be reached, and before later ones at most.
_BACKOFF = (0.05, 2.0)
_START = "0-0"


class ChangeBus(Service):
    """Sends items by topic to all other nodes, and theirs to the listeners here; `async with` starts and stops it.

    An item is what JSON holds. `database` tells the nodes of this database from others on the same Redis.
    """

    def __init__(self, redis: Redis, database: str) -> None:
        super().__init__("change bus")
        self._redis = redis
        self._key = redis_keys.CHANGES(database=database)
        self._matches_key = redis_keys.MATCH_CHANGES(database=database)
        self._sender = secrets.token_hex(8)
        #: By stream, what waits to be sent.
        self._waiting: dict[str, deque[tuple[str, Any]]] = {}
        self._listeners: defaultdict[str, list[Callable[[Any], None]]] = defaultdict(list)
        self._missed: list[Callable[[], None]] = []
        #: By stream that is read, the newest message that was read.
        self._last: dict[str, str] = {}
        self._followers = 0
        self._reading: asyncio.Task[None] | None = None

    def listen(self, topic: str, listener: Callable[[Any], None]) -> Callable[[], None]:
        """Call `listener` with what other nodes send on a topic, until the returned function is called."""
        self._listeners[topic].append(listener)
        return lambda: self._listeners[topic].remove(listener)

    def on_missed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when something may have been missed, until the returned function is called."""
        self._missed.append(listener)
        return lambda: self._missed.remove(listener)

    def follow(self) -> Callable[[], None]:
        """Hear what happens for each match, too, until the returned function is called. The listeners of
        `on_missed` are called when that begins.
        """
        self._followers += 1
        if self._followers == 1:
            self.tell("", None)  # nobody's topic: ends our own read, which waits for news

        def unfollow() -> None:
            self._followers -= 1

        return unfollow

    def tell(self, topic: str, item: Any, *, of_match: bool = False) -> None:
        """Send an item to the other nodes; an item about a single match goes only to the nodes that follow those."""
        waiting = self._waiting.setdefault(self._matches_key if of_match else self._key, deque())
        if len(waiting) >= _WAITING:  # Redis is unreachable; all nodes look for themselves when it is back
            waiting.popleft()
        waiting.append((topic, item))
        self.wake()

    async def __aenter__(self) -> Self:
        self._last = {self._key: await self._end(self._key)}
        self._reading = supervised(self._read(), "change bus reader")
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reading is not None:
            may_end(self._reading)  # it ends as soon as this is stopping
        await super().__aexit__(kind, error, trace)
        if self._reading is not None:
            await self._reading

    # From this node.

    async def _run(self) -> None:
        while await self._goes_on(None):
            self._woken.clear()
            await self._send_all()
        self._waiting.setdefault(self._key, deque()).append(("", None))  # as in `follow`
        await self._send_all()

    async def _send_all(self) -> None:
        while self._waiting:
            for key, waiting in tuple(self._waiting.items()):
                if not await self._send(key, waiting):
                    return
                if not waiting:
                    del self._waiting[key]

    async def _send(self, key: str, waiting: deque[tuple[str, Any]]) -> bool:
        """Send what waits for a stream, at most one message; return False if Redis does not answer while this stops."""
        items = list(islice(waiting, _ITEMS))
        message: Any = {"from": self._sender, "items": json.dumps(items, separators=(",", ":"))}
        for pause in backoff(*_BACKOFF):
            try:
                await self._redis.xadd(key, message, maxlen=_KEPT, approximate=True)
            except (RedisError, OSError) as error:
                if self._stopping:
                    return False
                await self._pause("sender", pause, error)
            else:
                break
        for item in items:
            if waiting and waiting[0] is item:  # not yet dropped
                waiting.popleft()
        return True

    # To this node.

    async def _read(self) -> None:
        pauses, failed, loop, read_at = backoff(*_BACKOFF), False, asyncio.get_running_loop(), float("-inf")
        while not self._stopping:
            try:
                await self._choose_streams()
                found: Any = await self._redis.xread(dict(self._last), count=_AT_ONCE, block=_BLOCK_MS)  # type: ignore[arg-type]
                if not found:
                    await self._look_for_new_streams()
            except (RedisError, OSError) as error:
                failed = True
                await self._pause("reader", next(pauses), error)
                continue
            if failed:
                pauses, failed = backoff(*_BACKOFF), False
                self._tell_missed()
            for key, messages in found:
                for id, message in messages:
                    self._last[key.decode()] = id.decode()
                    if message[b"from"] != self._sender.encode():
                        self._hear(json.loads(message[b"items"]))
            if found:
                soon, read_at = loop.time() - read_at < _READ_SECONDS, loop.time()
                await asyncio.sleep(_READ_SECONDS if soon and not self._stopping else 0)

    async def _choose_streams(self) -> None:
        """Start or stop reading the stream of single matches."""
        if not self._followers:
            self._last.pop(self._matches_key, None)
        elif self._matches_key not in self._last:
            self._last[self._matches_key] = await self._end(self._matches_key)
            self._call_missed()

    def _hear(self, items: list[tuple[str, Any]]) -> None:
        for topic, item in items:
            for listener in tuple(self._listeners.get(topic, ())):
                listener(item)

    async def _look_for_new_streams(self) -> None:
        """Start again from the beginning if Redis has lost a stream and numbers it from the start."""
        lost = [key for key, last in self._last.items() if _number(await self._end(key)) < _number(last)]
        self._last.update(dict.fromkeys(lost, _START))
        if lost:
            self._tell_missed()

    def _tell_missed(self) -> None:
        log.info("changes_missed")
        self._call_missed()

    def _call_missed(self) -> None:
        for listener in tuple(self._missed):
            listener()

    async def _end(self, key: str) -> str:
        newest: Any = await self._redis.xrevrange(key, count=1)
        return newest[0][0].decode() if newest else _START

    async def _pause(self, part: str, seconds: float, error: Exception) -> None:
        log.warning("service_paused", service=f"change bus {part}", error=str(error))
        if is_worth_a_new_connection(error):
            await self._redis.connection_pool.disconnect(inuse_connections=False)
        await asyncio.sleep(seconds)


def _number(id: str) -> tuple[int, int]:
    milliseconds, _, number = id.partition("-")
    return int(milliseconds), int(number)
