"""The records of a tournament that is played, each as soon as it opens: they stay if the process is killed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from farfalia.arena import Arena, BoardInPlay
from farfalia.v1 import matches_pb2, record_pb2, tournaments_pb2

#: Matches that are asked for at a time: most of what follows is known.
_FEW = 20


class OpenedRecords:
    """Shows `take` every record of a tournament once, when no table plays its board any more."""

    def __init__(self, arena: Arena, take: Callable[[record_pb2.Record], None]) -> None:
        self._arena = arena
        self._take = take
        self._known: set[int] = set()
        #: Boards of finished matches whose records have not been taken.
        self._waiting: dict[int, str] = {}
        self._voids = 0

    async def look(self, tournament: tournaments_pb2.Tournament) -> None:
        """Take what has opened by this state of the tournament."""
        opened = set()
        async for match in self._ended(tournament.id):
            if match.id in self._known:
                break  # each has ended after all that were known before it
            self._known.add(match.id)
            self._waiting[match.id] = match.board
            if match.record_open:
                opened.add(match.board)
        # A match that is void leaves its board to those who have finished it.
        left, self._voids = tournament.void_attempts != self._voids, tournament.void_attempts
        for number in sorted(number for number, board in self._waiting.items() if left or board in opened):
            try:
                record = (await self._arena.get_record(match=number)).record
            except BoardInPlay:
                continue
            del self._waiting[number]
            self._take(record)

    async def _ended(self, tournament: int) -> AsyncIterator[matches_pb2.Match]:
        """Yield a tournament's finished matches, the last to end first."""
        finished, before = matches_pb2.MATCH_STATE_FINISHED, 0
        while True:
            page = await self._arena.list_matches(tournament=tournament, state=finished, limit=_FEW, before=before)
            for match in page.matches:
                yield match
            if len(page.matches) < _FEW:
                return
            before = page.matches[-1].id
