"""What workers count, told over their controls: one is asked for `/metrics`, and its starter asks all of them."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from farfalia_server.net.workers_metrics import NodeMetrics, WorkersMetrics
from farfalia_server.workers.control import Control, WorkerCommand, WorkerReport

#: Seconds that a worker has to say what it counts; one that does not answer is left out.
_SECONDS = 5.0


class MetricsOfWorker:
    """The worker's end: it says what it counts when it is asked, and asks for what all count."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._asking: list[asyncio.Future[Mapping[str, NodeMetrics]]] = []
        self._saying = set[asyncio.Task[None]]()
        #: What the page of metrics shows.
        self.page = WorkersMetrics(self._ask)

    async def _ask(self) -> Mapping[str, NodeMetrics]:
        if not self._asking:
            self._control.send(WorkerReport.ASKS)
        answer: asyncio.Future[Mapping[str, NodeMetrics]] = asyncio.get_running_loop().create_future()
        self._asking.append(answer)
        return await answer

    def told(self, line: Mapping[str, Any]) -> None:
        """Do what a line of the control says about metrics."""
        if line["what"] == WorkerCommand.MEASURE:
            self._saying.add(saying := asyncio.create_task(self._say(line["number"], arena=line["arena"])))
            saying.add_done_callback(self._saying.discard)
            return
        found = {name: NodeMetrics(**metrics) for name, metrics in line["metrics"].items()}
        asking, self._asking = self._asking, []
        for answer in asking:
            if not answer.done():
                answer.set_result(found)

    async def _say(self, number: int, *, arena: bool) -> None:
        self._control.send(WorkerReport.MEASURED, number=number, metrics=asdict(await self.page.own(arena)))


class MetricsFromWorker:
    """The starter's end of one worker."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._asked: dict[int, asyncio.Future[NodeMetrics]] = {}

    async def ask(self, control: Control, *, arena: bool) -> NodeMetrics:
        """Return what the worker counts, empty if it does not say; what it knows of the arena if that is wanted."""
        number = next(self._numbers)
        answer: asyncio.Future[NodeMetrics] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        control.send(WorkerCommand.MEASURE, number=number, arena=arena)
        try:
            async with asyncio.timeout(_SECONDS):
                return await answer
        except TimeoutError:
            return NodeMetrics()
        finally:
            del self._asked[number]

    def said(self, line: Mapping[str, Any]) -> None:
        """Take what the worker has said."""
        answer = self._asked.get(line["number"])
        if answer is not None and not answer.done():
            answer.set_result(NodeMetrics(**line["metrics"]))
