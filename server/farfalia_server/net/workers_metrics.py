"""The metrics of all workers of a server as one text: any worker that is asked answers for all.

The multiprocess mode of prometheus_client would need every value in one of its own objects, in a file per process. Ours
are plain numbers that are read on request, so each worker is asked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from prometheus_client import generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector, CollectorRegistry

#: Label that says whose figure it is.
_LABEL: Final = "worker"


@dataclass(frozen=True, slots=True)
class NodeMetrics:
    """What one process says, in the form that Prometheus reads."""

    #: Of itself.
    own: str = ""
    #: Of the whole arena, which every process would say.
    arena: str = ""


async def _not_up(arena: bool) -> NodeMetrics:
    return NodeMetrics()


class WorkersMetrics:
    """The metrics of all workers for `/metrics`; `ask` returns those of each, by name."""

    def __init__(self, ask: Callable[[], Awaitable[Mapping[str, NodeMetrics]]]) -> None:
        self._ask = ask
        #: Returns what this worker says, of the arena only if it is asked for; the page sets it.
        self.own: Callable[[bool], Awaitable[NodeMetrics]] = _not_up

    async def all(self) -> str:
        """Return the figures of all workers that answer, each with its name, and those of the arena."""
        found = await self._ask()
        own = merged({name: metrics.own for name, metrics in found.items()})
        return own + next((metrics.arena for metrics in found.values() if metrics.arena), "")


class _Families(Collector):
    """Families that are there already."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = tuple(families)

    def collect(self) -> Iterator[Metric]:
        """Yield them."""
        yield from self._families


def merged(texts: Mapping[str, str]) -> str:
    """Return several texts of metrics as one, in which each sample has the name of its text."""
    families: dict[str, Metric] = {}
    for name, text in texts.items():
        for family in text_string_to_metric_families(text):
            samples = [sample._replace(labels={**sample.labels, _LABEL: name}) for sample in family.samples]
            families.setdefault(family.name, Metric(family.name, family.documentation, family.type)).samples += samples
    registry = CollectorRegistry()
    registry.register(_Families(families.values()))
    return generate_latest(registry).decode()
