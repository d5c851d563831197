"""Ends tables of a node whose matches another node plays or has finished.

A node that was cut off usually notices: it learns that it was taken for dead, or its journal is refused. But it learns
neither if Redis has lost everything meanwhile and the bots answer another node: then its table would wait forever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import structlog

from farfalia_server.net.service import PeriodicService
from farfalia_server.queue.match_playing import Runner
from farfalia_server.store import Store

log = structlog.get_logger(__name__)

#: Seconds between two looks; younger tables are left alone.
_SECONDS = 30.0


class TableSweep(PeriodicService):
    """The service that cancels matches which are `playing` here if the database says twice in a row that another
    node plays them, or that they are over; at once if another node's claim is later than the epoch in `epochs`, from
    which this node has claimed the match or is about to.
    """

    def __init__(
        self,
        store: Store,
        runner: Runner,
        playing: Mapping[int, asyncio.Task[None]],
        epochs: Mapping[int, int],
    ) -> None:
        super().__init__("table sweep", every=_SECONDS)
        self._store = store
        self._runner = runner
        self._playing = playing
        self._epochs = epochs
        self._soon = False
        self._seen: dict[int, asyncio.Task[None]] = {}
        self._doubted: dict[int, asyncio.Task[None]] = {}

    def look_soon(self) -> None:
        """Look now for later claims; what only two looks can say still takes two at their interval."""
        self._soon = True
        self.wake()

    async def _tick(self) -> None:
        soon, self._soon = self._soon, False
        old = {match: task for match, task in self._playing.items() if self._seen.get(match) is task}
        doubted: dict[int, asyncio.Task[None]] = {}
        running = await self._store.matches.running()
        for claimed in running:
            # Claims only go forward: this node's, if it is still under way, will be refused.
            match, epoch = claimed.id, self._epochs.get(claimed.id)
            if epoch is not None and claimed.epoch > epoch and claimed.node != self._runner.node:
                self._end(match, self._playing[match])
                old.pop(match, None)
        if soon:
            return
        owners = {match.id: match.node for match in running}
        for match, task in old.items():
            if self._playing.get(match) is not task or owners.get(match) == self._runner.node:
                continue
            # A match that has ended here is not running either, while its task still frees the seats: that task is
            # gone before the next look, and to cancel it would leave the seats reserved.
            if self._doubted.get(match) is task:
                self._end(match, task)
            else:
                doubted[match] = task
        self._seen, self._doubted = dict(self._playing), doubted

    def _end(self, match: int, task: asyncio.Task[None]) -> None:
        log.warning("match_superseded", match=match)
        task.cancel()
