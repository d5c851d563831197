"""Opening the database of a server: its tables change only while no server of an older version lives."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import structlog

from farfalia_server import __version__
from farfalia_server.cluster.lease import Holder, ServerLease
from farfalia_server.cluster.node_entries import listed, live_nodes
from farfalia_server.contract.errors import AnotherServer, StoreError
from farfalia_server.net.redis_connection import connect
from farfalia_server.settings import Settings
from farfalia_server.store.lease import StoreLeasePlace
from farfalia_server.store.programs.object_store import ObjectStore
from farfalia_server.store.sql.migrate import newest_schema
from farfalia_server.store.store import Store

log = structlog.get_logger(__name__)


async def open_store(settings: Settings) -> Store:
    """Open the database of a server with these settings, and bring it to the newest schema.

    Raises AnotherServer if it would have to change and a server that works with the older schema lives.
    """
    return await Store.open(
        settings.effective_database_url,
        archives=settings.effective_program_archives,
        upgrading=partial(_alone, settings),
    )


async def check_archives(settings: Settings) -> None:
    """Raise SettingsError if archives cannot be written where the settings say.

    A folder in the data directory is as good as the database beside it.
    """
    if settings.program_archives:
        await ObjectStore(settings.program_archives).check()


async def look_for_archives(store: Store) -> None:
    """Warn if archives that were written before are not where the settings say: hosts cannot fetch them."""
    if lost := await store.archives.lost():
        log.warning("program_archives_missing", error=lost)


async def check_schema(store: Store) -> None:
    """Raise StoreError if the database has been upgraded since it was opened.

    For a server that others can see by now: from here on no other one upgrades it.
    """
    found, expected = await store.schema(), newest_schema()
    if found != expected:
        raise StoreError(
            f"the database at {store.address} was upgraded to schema {found} while this server of version "
            f"{__version__}, which has schema {expected}, started; start that version"
        )


@asynccontextmanager
async def _alone(settings: Settings, store: Store, found: str) -> AsyncIterator[None]:
    """Be the only server of this database within the block; AnotherServer if there is one already."""
    if settings.is_node:
        async with connect(settings.redis_url) as redis:
            nodes = await live_nodes(redis, await store.meta.database())
        if nodes:
            raise _refusal(store, found, f"{listed(nodes)} {'plays' if len(nodes) == 1 else 'play'}")
    place = StoreLeasePlace(store)
    lease = ServerLease(place, Holder.own(settings.effective_node))
    try:
        await lease.__aenter__()
    except AnotherServer:
        holder = Holder.parse(await place.read())
        who = f"node {holder.node}, process {holder.pid} on {holder.host}," if holder is not None else "a server"
        raise _refusal(store, found, f"{who} plays") from None
    try:
        yield
    finally:
        await lease.__aexit__(None, None, None)


def _refusal(store: Store, found: str, who: str) -> AnotherServer:
    return AnotherServer(
        f"the database at {store.address} has schema {found} and must be upgraded to {newest_schema()} for version "
        f"{__version__}, but {who} with it; stop all nodes, then start this version"
    )
