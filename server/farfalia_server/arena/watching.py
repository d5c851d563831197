"""Watching a tournament while it is played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol
from weakref import WeakValueDictionary

from farfalia.v1 import tournaments_pb2
from farfalia_server.contract.states import TOURNAMENT_OVER
from farfalia_server.net.cpu_time import charged
from farfalia_server.store import Change, Topic

#: Seconds between two looks at a tournament that keeps changing.
INTERVAL = 0.25
#: Most of the time that looks may take: after a long look the next one waits longer.
_SHARE = 0.1
#: Seconds until the next look at a running tournament that does not change: where standings take long, the last look
#: may have seen older ones.
_LATER = 10.0


class TournamentReader(Protocol):
    """Looks tournaments up."""

    async def tournament(self, number: int) -> tournaments_pb2.Tournament:
        """Return the tournament with its standings; NotFound."""


class News:
    """Wakes the watchers of a tournament.

    Have `heard` called on its topics, which `store.changes` announces for the commits of all nodes. Call `touch_all`
    when bots come and go, or when announcements may have been missed.
    """

    topics = (Topic.TOURNAMENT, Topic.MATCH, Topic.RATING, Topic.BASELINE)

    def __init__(self) -> None:
        # Weak: an event that nobody waits for any more goes away.
        self._next: WeakValueDictionary[int, asyncio.Event] = WeakValueDictionary()
        self._turns: WeakValueDictionary[int, asyncio.Event] = WeakValueDictionary()
        #: Called when the first watcher of a tournament comes; what it returns is called when the last one has gone.
        self.on_watched: Callable[[], Callable[[], None]] = lambda: lambda: None

    def next(self, tournament: int) -> asyncio.Event:
        """Return an event that is set at the next change; get it before you read the tournament, to miss no change."""
        return self._next.setdefault(tournament, asyncio.Event())

    def turn(self, tournament: int) -> asyncio.Event:
        """Return an event that is set when the tournament itself starts, ends or is cancelled, not for each match."""
        return self._turns.setdefault(tournament, asyncio.Event())

    def heard(self, change: Change) -> None:
        """Handle a commit of the store."""
        if change.tournament_id:
            self._wake(change.tournament_id)
        if change.topic is Topic.TOURNAMENT and (turn := self._turns.pop(change.id, None)) is not None:
            turn.set()

    def touch_all(self) -> None:
        """Note that any of them may have changed."""
        for tournament in list(self._next):
            self._wake(tournament)

    def _wake(self, tournament: int) -> None:
        event = self._next.pop(tournament, None)
        if event is not None:
            event.set()


@dataclass(slots=True)
class _WatchedTournament:
    """A tournament as all its watchers see it."""

    latest: tournaments_pb2.Tournament | None = None
    version: int = 0
    ended: bool = False
    error: Exception | None = None
    watchers: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    looking: asyncio.Task[None] | None = None

    def tell(self) -> None:
        """Wake the watchers."""
        self.changed.set()
        self.changed = asyncio.Event()


class Watching:
    """Watched tournaments; however many watch one, it is looked up once for each change.

    A finished one is watched until its baselines are known, for at most `settling` seconds.
    """

    def __init__(
        self, reader: TournamentReader, news: News, *, interval: float = INTERVAL, settling: float = 0.0
    ) -> None:
        self._reader = reader
        self._news = news
        self._interval = interval
        self._settling = settling
        self._shared: dict[int, _WatchedTournament] = {}

    async def follow(self, number: int) -> AsyncGenerator[tournaments_pb2.Tournament]:
        """Yield the tournament now and after every change, until it is over; NotFound.

        Changes in quick succession are yielded as one. All looks are charged to the first watcher.
        """
        shared = self._shared.get(number)
        if shared is None:
            shared = self._shared[number] = _WatchedTournament()
            shared.looking = asyncio.create_task(charged(self._tick(number, shared)), name=f"watching {number}")
        shared.watchers += 1
        seen = 0
        try:
            while True:
                if shared.latest is not None and shared.version != seen:
                    seen = shared.version
                    yield shared.latest
                elif shared.error is not None:
                    raise shared.error
                elif shared.ended:
                    return
                else:
                    await shared.changed.wait()
        finally:
            shared.watchers -= 1
            if not shared.watchers and shared.looking is not None:
                shared.looking.cancel()
                self._forget(number, shared)

    async def _tick(self, number: int, shared: _WatchedTournament) -> None:
        loop = asyncio.get_running_loop()
        over_since: float | None = None
        unwatch = self._news.on_watched()
        try:
            while True:
                change, turn = self._news.next(number), self._news.turn(number)
                began = loop.time()
                tournament = await self._reader.tournament(number)
                took = loop.time() - began
                if tournament != shared.latest:
                    shared.latest = tournament
                    shared.version += 1
                    shared.tell()
                if tournament.state in TOURNAMENT_OVER:
                    over_since = began if over_since is None else over_since
                    if not tournament.baselines_missing or began - over_since >= self._settling:
                        shared.ended = True
                        return
                with suppress(TimeoutError):  # a tournament that has just ended is shown at once, costly or not
                    async with asyncio.timeout(max(self._interval, took / _SHARE)):
                        await turn.wait()
                if over_since is None:
                    running = tournament.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING
                    with suppress(TimeoutError):
                        async with asyncio.timeout(_LATER if running else None):
                            await change.wait()
        except Exception as error:
            shared.error = error
        finally:
            unwatch()
            self._forget(number, shared)
            shared.tell()

    def _forget(self, number: int, shared: _WatchedTournament) -> None:
        """Forget it, so that the next watcher starts afresh."""
        if self._shared.get(number) is shared:
            del self._shared[number]
