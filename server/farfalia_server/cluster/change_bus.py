"""How nodes notify each other of changes: through a Redis stream that every node keeps reading.

Changes of single matches go to a second stream, which only nodes that `follow` it read: nodes with a role, or with
somebody who watches. So what every node reads does not grow with the matches of the whole cluster.

Other nodes receive each item at least once, in order; the sender does not receive its own. After an outage or a long
sleep some may have been missed; then the listeners of `on_missed` are called, and look for themselves.
"""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from redis.asyncio import Redis

from farfalia_server.cluster.streams import Streams
from farfalia_server.net import redis_keys


class ChangeBus(Streams):
    """Sends items by topic to all other nodes, and theirs to the listeners here; `async with` starts and stops it.

    An item is what JSON holds. `database` tells the nodes of this database from others on the same Redis.
    """

    #: One read then brings many messages, so that the cost of reading does not grow with the number of nodes.
    rest = 0.5
    reads_again = True

    def __init__(self, redis: Redis, database: str) -> None:
        super().__init__("change bus", redis, secrets.token_hex(8), redis_keys.CHANGES(database=database))
        self._matches_key = redis_keys.MATCH_CHANGES(database=database)
        self._listeners: defaultdict[str, list[Callable[[Any], None]]] = defaultdict(list)
        self._missed: list[Callable[[], None]] = []
        self._followers = 0
        self.subscribe(self._own, self._hear, self._tell_missed)

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
            self.subscribe(self._matches_key, self._hear, self._tell_missed)

        def unfollow() -> None:
            self._followers -= 1
            if not self._followers:
                self.unsubscribe(self._matches_key)

        return unfollow

    def tell(self, topic: str, item: Any, *, of_match: bool = False) -> None:
        """Send an item to the other nodes; an item about a single match goes only to the nodes that follow those."""
        part = json.dumps((topic, item), separators=(",", ":")).encode()
        self.publish(self._matches_key if of_match else self._own, part)

    def _entry(self, parts: Iterable[bytes]) -> bytes:
        return b"[" + b",".join(parts) + b"]"

    def _hear(self, message: Mapping[bytes, bytes]) -> None:
        if message[b"from"] == self._sender.encode():
            return
        for topic, item in json.loads(message[b"items"]):
            for listener in tuple(self._listeners.get(topic, ())):
                listener(item)

    def _tell_missed(self) -> None:
        for listener in tuple(self._missed):
            listener()
