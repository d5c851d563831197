"""Where a server keeps what it knows: its database and its Redis, and its right to be there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass

from redis.asyncio import Redis

from farfalia_server import __version__
from farfalia_server.arena.node_status import ThisNode
from farfalia_server.cluster.copied_database import refuse_copied_database
from farfalia_server.cluster.lease import Holder, RedisLeasePlace, ServerLease, alone
from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.net.redis_connection import connect
from farfalia_server.net.trace_sending import sending
from farfalia_server.nodes.membership import Cluster
from farfalia_server.settings import Settings
from farfalia_server.store import Store
from farfalia_server.store.lease import StoreLeasePlace
from farfalia_server.store.opening import check_archives, check_schema, look_for_archives, open_store
from farfalia_server.store.sql.migrate import newest_schema


@dataclass(frozen=True, slots=True)
class Places:
    """The database and the Redis of a server that may be there; `database` is the name that the database has."""

    store: Store
    database: str
    redis: Redis
    redis_url: str
    store_lease: ServerLease
    redis_lease: ServerLease
    #: The nodes that share both places, if it is one of them.
    cluster: Cluster | None

    @property
    def problems(self) -> Mapping[str, Callable[[], str]]:
        """For each place what says why it cannot be written to, a sentence; empty if it can."""
        return {"database": lambda: self.store_lease.problem, "redis": self._redis_problem}

    def _redis_problem(self) -> str:
        return self.redis_lease.problem or ("" if self.cluster is None else self.cluster.registry.problem)


async def open_places(settings: Settings, node: ThisNode, stack: AsyncExitStack) -> Places:
    """Open the places that the settings name, as this node; `stack` closes them.

    Raises AnotherServer, and has changed nothing that another server relies on, if this one may not be there.
    """
    enter, name = stack.enter_async_context, settings.effective_node
    await check_archives(settings)
    store = await enter(await open_store(settings))
    redis_url = settings.redis_url or (await enter(EmbeddedRedis(settings.redis_dir))).url
    redis = await enter(connect(redis_url))
    database = await store.meta.database()
    await enter(sending(name, __version__, database))
    place = StoreLeasePlace(store, database)
    cluster, holder = None, Holder.own(name)
    shares: Callable[[Holder], Awaitable[bool]] = alone
    if settings.is_node:
        versions = {"version": __version__, "schema": newest_schema()}
        cluster = await enter(Cluster(redis, database, name, store, **versions, figures=node.figures))
        holder, shares = cluster.registry.holder, cluster.registry.is_known
        await refuse_copied_database(place, cluster.registry.others)
    store_lease = node.lease = await enter(ServerLease(place, holder, shares))
    redis_lease = await enter(ServerLease(RedisLeasePlace(redis, redis_url), holder, shares))
    await check_schema(store)
    await look_for_archives(store)
    # Not before it is certain that this server may be here.
    if settings.admin_token:
        await store.meta.set_admin_token(settings.admin_token)
    return Places(store, database, redis, redis_url, store_lease, redis_lease, cluster)
