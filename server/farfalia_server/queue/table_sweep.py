"""Ends tables of a node of a cluster whose matches others play, or have played to the end.

A node that was cut off notices as a rule: it is told that it was taken for dead, or its journal is refused. It is told
neither if Redis has lost everything meanwhile, and the bots answer another node: then its table would wait without end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import structlog

from farfalia_server.net.service import PeriodicService
from farfalia_server.queue.match_playing import ClusterRunner
from farfalia_server.store import Store

log = structlog.get_logger(__name__)

#: Seconds between two looks; a table that is younger is left alone.
_SECONDS = 30.0


class TableSweep(PeriodicService):
    """The service that cancels what is `playing` here by match, if the database says that it is not `runner`'s."""

    def __init__(self, store: Store, runner: ClusterRunner, playing: Mapping[int, asyncio.Task[None]]) -> None:
        super().__init__("table sweep", every=_SECONDS)
        self._store = store
        self._runner = runner
        self._playing = playing
        self._seen: dict[int, asyncio.Task[None]] = {}

    async def _look(self) -> None:
        old = {match: task for match, task in self._playing.items() if self._seen.get(match) is task}
        if old:
            owners = {match.id: match.node for match in await self._store.matches.running()}
            for match, task in old.items():
                if self._playing.get(match) is task and owners.get(match) != self._runner.node:
                    log.warning("match_superseded", match=match)
                    task.cancel()
        self._seen = dict(self._playing)
