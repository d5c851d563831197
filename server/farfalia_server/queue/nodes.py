"""Which nodes are alive: each keeps a key in Redis that ends soon after the node does."""

import asyncio
import secrets
from collections.abc import Iterable

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError as AnyRedisError

from farfalia_server.supervision import supervised

log = structlog.get_logger(__name__)

#: A node is dead this long after the last sign of life.
_LEASE_SECONDS = 6.0
_RENEWAL_SECONDS = 2.0


class NodeLease:
    """The sign of life of this node, and a look at those of others; `async with` starts and ends it."""

    def __init__(self, redis: Redis, node: str) -> None:
        self._redis = redis
        self._node = node
        self._mark = secrets.token_bytes(8)
        self._stopping = asyncio.Event()
        self._renewing: asyncio.Task[None] | None = None
        self._missed_since: dict[str, float] = {}

    async def __aenter__(self) -> "NodeLease":
        # A node that was here before under this name is dead, or it will find out now that it has been replaced.
        await self._redis.set(_key(self._node), self._mark, px=int(_LEASE_SECONDS * 1000))
        self._renewing = supervised(self._renew(), "node lease")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stopping.set()
        if self._renewing is not None:
            await self._renewing

    async def dead(self, nodes: Iterable[str]) -> set[str]:
        """Those of the nodes that have given no sign of life for so long that nobody need wait for them.

        A node has to be missed for a while by us, too: a Redis that has lost everything knows of nobody.
        """
        names = sorted(set(nodes) - {self._node})
        if not names:
            return set()
        signs = await self._redis.mget([_key(name) for name in names])
        now = asyncio.get_running_loop().time()
        missing = {name for name, sign in zip(names, signs, strict=True) if sign is None}
        self._missed_since = {name: self._missed_since.get(name, now) for name in missing}
        return {name for name, since in self._missed_since.items() if now - since >= _LEASE_SECONDS}

    async def _renew(self) -> None:
        while not await self._stops_within(_RENEWAL_SECONDS):
            try:
                before = await self._redis.set(_key(self._node), self._mark, px=int(_LEASE_SECONDS * 1000), get=True)
            except (AnyRedisError, OSError) as error:
                log.warning("the sign of life of this node could not be given", node=self._node, error=str(error))
                continue
            if before not in (None, self._mark):
                log.error("another node has the same name; give every node its own", node=self._node)
        try:
            await self._redis.delete(_key(self._node))
        except (AnyRedisError, OSError):
            log.info("the sign of life of this node ends by itself", node=self._node, seconds=_LEASE_SECONDS)

    async def _stops_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return False
        return True


def _key(node: str) -> str:
    return f"farfalia:node:{node}"
