"""Plays the matches that the seater gives to this node."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from functools import partial
from types import TracebackType
from typing import Protocol, Self

import structlog
from redis.exceptions import RedisError

from farfalia_server.contract.errors import NotFound, StoreUnavailable
from farfalia_server.net.backoff import backoff
from farfalia_server.queue.match_playing import Runner, play_or_void
from farfalia_server.queue.match_queue import Job, MatchQueue
from farfalia_server.queue.reservations import Reservations
from farfalia_server.queue.table_sweep import TableSweep
from farfalia_server.store import MatchState, Store

log = structlog.get_logger(__name__)

#: Seconds before a match that was left is continued, and most seconds before later attempts.
_BACKOFF = (0.1, 5.0)
#: Seconds for which a node that takes no matches holds one back, so that the seater knows by then.
_PAUSED_SECONDS = 0.5


class Lobby(Protocol):
    """What is to know of matches here besides what the database knows."""

    def note_absent(self, match: int, bots: Collection[int], /) -> None:
        """Note the bots of a match that are not waited for."""

    def forget(self, match: int, /) -> None:
        """Forget what was noted: the match is over here, or another node plays it."""

    def abandon(self) -> None:
        """Leave all seats at this node's tables to the nodes that take their matches up."""


class MatchTaker:
    """Plays the matches that are given to this node, at most `most` at a time; `async with` starts and stops it.

    Stopping cancels the matches in play: the seater gives them to other nodes, or to this one when it starts again.
    """

    def __init__(
        self,
        store: Store,
        runner: Runner,
        lobby: Lobby,
        reservations: Reservations,
        *,
        redis_url: str,
        database: str,
        most: int,
    ) -> None:
        self._store = store
        self._runner = runner
        self._lobby = lobby
        self._reservations = reservations
        self._most = most
        node, _, _ = runner.node.rpartition("@")
        self.queue = MatchQueue(self.take, redis_url=redis_url, database=database, node=node)
        self._playing: dict[int, asyncio.Task[None]] = {}
        #: The epoch of each match in play from which it is claimed.
        self._epochs: dict[int, int] = {}
        self._sweep = TableSweep(store, runner, self._playing, self._epochs)
        #: Whether it starts no more matches.
        self.paused = False
        self._stopping = False

    @property
    def playing(self) -> int:
        """The matches in play here."""
        return len(self._playing)

    def pause(self) -> None:
        """Start no more matches; those under way continue."""
        self.paused = True

    async def __aenter__(self) -> Self:
        await self.queue.__aenter__()
        await self._sweep.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping = True
        await self._sweep.__aexit__(kind, error, trace)
        self.abandon()
        await self.queue.__aexit__(kind, error, trace)
        if self._playing:
            await asyncio.wait(self._playing.values())

    def abandon(self) -> None:
        """Stop every match here: other nodes take them up, or this one when it starts again."""
        self._lobby.abandon()
        for task in list(self._playing.values()):
            task.cancel()

    def look_for_later_claims(self) -> None:
        """End the matches that other nodes have taken up: a Redis that has lost everything refuses nobody."""
        self._sweep.look_soon()

    def take(self, job: Job) -> asyncio.Task[None] | None:
        """Play a match, or give its seats back; return the task, None if it is played already."""
        if job.match in self._playing or self._stopping:
            return None
        full = self.paused or self.playing >= self._most
        work = self._give_back(job.match) if full else self._play(job.match, job.epoch)
        task = self._playing[job.match] = asyncio.create_task(work, name=f"match {job.match}")
        self._epochs[job.match] = job.epoch
        self._lobby.note_absent(job.match, job.absent)
        task.add_done_callback(partial(self._ended, job.match))
        return task

    async def _give_back(self, match_id: int) -> None:
        """Free the seats of a match that this node cannot play; the seater queues it again."""
        try:
            await asyncio.sleep(_PAUSED_SECONDS)
            await self._reservations.release(match_id, waits=True)
        except (RedisError, OSError) as error:
            log.warning("match_left", match=match_id, error=str(error))

    def _ended(self, match_id: int, task: asyncio.Task[None]) -> None:
        """Note that a match was left; a callback, since a task that is cancelled before its first step does nothing."""
        self._lobby.forget(match_id)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("job_failed", match=match_id, exc_info=error)
        del self._playing[match_id], self._epochs[match_id]

    async def _play(self, match_id: int, epoch: int) -> None:
        await play_or_void(self._runner, self._store, match_id, epoch)
        for pause in backoff(*_BACKOFF):
            try:
                if await self._is_settled(match_id):
                    return
            except (StoreUnavailable, RedisError, OSError) as error:
                log.warning("match_left", match=match_id, error=str(error))
            await asyncio.sleep(pause)

    async def _is_settled(self, match_id: int) -> bool:
        """Free the seats of a match that is over, void or lost; continue one that was left, and return False."""
        try:
            match = await self._store.matches.standing(match_id)
        except NotFound:  # the database has lost it in a failover
            await self._reservations.release(match_id, waits=False)
            return True
        if match.state is not MatchState.RUNNING:
            await self._reservations.release(match_id, waits=match.state is MatchState.QUEUED)
        elif match.node == self._runner.node:
            await play_or_void(self._runner, self._store, match_id, match.epoch)
            return False
        return True
