"""Following a tournament while it is played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol
from weakref import WeakValueDictionary

from farfalia.v1 import arena_pb2
from farfalia_server.store import Change

#: Seconds between two looks at a tournament that changes all the time.
INTERVAL = 0.25
#: A look may take so much of the time at most: the next one waits accordingly longer.
_SHARE = 0.1
_OVER = (arena_pb2.TOURNAMENT_STATE_FINISHED, arena_pb2.TOURNAMENT_STATE_CANCELLED)


class TournamentReader(Protocol):
    """Where a tournament is looked up."""

    async def tournament(self, number: int) -> arena_pb2.Tournament:
        """The tournament with its table; NotFound."""


class News:
    """Wakes those who watch a tournament.

    The store tells of what this process has committed: give `heard` to `store.changes.listen`. Call `touch`
    for what other nodes have done, and `touch_all` when bots come and go.
    """

    def __init__(self) -> None:
        # An event that nobody waits for any more is forgotten by itself.
        self._next: WeakValueDictionary[int, asyncio.Event] = WeakValueDictionary()

    def next(self, tournament: int) -> asyncio.Event:
        """Is set at the next change. Ask for it before you read the tournament, then no change is missed."""
        return self._next.setdefault(tournament, asyncio.Event())

    def heard(self, change: Change) -> None:
        """The store has committed something."""
        if change.tournament_id:
            self.touch(change.tournament_id)

    def touch(self, tournament: int) -> None:
        """This tournament has changed."""
        event = self._next.pop(tournament, None)
        if event is not None:
            event.set()

    def touch_all(self) -> None:
        """Any of them may have changed."""
        for tournament in list(self._next):
            self.touch(tournament)


async def follow(
    reader: TournamentReader, news: News, number: int, *, interval: float = INTERVAL
) -> AsyncIterator[arena_pb2.Tournament]:
    """The tournament now and after every change, until it is over; NotFound.

    Changes that come close together are shown as one.
    """
    loop = asyncio.get_running_loop()
    shown: arena_pb2.Tournament | None = None
    while True:
        change = news.next(number)
        began = loop.time()
        tournament = await reader.tournament(number)
        took = loop.time() - began
        if tournament != shown:
            yield tournament
            shown = tournament
        if tournament.state in _OVER:
            return
        await asyncio.sleep(max(interval, took / _SHARE))
        await change.wait()
