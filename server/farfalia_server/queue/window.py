"""The matches that wait: a window on each tournament's, so that a long queue costs no more than a short one.

Older tournaments come first, and within one its schedule. But every tournament has its own part of the window: one
whose bots are slow does not hide those behind it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from farfalia_server.store import MatchState, OpenMatch, Store

#: Rows of one tournament that are read at once, that are kept at most, and all rows that one look goes through.
_PAGE, _MOST, _LOOK = 256, 1024, 256


@dataclass(slots=True)
class _Lane:
    """The waiting matches of one tournament; 0 stands for those that belong to none."""

    tournament_id: int
    rows: dict[int, OpenMatch] = field(default_factory=dict)
    read_to: int = 0
    complete: bool = False
    turn: int = 0

    def look(self, count: int) -> list[OpenMatch]:
        """The oldest rows, and some of the others, which are other ones every time."""
        rows = list(self.rows.values())
        oldest, others = rows[: count // 2], rows[count // 2 :]
        start = self.turn % max(1, len(others))
        self.turn = start + count // 2
        return oldest + (others[start:] + others[:start])[: count // 2]


class Window:
    """Waiting matches of all running tournaments."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lanes: list[_Lane] = []
        self._house: dict[int, bool] = {}

    async def reload(self, taken: Iterable[int]) -> None:
        """Reads the oldest rows again, without those that are taken care of already."""
        running = await self._store.tournaments.running()
        turns = {lane.tournament_id: lane.turn for lane in self._lanes}
        self._lanes = [_Lane(id, turn=turns.get(id, 0)) for id in (0, *running)]
        await self.extend(taken)

    async def extend(self, taken: Iterable[int]) -> list[OpenMatch]:
        """Reads more of every tournament of which there is more, up to a limit; answers the new rows."""
        new: list[OpenMatch] = []
        for lane in self._lanes:
            if not lane.complete and len(lane.rows) < _MOST:
                new += await self._extend(lane, set(taken))
        return new

    def candidates(self) -> list[OpenMatch]:
        """What to try now; every row comes sooner or later."""
        lanes = [lane for lane in self._lanes if lane.rows]
        share = max(2, _LOOK // max(1, len(lanes)))
        return [row for lane in lanes for row in lane.look(share)]

    def remove(self, match: OpenMatch) -> None:
        """Takes a match out that is being taken care of."""
        for lane in self._lanes:
            lane.rows.pop(match.id, None)

    def callers(self, match: OpenMatch) -> Iterator[int]:
        """The bots of a match that have to be there: all but house bots."""
        return (bot_id for bot_id in match.bot_ids if not self._house[bot_id])

    async def _extend(self, lane: _Lane, taken: set[int]) -> list[OpenMatch]:
        rows = await self._store.matches.open(
            MatchState.QUEUED, _PAGE, after=lane.read_to, tournament_id=lane.tournament_id
        )
        lane.complete = len(rows) < _PAGE
        if rows:
            lane.read_to = rows[-1].id
        await self._learn(rows)
        new = [row for row in rows if row.id not in taken]
        lane.rows.update((row.id, row) for row in new)
        return new

    async def _learn(self, rows: Iterable[OpenMatch]) -> None:
        unknown = {bot_id for row in rows for bot_id in row.bot_ids} - self._house.keys()
        if unknown:
            bots = await self._store.bots.by_ids(unknown)
            self._house.update((bot_id, bool(bot.house)) for bot_id, bot in bots.items())
