"""What `/metrics` says: what this process counts, how its parts are, and what the database has of the whole arena."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from time import monotonic

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from farfalia.v1 import nodes_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import StoreError
from farfalia_server.net.workers_metrics import NodeMetrics, WorkersMetrics

#: Seconds that the database may take; after that its metrics are left out.
_SECONDS = 3.0
#: Most bots that are named because matches wait for them.
_MOST_AWAITED = 20
#: Why queued matches do not begin: a bot is not connected, all tables are taken, or bots have no seat free.
_REASONS = ("bots", "tables", "seats")


class ArenaMetrics:
    """The metrics of this server, and of its other workers if it is one of several.

    `registry` has the counters of its parts, `health` returns what is wrong with them.
    """

    def __init__(
        self,
        reader: Reader,
        registry: CollectorRegistry,
        health: Callable[[], Mapping[str, str]],
        workers: WorkersMetrics | None = None,
    ) -> None:
        self._reader = reader
        self._registry = registry
        self._wrong = health
        self._workers = workers
        if workers is not None:
            workers.own = self._own
        self._looking: asyncio.Task[bytes] | None = None
        #: Since when each bot has been seen to be awaited, as `monotonic` counts.
        self._awaited: dict[str, float] = {}
        #: Why queued matches wait, and since when.
        self._reason: str | None = None
        self._reason_since = 0.0

    async def text(self) -> str:
        """Return all of them in the form that Prometheus reads."""
        if self._workers is not None:
            return await self._workers.all()
        said = await self._own(True)
        return said.own + said.arena

    async def _own(self, arena: bool) -> NodeMetrics:
        parts = CollectorRegistry()
        well = Gauge("farfalia_well", "Whether a part of the server works", ["part"], registry=parts)
        for name, text in self._wrong().items():
            well.labels(name).set(not text)
        own = generate_latest(self._registry) + generate_latest(parts)
        return NodeMetrics(own.decode(), (await self._arena()).decode() if arena else "")

    async def _arena(self) -> bytes:
        # While the database does not answer, operators still need the rest.
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._stored())
        await asyncio.wait((self._looking,), timeout=_SECONDS)
        return self._looking.result() if self._looking.done() else b""

    async def _stored(self) -> bytes:
        """Return the metrics from the database; none if it does not answer."""
        try:
            queue, nodes = await self._reader.queue(), await self._reader.nodes()
        except StoreError:
            return b""
        seen = CollectorRegistry()
        matches = Gauge("farfalia_matches", "Matches that are not over, on all nodes", ["state"], registry=seen)
        matches.labels("queued").set(queue.queued)
        matches.labels("running").set(queue.running)
        self._add_awaited(queue.awaited, seen)
        self._add_reason(queue, sum(node.room for node in nodes.nodes), seen)
        self._add_nodes(nodes, seen)
        return generate_latest(seen)

    def _add_awaited(self, names: Iterable[str], seen: CollectorRegistry) -> None:
        now = monotonic()
        self._awaited = {name: self._awaited.get(name, now) for name in names}
        count = Gauge("farfalia_bots_awaited", "Bots that matches wait for", registry=seen)
        count.set(len(self._awaited))
        text = "Seconds for which matches have been seen to wait for a bot"
        waits = Gauge("farfalia_bot_awaited_seconds", text, ["bot"], registry=seen)
        longest = sorted(self._awaited.items(), key=lambda item: item[1])
        for name, since in longest[:_MOST_AWAITED]:
            waits.labels(name).set(now - since)

    def _add_reason(self, queue: nodes_pb2.GetQueueResponse, room: int, seen: CollectorRegistry) -> None:
        now, reason = monotonic(), None
        if queue.queued:
            reason = "bots" if queue.awaited or queue.unplayable else "tables" if queue.running >= room else "seats"
        if reason != self._reason:
            self._reason, self._reason_since = reason, now
        text = "Seconds for which matches have been seen to be queued, and nobody could begin them for this reason"
        waits = Gauge("farfalia_waiting_seconds", text, ["reason"], registry=seen)
        for each in _REASONS:
            waits.labels(each).set(now - self._reason_since if each == reason else 0)

    def _add_nodes(self, nodes: nodes_pb2.ListNodesResponse, seen: CollectorRegistry) -> None:
        bots = Gauge("farfalia_bots_connected", "Bots connected, by node", ["node"], registry=seen)
        played = Gauge("farfalia_tables", "Matches that are played, by node", ["node"], registry=seen)
        for node in nodes.nodes:
            bots.labels(node.name).set(node.bots)
            played.labels(node.name).set(node.matches)
        count = Gauge("farfalia_nodes", "Nodes that live", registry=seen)
        count.set(len(nodes.nodes))
