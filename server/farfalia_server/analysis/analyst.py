"""Has matches analysed, one after another, in a process of their own and within a budget."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from farfalia.v1 import analysis_pb2
from farfalia_server.analysis.match_pricing import give_way, price_match
from farfalia_server.contract.errors import FailedPrecondition, FarfaliaServerError, NotFound, RecordError
from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.store import Change, Store, Topic
from farfalia_server.store.change_service import ChangeService

log = structlog.get_logger(__name__)

#: Seconds between two looks for matches that have ended; what somebody asks for begins at once.
_EVERY: Final = 30.0
_PAUSE: Final = 5.0
#: Share of a day's time for matches that nobody has asked for: the rest is there when somebody asks.
_UNASKED: Final = 0.5


class Analyst(ChangeService):
    """The service that analyses matches, for as many minutes of CPU a day, UTC. `async with` starts and stops it.

    Matches that somebody has asked for come first, the oldest request before all; then the newest rated ones. A match
    that has begun is finished, and one that was under way when a server ended begins again. The process lives as long
    as there is something to do.
    """

    topics = (Topic.ANALYSIS,)
    cancelled_to_stop = True
    unavailable = (FarfaliaServerError,)

    def __init__(self, store: Store, minutes: int) -> None:
        super().__init__(store.changes, "analyst", every=_EVERY, pause=_PAUSE)
        self._store = store
        self._seconds = 60.0 * minutes

    async def work_off(self) -> None:
        """Analyse all that there is time for today."""
        async with WorkerProcess() as worker:
            while (match_id := await self._next()) is not None:
                await self._analyse(match_id, worker)

    def _changed(self, change: Change) -> None:
        del change
        self.wake()

    async def _tick(self) -> None:
        await self.work_off()

    async def _next(self) -> int | None:
        spent = await self._store.analyses.spent_today()
        if spent.together >= self._seconds:
            return None
        return await self._store.analyses.next(unasked=spent.unasked < _UNASKED * self._seconds)

    async def _analyse(self, match_id: int, worker: WorkerProcess) -> None:
        if not await self._store.analyses.begin(match_id):
            log.error("analysis_failed", match=match_id, error="it ended its process each time")
            return
        try:
            record = await self._store.records.get(match_id)
        except (NotFound, FailedPrecondition, RecordError) as error:
            await self._fail(match_id, 0.0, str(error))
            return
        await worker.run(give_way)
        found = await worker.run(price_match, record.SerializeToString())
        if found.problem:
            await self._fail(match_id, found.cpu, found.problem)
            return
        analysis = await asyncio.to_thread(analysis_pb2.Analysis.FromString, found.analysis)
        if await self._store.prices.keep(match_id, analysis.decisions, found.cpu):
            log.info(
                "match_analysed",
                match=match_id,
                decisions=len(analysis.decisions),
                mistakes=sum(one.mistake for one in analysis.decisions),
                cpu_seconds=round(found.cpu, 1),
            )

    async def _fail(self, match_id: int, cpu: float, problem: str) -> None:
        await self._store.analyses.fail(match_id, cpu)
        log.warning("analysis_failed", match=match_id, error=problem)
