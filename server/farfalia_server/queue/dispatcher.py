"""Brings waiting matches and their bots together, and hands them to the runner through the queue.

Two things may go wrong, and a pass every few seconds repairs both: a job is lost with its Redis, or a server was
killed, this one or one before it, and left its matches behind. An unnecessary repair is harmless: a claim raises the
match's epoch, and the owner of an older one is refused.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import structlog
from redis.exceptions import RedisError

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.net import redis_keys
from farfalia_server.play.attendance import Players
from farfalia_server.queue.match_playing import Runner, play_or_void
from farfalia_server.queue.match_queue import Job, MatchQueue
from farfalia_server.queue.window import LOST_SECONDS, PASS_SECONDS, PAUSE_SECONDS, Window
from farfalia_server.store import Change, MatchState, OpenMatch, RunningMatch, Store, Topic
from farfalia_server.store.change_service import ChangeService

log = structlog.get_logger(__name__)


class Lobby(Protocol):
    """Who is connected."""

    def try_reserve(self, match: int, players: Players, /) -> int | None:
        """Reserve a seat of each bot of a match; or of none, and return one that is missing."""

    def release(self, match: int, /) -> None:
        """Free what was reserved for a match and not used."""


@dataclass(slots=True)
class _TakenMatch:
    """A match that this node has taken care of; `play` is the task that plays it, `again` that it will be replayed."""

    epoch: int
    since: float
    play: asyncio.Task[None] | None = None
    again: bool = False


class Dispatcher(ChangeService):
    """The service that has waiting matches played, at most `most` at once. `async with` starts and stops it.

    `node` is the name under which the host claims matches. No other server can be alive that plays from this database:
    what others have claimed is recovered at once. Stopping cancels what is being played.
    """

    topics = (Topic.MATCH, Topic.TOURNAMENT)
    unavailable = (StoreUnavailable, RedisError, OSError)

    def __init__(
        self,
        store: Store,
        lobby: Lobby,
        runner: Runner,
        *,
        redis_url: str,
        database: str,
        node: str,
        most: int = 256,
    ) -> None:
        super().__init__(store.changes, "dispatcher", every=PASS_SECONDS, rest=PAUSE_SECONDS)
        self._store = store
        self._lobby = lobby
        self._runner = runner
        self._node = node
        self._most = most
        queue = redis_keys.QUEUE(database=database)
        self._queue = MatchQueue(queue, self._run_match, redis_url=redis_url, worker=node, most=most)
        self._window = Window(store)
        self._jobs: dict[int, _TakenMatch] = {}
        self._reload = True
        self._paused = False
        self._repair_at = 0.0

    @property
    def playing(self) -> int:
        """The matches in play here."""
        return sum(job.play is not None for job in self._jobs.values())

    def pause(self) -> None:
        """Start no more matches; those under way continue."""
        self._paused = True

    async def __aenter__(self) -> Self:
        await self._queue.__aenter__()
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Only the matches are cancelled: the next call could receive the reply of a cancelled Redis call.
        self._stopping = True
        self.wake()
        for job in self._jobs.values():
            if job.play is not None:
                job.play.cancel()
        await self._queue.stop()
        await super().__aexit__(kind, error, trace)
        await self._queue.__aexit__(None, None, None)

    def _changed(self, change: Change) -> None:
        if change.topic is Topic.TOURNAMENT or change.state is MatchState.QUEUED:
            job = self._jobs.get(change.id) if change.topic is Topic.MATCH else None
            if job is not None:
                job.again = True  # it is void, and may start again once it has been left
            self._reload = True
            self.wake()

    # The job.

    async def _run_match(self, job: Job) -> None:
        """Play a match if this process has reserved it; the queue calls this.

        Jobs of an earlier process also arrive, and some arrive twice: neither finds a reservation.
        """
        taken = self._jobs.get(job.match)
        if taken is None or taken.epoch != job.epoch or taken.play is not None or self._stopping:
            return
        if self._paused:
            self._done(job.match)
            return
        taken.play = asyncio.create_task(self._play(job.match, job.epoch), name=f"match {job.match}")
        await asyncio.wait({taken.play})

    async def _play(self, match_id: int, epoch: int) -> None:
        try:
            await play_or_void(self._runner, self._store, match_id, epoch, self._node)
        finally:
            self._done(match_id)

    def _done(self, match_id: int) -> None:
        job = self._jobs.pop(match_id, None)
        self._reload = self._reload or (job is not None and job.again)
        self._lobby.release(match_id)
        self.wake()

    # The passes.

    async def _tick(self) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._repair_at:
            self._repair_at = now + PASS_SECONDS
            await self._repair()
        if not self._paused:
            await self._fill()

    def _until_next_tick(self) -> float:
        return max(0.0, self._repair_at - asyncio.get_running_loop().time())

    async def _repair(self) -> None:
        """Drop lost jobs, and recover the matches of a dead owner."""
        now = asyncio.get_running_loop().time()
        lost = [id for id, job in self._jobs.items() if job.play is None and now - job.since > LOST_SECONDS]
        for match_id in lost:
            log.warning("job_lost", match=match_id)
            self._done(match_id)
        await self._window.read_gone()
        self._reload = True  # so that the matches of lost jobs, and of a pass that failed, come back
        orphans = [] if self._paused else (await self._orphans())[: self._most - len(self._jobs)]
        if orphans:
            log.info("matches_recovered", matches=[match.id for match in orphans])
            await self._add(orphans)

    async def _orphans(self) -> list[RunningMatch]:
        """Return matches whose owner is gone; one that was ours before we looked may have ended since."""
        ours = set(self._jobs)
        return [match for match in await self._store.matches.running() if match.id not in ours | self._jobs.keys()]

    async def _fill(self) -> None:
        """Start the waiting matches whose bots are connected, as many as fit."""
        if self._reload:
            self._reload = False
            await self._window.reload(self._jobs)
        await self._begin(self._window.candidates())
        while len(self._jobs) < self._most and (more := await self._window.extend(self._jobs)):
            await self._begin(more)

    async def _begin(self, candidates: Iterable[OpenMatch]) -> None:
        free = self._most - len(self._jobs)
        ready: list[OpenMatch] = []
        awaited: set[int] = set()
        for match in candidates:
            if len(ready) >= free:
                break
            if not awaited.isdisjoint(match.bot_ids):
                continue  # most of a long queue waits for the same few bots
            missing = self._lobby.try_reserve(match.id, self._window.players(match))
            if missing is None:
                self._window.remove(match)
                ready.append(match)
            else:
                awaited.add(missing)
        if ready:
            await self._add(ready)

    async def _add(self, matches: Sequence[OpenMatch | RunningMatch]) -> None:
        now = asyncio.get_running_loop().time()
        self._jobs.update((match.id, _TakenMatch(match.epoch, now)) for match in matches)
        try:
            await self._queue.add([Job(match.id, match.epoch) for match in matches])
        except BaseException:
            for match in matches:
                if self._jobs[match.id].play is None:  # some of them may have been added
                    self._done(match.id)
            self._reload = True
            raise
