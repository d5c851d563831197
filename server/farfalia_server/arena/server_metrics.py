"""A server's own counters, and who is slow of the bots that are connected to it, for `/metrics`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import nlargest

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from farfalia_server.net.measures import Measures, percentile
from farfalia_server.net.metrics import MeasuresCollector
from farfalia_server.play.connection import BotConnection

_QUANTILES = (0.5, 0.99, 1.0)
#: Most bots that the metrics name.
_SLOWEST = 5


def server_metrics(
    measures: Measures, connections: Callable[[], Iterable[BotConnection]], tables: int
) -> CollectorRegistry:
    """Return the metrics of this process, which plays at most this many matches at a time."""
    registry = CollectorRegistry()
    registry.register(MeasuresCollector(measures))
    registry.register(ConnectionsCollector(connections, tables))
    ProcessCollector(registry=registry)
    return registry


class ConnectionsCollector(Collector):
    """A Prometheus collector that reads the connections on each scrape; `tables` is the node's limit."""

    def __init__(self, connections: Callable[[], Iterable[BotConnection]], tables: int) -> None:
        self._connections = connections
        self._tables = tables

    def collect(self) -> Iterator[Metric]:
        """Yield the times of bots and of the network, and the names of the slowest bots."""
        round_trips: list[tuple[float, str]] = []
        decisions: list[tuple[float, str]] = []
        for connection in self._connections():
            if connection.stream is not None:
                round_trips.append((connection.stream.round_trip, connection.name))
                if connection.pace:
                    decisions.append((connection.pace, connection.name))
        text = "Seconds from a ping to its pong, over the bots that are connected"
        yield _quantiles("round_trip", text, [seconds for seconds, _ in round_trips])
        yield _slowest("slowest_round_trips", "Seconds from a ping to its pong, of the {} farthest bots", round_trips)
        text = "Seconds that a decision takes a bot, without the network, over the bots that are connected"
        yield _quantiles("bot_decision", text, [seconds for seconds, _ in decisions])
        yield _slowest("slowest_bots", "Seconds that a decision takes the {} slowest bots", decisions)
        yield GaugeMetricFamily("farfalia_tables_limit", "Matches that this node plays at most", value=self._tables)


def _slowest(name: str, text: str, values: list[tuple[float, str]]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"farfalia_{name}_seconds", text.format(_SLOWEST), labels=["bot"])
    for seconds, bot in nlargest(_SLOWEST, values):
        family.add_metric([bot], seconds)
    return family


def _quantiles(name: str, text: str, values: list[float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"farfalia_{name}_seconds", text, labels=["quantile"])
    for quantile in _QUANTILES:
        family.add_metric([str(quantile)], percentile(values, quantile))
    return family
