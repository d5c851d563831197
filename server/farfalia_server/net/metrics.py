"""A node's measures in the form that Prometheus reads."""

from __future__ import annotations

from collections.abc import Iterator
from time import thread_time

from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from farfalia_server.net.measures import Measures, percentile

#: Quantiles of the server's own overhead that are shown.
QUANTILES = (0.5, 0.99)
#: Quantiles of how late the event loop is: the worst, too.
_LATE_QUANTILES = (0.5, 0.99, 1.0)


class MeasuresCollector(Collector):
    """A Prometheus collector that reads the measures whenever somebody asks."""

    def __init__(self, measures: Measures) -> None:
        self._measures = measures

    def collect(self) -> Iterator[Metric]:
        """Yield one family for each counter, and the overhead by stage and quantile; in the event loop's thread."""
        measures = self._measures
        counters = {
            "decisions": ("Actions taken at tables, forced ones included", measures.decisions),
            "questions": ("Questions sent to bots", measures.questions),
            "question_batches": ("Messages with questions", measures.batches),
            "matches_finished": ("Matches finished", measures.finished),
            "strikes": ("Strikes given", measures.strikes),
            "loop_stalled_seconds": ("Seconds in which the event loop was late; clocks stood still", measures.stalled),
            "loop_cpu_seconds": ("CPU seconds of the event loop, which can use one core", thread_time()),
        }
        for name, (text, value) in counters.items():
            yield CounterMetricFamily(f"farfalia_{name}", text, value=value)
        text = "Seconds from an answer's arrival until the next question of its match could be, or was, sent"
        overhead = GaugeMetricFamily("farfalia_overhead_seconds", text, labels=["stage", "quantile"])
        for stage, times in (("ready", measures.ready), ("handed", measures.handed)):
            for quantile in QUANTILES:
                overhead.add_metric([stage, str(quantile)], percentile(times, quantile))
        yield overhead
        families = {
            "loop_lateness": ("Seconds by which the event loop was late, in the last minute", measures.lateness),
            "journal": ("Seconds that writing to the journal takes: Redis, and the way there", measures.journal),
            "database": (
                "Seconds that a transaction takes, with the way there and its turn",
                measures.database,
            ),
            "answer_age": (
                "Seconds from a bot's message reaching the event loop until it is read",
                measures.answer_age,
            ),
        }
        for name, (text, times) in families.items():
            family = GaugeMetricFamily(f"farfalia_{name}_seconds", text, labels=["quantile"])
            for quantile in _LATE_QUANTILES:
                family.add_metric([str(quantile)], percentile(times, quantile))
            yield family
