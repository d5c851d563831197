"""Messages between the nodes of a cluster: one stream per node, its mailbox, beside those for all nodes.

Entries may be lost: a sender repeats what matters until it is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Self

from redis.asyncio import Redis

from farfalia_server.cluster.streams import Streams
from farfalia_server.net import redis_keys


class Mailbox(Streams):
    """The mailbox of the node `own`; `async with` begins with an empty one. `receive` is called with the name of a node
    and what it has sent.
    """

    kept_ms = 600_000

    def __init__(self, redis: Redis, database: str, own: str, receive: Callable[[str, bytes], None]) -> None:
        self._database = database
        super().__init__("mailbox", redis, own, self._mailbox(own))
        self._receive = receive
        self.subscribe(self._own, self._on_entry, lambda: None)

    def send(self, node: str, data: bytes) -> None:
        """Send this to a node, together with whatever else waits for it."""
        self.publish(self._mailbox(node), data)

    async def __aenter__(self) -> Self:
        await self._redis.delete(self._own)
        return await super().__aenter__()

    def _on_entry(self, fields: Mapping[bytes, bytes]) -> None:
        if fields[b"items"]:
            self._receive(fields[b"from"].decode(), fields[b"items"])

    def _mailbox(self, node: str) -> str:
        return redis_keys.MAILBOX(database=self._database, node=node)
