"""Who is the seater: the node that has lived longest, under a token that is higher than that of any before it."""

from __future__ import annotations

from typing import Any

import structlog
from redis.asyncio import Redis

from farfalia_server.net.nodes import NodeRegistry

log = structlog.get_logger(__name__)


class SeaterRole:
    """The role of the seater, which one node has at a time.

    For a moment two may believe that they have it; whatever is done under the older token is refused.
    """

    def __init__(self, redis: Redis, database: str, registry: NodeRegistry) -> None:
        self._redis = redis
        self._key = f"farfalia:{database}:seats:token"
        self._registry = registry
        self._token: int | None = None

    async def token(self) -> int | None:
        """Return the fencing token if this node has the role; None if it has not. RedisError or OSError."""
        own, live = self._registry.own, self._registry.live()
        oldest = min(live.values(), key=lambda node: (node.since, node.instance), default=None)
        if not self._registry.holds or oldest is None or oldest.instance != own.instance:
            self._token = None
        elif self._token is None:
            token: Any = await self._redis.incr(self._key)
            self._token = int(token)
            log.info("seater_began", token=self._token)
        return self._token
