"""What a server counts of itself, for `/metrics`."""

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
    """Return what /metrics shows of this process, which plays this many matches at most."""
    registry = CollectorRegistry()
    registry.register(MeasuresCollector(measures))
    registry.register(ConnectionsCollector(connections, tables))
    ProcessCollector(registry=registry)
    return registry
