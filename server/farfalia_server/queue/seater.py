"""Brings waiting matches and their bots together, once in the whole arena, and queues them for its nodes.

Every few seconds it repairs what may have gone wrong: seats that stayed reserved for matches that are over, matches in
play without seats, jobs that were lost with their Redis. When a node is gone, it queues again the matches of that node
and all that nobody has claimed: the node may have had the job. Doing any of this unnecessarily is harmless: a claim
raises the match's epoch, and the owner of an older one is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from time import monotonic

import structlog
from redis.exceptions import RedisError

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.queue.free_seats import UNLIMITED, Connected, FreeSeats, absent_of
from farfalia_server.queue.match_queue import Job, MatchQueue
from farfalia_server.queue.reservations import OutdatedSeater, Reservations, ReservationsLost, SeatedMatch
from farfalia_server.queue.window import LOST_SECONDS, PASS_SECONDS, PAUSE_SECONDS, Window
from farfalia_server.store import Change, MatchState, OpenMatch, RunningMatch, Store, Topic
from farfalia_server.store.change_service import ChangeService

log = structlog.get_logger(__name__)


class Seater(ChangeService):
    """The service that queues waiting matches. `async with` starts and stops it.

    `token` returns the seater's fencing token, higher than all before, and None while another node is the seater: then
    this one does nothing. `lives` tells whether the node that claims matches under a name is alive, `room` how many
    matches all nodes together can play at once. `absence` is how many seconds a match waits for a bot that is not
    connected.
    """

    topics = (Topic.MATCH, Topic.TOURNAMENT)
    unavailable = (StoreUnavailable, RedisError, OSError)

    def __init__(
        self,
        store: Store,
        connected: Connected,
        reservations: Reservations,
        queue: MatchQueue,
        *,
        token: Callable[[], int | None],
        lives: Callable[[str], bool],
        room: Callable[[], int],
        absence: float,
    ) -> None:
        super().__init__(store.changes, "seater", every=PASS_SECONDS, rest=PAUSE_SECONDS)
        self._store = store
        self._connected = connected
        self._reservations = reservations
        self._queue = queue
        self._newest_token = token
        self._token: int | None = None
        self._lives = lives
        self._room = room
        self._absence = absence
        self._free_seats = FreeSeats(connected, absence)
        self._window = Window(store)
        self._reload = True
        self._repair_at = 0.0
        #: Whether a node that is gone may have had jobs.
        self._again = True
        #: By match whose node is gone, the epoch at which it was queued again, and when.
        self._recovered: dict[int, tuple[int, float]] = {}

    def repair(self, *, died: bool = False) -> None:
        """Look at once for matches whose node is gone; `died` if a node has died, perhaps with jobs."""
        self._repair_at = 0.0
        self._again = self._again or died
        self.wake()

    def reload(self) -> None:
        """Look for matches that can begin, others than those that are known, too."""
        self.freed(waits=True)

    def freed(self, waits: bool) -> None:
        """Look for matches that can begin, since seats have become free; `waits` if a match that was queued waits."""
        self._reload = self._reload or waits
        self.wake()

    def _changed(self, change: Change) -> None:
        if change.topic is Topic.TOURNAMENT or change.state is MatchState.QUEUED:
            self.reload()

    async def _look(self) -> None:
        token = self._newest_token()
        if token != self._token:
            self._token = token
            self._begin_anew()
        if token is None:
            return
        now = monotonic()
        try:
            if now >= self._repair_at:
                self._repair_at = now + PASS_SECONDS
                await self._repair(token)
            await self._fill(token)
        except OutdatedSeater:
            log.warning("seater_outdated")
        except ReservationsLost:
            log.warning("seats_forgotten")
            self.repair(died=True)

    def _begin_anew(self) -> None:
        """Forget what this node knows from an earlier time in the role."""
        self._window, self._reload, self._repair_at = Window(self._store), True, 0.0
        self._again, self._recovered, self._free_seats = True, {}, FreeSeats(self._connected, self._absence)

    def _until_next_look(self) -> float:
        return max(0.0, self._repair_at - monotonic()) if self._token is not None else PASS_SECONDS

    # -- repair ----------------------------------------------------------------------------

    async def _repair(self, token: int) -> None:
        seated = await self._reservations.seated()
        running = await self._store.matches.running()
        begun = {match.id for match in running}
        waiting = {match: seats for match, seats in seated.items() if match not in begun}
        again, self._again = self._again, False
        try:
            await self._hold(token, begun - seated.keys())
            await self._free(waiting)
            await self._window.read_gone()
            if again:
                await self._put_again(waiting)
                self._recovered.clear()
            await self._recover([match for match in running if not self._lives(match.node)])
        except BaseException:
            self._again = self._again or again
            raise
        self._reload = True  # commits of another node may not be announced here

    async def _hold(self, token: int, unseated: set[int]) -> None:
        """Reserve the seats of matches in play whose reservations Redis has lost."""
        bots = await self._store.matches.bots_of_running() if unseated else {}
        await self._reservations.hold(token, [(match, bots.get(match, ())) for match in sorted(unseated)])

    async def _free(self, waiting: dict[int, SeatedMatch]) -> None:
        """Free the seats of matches that are over, whose node died before it could do so, and of those whose jobs were
        lost, which start again.
        """
        still_open = await self._store.matches.attempts(waiting) if waiting else {}
        for match, seats in list(waiting.items()):
            lost = abs(seats.age) > LOST_SECONDS  # negative: another Redis has taken over, with another clock
            if lost and match in still_open:
                log.warning("job_lost", match=match)
            if lost or match not in still_open:
                await self._reservations.release(match, waits=match in still_open)
                del waiting[match]

    async def _put_again(self, waiting: Mapping[int, SeatedMatch]) -> None:
        """Queue unclaimed matches again: a node that is gone may have had their jobs."""
        matches = await self._store.matches.queued(waiting) if waiting else []
        bots = {match.id: waiting[match.id].bots for match in matches}
        absent = {id: [bot for bot in of if self._free_seats.seats_of(bot) == UNLIMITED] for id, of in bots.items()}
        await self._add(matches, bots, absent)

    async def _recover(self, orphans: Sequence[RunningMatch]) -> None:
        """Queue matches again whose node is gone."""
        now = monotonic()
        self._recovered = {id: (epoch, at) for id, (epoch, at) in self._recovered.items() if now - at < LOST_SECONDS}
        orphans = [match for match in orphans if self._recovered.get(match.id, (None, 0))[0] != match.epoch]
        if orphans:
            log.info("matches_recovered", matches=[match.id for match in orphans])
            bots = await self._store.matches.bots_of_running()
            await self._add(orphans, bots, {})
            self._recovered.update((match.id, (match.epoch, now)) for match in orphans)

    # -- begin -----------------------------------------------------------------------------

    async def _fill(self, token: int) -> None:
        """Queue the waiting matches whose bots are connected, as many as fit."""
        taken = await self._reservations.taken()
        seated = await self._reservations.matches()
        free = self._room() - len(seated)
        if self._reload:
            self._reload = False
            await self._window.reload(seated)
        free -= await self._begin(token, self._window.candidates(), seated, taken, free)
        while free > 0 and (more := await self._window.extend(seated)):
            free -= await self._begin(token, more, seated, taken, free)

    async def _begin(
        self, token: int, candidates: Iterable[OpenMatch], seated: set[int], taken: dict[int, int], free: int
    ) -> int:
        """Reserve seats for matches and queue them; return how many."""
        ready: list[OpenMatch] = []
        limits: dict[int, Mapping[int, int]] = {}
        awaited: set[int] = set()
        for match in candidates:
            if len(ready) >= free:
                break
            if match.id in seated or not awaited.isdisjoint(match.bot_ids):
                continue  # most of a long queue waits for the same few bots
            seats, missing = self._free_seats.of(self._window.players(match), taken)
            if missing is not None:
                awaited.add(missing)
                continue
            for bot in seats:
                taken[bot] = taken.get(bot, 0) + 1
            limits[match.id] = seats
            ready.append(match)
            self._window.remove(match)
        if not ready:
            return 0
        reserved = await self._reservations.reserve(token, [(match.id, limits[match.id]) for match in ready])
        begun = [match for match, ok in zip(ready, reserved, strict=True) if ok]
        self._reload = self._reload or len(begun) < len(ready)
        seated.update(match.id for match in begun)
        absent = {match.id: absent_of(limits[match.id]) for match in begun}
        await self._add(begun, {match.id: tuple(limits[match.id]) for match in begun}, absent)
        return len(begun)

    async def _add(
        self,
        matches: Sequence[OpenMatch | RunningMatch],
        bots: Mapping[int, Sequence[int]],
        absent: Mapping[int, Sequence[int]],
    ) -> None:
        if not matches:
            return
        jobs = [
            Job(match.id, match.epoch, tuple(bots.get(match.id, ())), tuple(absent.get(match.id, ())))
            for match in matches
        ]
        try:
            await self._queue.add(jobs)
        except BaseException:
            self._again = self._reload = True  # some of them may have been added
            raise
