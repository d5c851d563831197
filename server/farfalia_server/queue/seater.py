"""Brings waiting matches and their bots together, once in the whole arena, and gives them to nodes.

Every few seconds it repairs what may have gone wrong: seats that stayed reserved for matches that are over, matches in
play without seats or without a table, jobs that were lost with their Redis. When a node is gone, it gives the matches
of that node, begun or not, to others. Doing any of this unnecessarily is harmless: a claim raises the match's epoch,
and the owner of an older one is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from time import monotonic
from typing import Protocol

import structlog
from redis.exceptions import RedisError

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.queue.free_seats import UNLIMITED, Connected, FreeSeats, absent_of
from farfalia_server.queue.match_queue import Job, MatchQueue
from farfalia_server.queue.reservations import OutdatedSeater, Reservations, ReservationsLost, SeatedMatch, Table
from farfalia_server.queue.window import LOST_SECONDS, PASS_SECONDS, PAUSE_SECONDS, Window
from farfalia_server.store import Change, MatchState, OpenMatch, RunningMatch, Store, Topic
from farfalia_server.store.change_service import ChangeService

log = structlog.get_logger(__name__)


class Nodes(Protocol):
    """The nodes that play."""

    def live(self, claimed_as: str, /) -> bool:
        """Return whether the node that claims matches under this name lives."""

    def room(self) -> Mapping[str, int]:
        """Return, by node that takes matches, how many it can play at a time."""

    def best(self, bots: Collection[int], house: Collection[str], free: Mapping[str, int], /) -> str | None:
        """Return the node that should play a match with these bots; None if none has a table `free` that can play
        those that are house bots of these names.
        """


class Seater(ChangeService):
    """The service that gives waiting matches to nodes. `async with` starts and stops it.

    `token` returns the seater's fencing token, higher than all before, and None while another node is the seater: then
    this one does nothing. `absence` is how many seconds a match waits for a bot that is not connected.
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
        nodes: Nodes,
        absence: float,
    ) -> None:
        super().__init__(store.changes, "seater", every=PASS_SECONDS, rest=PAUSE_SECONDS)
        self._store = store
        self._connected = connected
        self._reservations = reservations
        self._queue = queue
        self._newest_token = token
        self._token: int | None = None
        self._nodes = nodes
        self._absence = absence
        self._free_seats = FreeSeats(connected, absence)
        self._window = Window(store)
        self._reload = True
        self._repair_at = 0.0
        #: Whether jobs may be lost: a node is gone, or Redis did not answer.
        self._again = True
        #: By match whose node is gone, the epoch at which it was given to another one, and when.
        self._recovered: dict[int, tuple[int, float]] = {}
        #: By match whose seats were reserved in play, the epoch at which its node was told so, and when.
        self._held: dict[int, tuple[int, float]] = {}

    def repair(self, *, died: bool = False) -> None:
        """Look at once for matches whose node is gone; `died` if a node has died, perhaps with jobs."""
        self._repair_at = 0.0
        self._again = self._again or died
        self.wake()

    def reload(self) -> None:
        """Look for matches that can begin, others than those that are known, too."""
        self._reload = True
        self.wake()

    def freed(self, match: int, waits: bool) -> None:
        """Look for matches that can begin, since seats have become free; `waits` if their match is still to be played.

        A node gives a match back that it cannot play.
        """
        self._reload = self._reload or waits
        if waits and self._recovered.pop(match, None) is not None:
            self._repair_at = 0.0
        self.wake()

    def _changed(self, change: Change) -> None:
        if change.topic is Topic.TOURNAMENT or change.state is MatchState.QUEUED:
            self.reload()

    async def _tick(self) -> None:
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
        self._again, self._recovered, self._held = True, {}, {}
        self._free_seats = FreeSeats(self._connected, self._absence)

    def _until_next_tick(self) -> float:
        return max(0.0, self._repair_at - monotonic()) if self._token is not None else PASS_SECONDS

    def _free_tables(self, taken: Mapping[int, str]) -> dict[str, int]:
        """Return, by node that takes matches, how many more it can play than those that are `taken`."""
        begun = Counter(taken.values())
        return {node: most - begun[node] for node, most in self._nodes.room().items()}

    # -- repair ----------------------------------------------------------------------------

    async def _repair(self, token: int) -> None:
        seated = await self._reservations.seated()
        running = await self._store.matches.running()
        begun = {match.id for match in running}
        waiting = {match: seats for match, seats in seated.items() if match not in begun}
        again, self._again = self._again, False
        try:
            await self._hold(token, running, seated, again)
            await self._free(waiting)
            await self._window.read_gone()
            if again:
                await self._put_again(token, waiting)
                self._recovered.clear()
            await self._recover(token, [match for match in running if not self._nodes.live(match.node)])
        except BaseException:
            self._again = self._again or again
            raise
        self._reload = True  # commits of another node may not be announced here

    async def _hold(self, token: int, running: Sequence[RunningMatch], seated: Collection[int], again: bool) -> None:
        """Reserve the seats of matches in play that have none: Redis has lost them, or a database has lost the end of a
        match, which is to be played on then. Its node ignores the job if it plays the match. Since a job may be lost,
        the node is given another one for as long as it has not claimed the match anew.
        """
        now, unseated = monotonic(), [match for match in running if match.id not in seated]
        bots = await self._store.matches.bots_of_running() if unseated else {}
        owner = {match.id: match.node.rpartition("@")[0] for match in running}
        tables = [_unlimited(match.id, owner[match.id], bots.get(match.id, ())) for match in unseated]
        await self._reservations.hold(token, tables)
        held = {match.id: match.epoch for match in running}
        self._held = {id: (epoch, at) for id, (epoch, at) in self._held.items() if held.get(id) == epoch}
        due = {id for id, (_, at) in self._held.items() if now - at >= LOST_SECONDS}.union(
            match.id for match in unseated
        )
        live = [match for match in running if (again or match.id in due) and self._nodes.live(match.node)]
        await self._add([(owner[match.id], Job(match.id, match.epoch)) for match in live])
        self._held.update((match.id, (match.epoch, now)) for match in live if match.id in due)

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

    async def _put_again(self, token: int, waiting: Mapping[int, SeatedMatch]) -> None:
        """Queue unclaimed matches again, for another node if theirs is gone."""
        matches = await self._store.matches.queued(waiting) if waiting else []
        free = self._free_tables(await self._reservations.nodes()) if matches else {}
        house = await self._store.matches.house_bots([match.id for match in matches]) if matches else {}
        tables: list[Table] = []
        jobs: list[tuple[str, Job]] = []
        for match in matches:
            bots, node = waiting[match.id].bots, waiting[match.id].node
            if node not in free:
                other = self._take_table(bots, house.get(match.id, ()), free)
                if other is None:
                    await self._reservations.release(match.id, waits=True)
                    continue
                node = other
            absent = tuple(bot for bot in bots if self._free_seats.seats_of(bot) == UNLIMITED)
            tables.append(_unlimited(match.id, node, bots))
            jobs.append((node, Job(match.id, match.epoch, absent)))
        await self._reservations.reserve(token, tables)
        await self._add(jobs)

    async def _recover(self, token: int, orphans: Sequence[RunningMatch]) -> None:
        """Give matches whose node is gone to others, as many as fit."""
        now = monotonic()
        self._recovered = {id: (epoch, at) for id, (epoch, at) in self._recovered.items() if now - at < LOST_SECONDS}
        orphans = [match for match in orphans if self._recovered.get(match.id, (None, 0))[0] != match.epoch]
        if not orphans:
            return
        bots, left = await self._store.matches.bots_of_running(), {match.id for match in orphans}
        house = await self._store.matches.house_bots(left)
        seated = await self._reservations.nodes()  # the node that is gone may be there again under its name
        free = self._free_tables({match: node for match, node in seated.items() if match not in left})
        places = [(match, self._take_table(bots.get(match.id, ()), house.get(match.id, ()), free)) for match in orphans]
        given = [(match, node) for match, node in places if node is not None]
        if given:
            log.info("matches_recovered", matches=[match.id for match, _ in given])
        tables = [_unlimited(match.id, node, bots.get(match.id, ())) for match, node in given]
        await self._reservations.reserve(token, tables)
        await self._add([(node, Job(match.id, match.epoch)) for match, node in given])
        self._recovered.update((match.id, (match.epoch, now)) for match, _ in given)

    # -- begin -----------------------------------------------------------------------------

    async def _fill(self, token: int) -> None:
        """Give the waiting matches whose bots are connected to nodes, as many as fit."""
        taken = await self._reservations.taken()
        seated = await self._reservations.nodes()
        free = self._free_tables(seated)
        if self._reload:
            self._reload = False
            await self._window.reload(seated)
        await self._begin(token, self._window.candidates(), seated, taken, free)
        while _count(free) and (more := await self._window.extend(seated)):
            await self._begin(token, more, seated, taken, free)

    async def _begin(
        self,
        token: int,
        candidates: Iterable[OpenMatch],
        seated: dict[int, str],
        taken: dict[int, int],
        free: dict[str, int],
    ) -> None:
        """Reserve seats for matches and queue them; note what is taken by then."""
        ready: list[tuple[OpenMatch, Table]] = []
        awaited: set[int] = set()
        for match in candidates:
            if not _count(free):
                break
            if match.id in seated or not awaited.isdisjoint(match.bot_ids):
                continue  # most of a long queue waits for the same few bots
            seats, missing = self._free_seats.of(self._window.players(match), taken)
            if missing is not None:
                awaited.add(missing)
                continue
            node = self._take_table(seats, self._window.house_bots(match), free)
            if node is None:
                continue  # no node with a free table can play its house bots
            for bot in seats:
                taken[bot] = taken.get(bot, 0) + 1
            ready.append((match, Table(match.id, node, seats)))
            self._window.remove(match)
        reserved = await self._reservations.reserve(token, [table for _, table in ready])
        begun = [(match, table) for (match, table), ok in zip(ready, reserved, strict=True) if ok]
        self._reload = self._reload or len(begun) < len(ready)
        seated.update((table.match, table.node) for _, table in begun)
        jobs = [(table.node, Job(match.id, match.epoch, tuple(absent_of(table.limits)))) for match, table in begun]
        await self._add(jobs)

    def _take_table(self, bots: Collection[int], house: Collection[str], free: dict[str, int]) -> str | None:
        """Return the node that is to play a match with these bots, which has a table less `free` then."""
        node = self._nodes.best(bots, house, free)
        if node is not None:
            free[node] -= 1
        return node

    async def _add(self, jobs: Sequence[tuple[str, Job]]) -> None:
        try:
            await self._queue.add(jobs)
        except BaseException:
            self._again, self._repair_at = True, 0.0  # some of them may have been added
            raise


def _unlimited(match: int, node: str, bots: Iterable[int]) -> Table:
    """Return the seats of a match whose bots have them already, or cannot be asked."""
    return Table(match, node, dict.fromkeys(bots, UNLIMITED))


def _count(free: Mapping[str, int]) -> int:
    return sum(tables for tables in free.values() if tables > 0)
