"""Ends tables of a node whose matches another node plays or has finished.

A node that was cut off usually notices: it learns that it was taken for dead, or its journal is refused. But it learns
neither if Redis has lost everything meanwhile and the bots answer another node: then its table would wait forever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import structlog

from farfalia_server.net.service import PeriodicService
from farfalia_server.queue.match_playing import ClusterRunner
from farfalia_server.store import Store

log = structlog.get_logger(__name__)

#: Seconds between two looks; younger tables are left alone.
_SECONDS = 30.0


class TableSweep(PeriodicService):
    """The service that cancels matches which are `playing` here if the database says twice in a row that another
    node plays them, or that they are over.
    """

    def __init__(self, store: Store, runner: ClusterRunner, playing: Mapping[int, asyncio.Task[None]]) -> None:
        super().__init__("table sweep", every=_SECONDS)
        self._store = store
        self._runner = runner
        self._playing = playing
        self._seen: dict[int, asyncio.Task[None]] = {}
        self._doubted: dict[int, asyncio.Task[None]] = {}

    async def _look(self) -> None:
        old = {match: task for match, task in self._playing.items() if self._seen.get(match) is task}
        doubted: dict[int, asyncio.Task[None]] = {}
        if old:
            owners = {match.id: match.node for match in await self._store.matches.running()}
            for match, task in old.items():
                if self._playing.get(match) is not task or owners.get(match) == self._runner.node:
                    continue
                # A match that has ended here is not running either, while its task still frees the seats: that task
                # is gone before the next look, and to cancel it would leave the seats reserved.
                if self._doubted.get(match) is task:
                    log.warning("match_superseded", match=match)
                    task.cancel()
                else:
                    doubted[match] = task
        self._seen, self._doubted = dict(self._playing), doubted
