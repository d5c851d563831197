"""A node's measures in the form that Prometheus reads."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from farfalia_server.measures import Measures, percentile

#: Quantiles of the server's own overhead that are shown.
QUANTILES = (0.5, 0.99)


class MeasuresCollector(Collector):
    """Reads the measures whenever somebody asks."""

    def __init__(self, measures: Measures) -> None:
        self._measures = measures

    def collect(self) -> Iterator[Metric]:
        """One family for each counter, and the overhead by stage and quantile."""
        measures = self._measures
        counters = {
            "decisions": ("Actions taken at tables, forced ones included", measures.decisions),
            "questions": ("Questions sent to bots", measures.asked),
            "question_frames": ("Frames with questions", measures.frames),
            "matches_finished": ("Matches finished", measures.finished),
            "strikes": ("Strikes given", measures.strikes),
        }
        for name, (text, value) in counters.items():
            yield CounterMetricFamily(f"farfalia_{name}", text, value=value)
        text = "Seconds from an answer's arrival until the next question of its match could be, or was, sent"
        overhead = GaugeMetricFamily("farfalia_overhead_seconds", text, labels=["stage", "quantile"])
        for stage, times in (("ready", measures.ready), ("handed", measures.handed)):
            for quantile in QUANTILES:
                overhead.add_metric([stage, str(quantile)], percentile(times, quantile))
        yield overhead
