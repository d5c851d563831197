"""A server's own counters, for `/metrics`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, ProcessCollector

from farfalia_server.arena.connection_metrics import ConnectionsCollector
from farfalia_server.net.measures import Measures
from farfalia_server.net.metrics import MeasuresCollector
from farfalia_server.play.connection import BotConnection


def server_metrics(
    measures: Measures, connections: Callable[[], Iterable[BotConnection]], tables: int
) -> CollectorRegistry:
    """Return the metrics of this process, which plays at most this many matches at once."""
    registry = CollectorRegistry()
    registry.register(MeasuresCollector(measures))
    registry.register(ConnectionsCollector(connections, tables))
    ProcessCollector(registry=registry)
    return registry
