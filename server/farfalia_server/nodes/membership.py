"""The cluster as one of its nodes sees it: who else lives, and what has happened elsewhere.

After how many seconds without a heartbeat a node is dead is in `cluster.node_entries`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

import structlog
from redis.asyncio import Redis

from farfalia_server.cluster.change_bus import ChangeBus
from farfalia_server.cluster.leadership import Leadership
from farfalia_server.cluster.node import Node, NodeFigures, NodeNews
from farfalia_server.cluster.registry import NodeRegistry
from farfalia_server.store import Change, Store, Topic

log = structlog.get_logger(__name__)

#: Topics of what nodes tell each other: commits, and that a node has come or is gone.
_CHANGE, _NODE = "change", "node"
#: What happens for each match: only roles need it, and those who watch a tournament.
_OF_MATCH = frozenset({Topic.MATCH, Topic.RATING, Topic.BASELINE})


class Cluster:
    """The nodes with the same database and Redis; `async with` makes this process one of them, and ends that.

    Raises AnotherServer if a node of this name lives, or one of another cluster protocol or schema.
    """

    def __init__(
        self,
        redis: Redis,
        database: str,
        name: str,
        store: Store,
        *,
        version: str,
        schema: str,
        figures: Callable[[], NodeFigures],
    ) -> None:
        self._changes = store.changes
        self._stack = AsyncExitStack()
        #: Who lives.
        self.registry = NodeRegistry(redis, database, name, version=version, schema=schema, figures=figures)
        #: What nodes tell each other.
        self.bus = ChangeBus(redis, database)
        #: What runs on one of the nodes: name what runs here, then enter it.
        self.leadership = Leadership(redis, database, self.registry, store.fencing, follow=self.bus.follow)

    async def __aenter__(self) -> Self:
        stack = self._stack
        try:
            await stack.enter_async_context(self.bus)
            stack.callback(self._tell_of_itself)
            self.registry.listen(self._tell_of_new_instance)
            await stack.enter_async_context(self.registry)
            stack.callback(self._changes.on_own(self._committed))
            stack.callback(self.bus.listen(_CHANGE, self._heard))
            stack.callback(self.bus.listen(_NODE, lambda _: self.registry.wake()))
        except BaseException:
            await stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    def on_missed(self, listener: Callable[[], None]) -> None:
        """Call `listener` when changes on other nodes may have been missed."""
        self.bus.on_missed(listener)
        self.registry.listen(lambda news, _: listener() if news in (NodeNews.LOST, NodeNews.FORGOTTEN) else None)

    def _committed(self, change: Change) -> None:
        self.bus.tell(_CHANGE, change.item, of_match=change.topic in _OF_MATCH)

    def _heard(self, item: Any) -> None:
        try:
            change = Change.from_item(item)
        except (ValueError, TypeError):  # of a node with a newer version
            log.warning("change_unknown", item=str(item)[:80])
        else:
            self._changes.hear(change)

    def _tell_of_new_instance(self, news: NodeNews, node: Node) -> None:
        if news is NodeNews.CAME and node.instance == self.registry.own.instance:
            self._tell_of_itself()

    def _tell_of_itself(self) -> None:
        """Let the other nodes look who is there: this one has come, or is about to be gone."""
        self.bus.tell(_NODE, self.registry.own.name)
