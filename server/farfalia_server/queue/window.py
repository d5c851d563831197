"""The waiting matches: a window on those of each tournament, so that a long queue costs no more than a short one.

Tournaments take turns: a free table goes to the one that has waited longest for a table, so that a tournament that
could fill all tables leaves the others their share. Within a tournament its schedule decides. Matches that somebody
asked for come last.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from farfalia_server.play.attendance import Attendance, Players
from farfalia_server.store import MatchState, OpenMatch, Store

#: Seconds between regular passes over the waiting matches, and least seconds between any two passes.
PASS_SECONDS, PAUSE_SECONDS = 3.0, 0.02
#: Seconds after which a job that nobody has begun counts as lost, even if no node has died.
LOST_SECONDS = 15.0

#: Rows of one tournament that are read at a time, most that are kept, and most rows of all that one pass tries.
_PAGE, _MOST, _LOOK = 256, 1024, 256

#: What stands for matches that somebody asked for.
_ASKED_FOR = -1


@dataclass(slots=True)
class _Lane:
    """The waiting matches of one tournament; 0 stands for those of ladders, `_ASKED_FOR` for those that count on none
    and belong to no tournament.
    """

    tournament_id: int
    rows: dict[int, OpenMatch] = field(default_factory=dict)
    read_to: int = 0
    complete: bool = False
    turn: int = 0
    #: When it got its last table, as a number that only grows; 0 for never.
    served: int = 0

    @property
    def rank(self) -> tuple[bool, int]:
        """Which of several lanes comes first: the smallest."""
        return self.tournament_id == _ASKED_FOR, self.served

    def look(self, count: int) -> list[OpenMatch]:
        """Return the oldest rows and some of the others, different ones each time."""
        rows = list(self.rows.values())
        oldest, others = rows[: count // 2], rows[count // 2 :]
        start = self.turn % max(1, len(others))
        self.turn = start + count // 2
        return oldest + (others[start:] + others[:start])[: count // 2]


class Window:
    """Waiting matches of all running tournaments that are not paused."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lanes: list[_Lane] = []
        #: By bot, which house bot it is; empty for those of people.
        self._house: dict[int, str] = {}
        #: Bots that will not come any more, by tournament; under 0 for all matches.
        self._gone: Mapping[int, frozenset[int]] = {}
        self._tables = count(1)

    async def reload(self, taken: Iterable[int]) -> None:
        """Read the oldest rows again, without those that are already taken care of."""
        running = await self._store.tournaments.playing()
        before = {lane.tournament_id: lane for lane in self._lanes}
        self._lanes = []
        for tournament in (0, *running, _ASKED_FOR):
            old = before.get(tournament, _Lane(tournament))
            self._lanes.append(_Lane(tournament, turn=old.turn, served=old.served))
        await self.extend(taken)

    async def extend(self, taken: Iterable[int]) -> list[OpenMatch]:
        """Read more rows of every tournament that has more, up to a limit; return the new rows."""
        new: list[OpenMatch] = []
        for lane in self._lanes:
            if not lane.complete and len(lane.rows) < _MOST:
                new += await self._extend(lane, set(taken))
        return new

    def candidates(self) -> Iterator[OpenMatch]:
        """Yield the matches to try now, of the tournament whose turn it is, until one of its matches gets a table.

        Every row is tried sooner or later.
        """
        lanes = [lane for lane in self._lanes if lane.rows]
        share = max(2, _LOOK // max(1, len(lanes)))
        turns = [(lane.rank, place, lane, iter(lane.look(share))) for place, lane in enumerate(lanes)]
        heapq.heapify(turns)
        while turns:
            _, place, lane, rows = turns[0]
            row = next(rows, None)
            if row is None:
                heapq.heappop(turns)
                continue
            yield row
            heapq.heapreplace(turns, (lane.rank, place, lane, rows))

    def remove(self, match: OpenMatch) -> None:
        """Remove a match that gets a table."""
        for lane in self._lanes:
            if lane.rows.pop(match.id, None) is not None:
                lane.served = next(self._tables)

    def players(self, match: OpenMatch) -> Players:
        """Return who is to play a match."""
        house = [bot for bot in match.bot_ids if self._house[bot]]
        callers = tuple(bot for bot in match.bot_ids if not self._house[bot])
        if not match.tournament_id:  # a ladder makes others: its table ends what too few have come for
            return Players(callers, lost=frozenset(callers))
        return Players(
            callers,
            tuple(Attendance.FILLS if bot in match.fillers else Attendance.PLAYS for bot in house),
            self._gone.get(match.tournament_id, frozenset()) | self._gone.get(0, frozenset()) | match.walked_out,
        )

    def house_bots(self, match: OpenMatch) -> frozenset[str]:
        """Return which house bots play in a match."""
        return frozenset(house for bot in match.bot_ids if (house := self._house[bot]))

    async def read_gone(self) -> None:
        """Read again which bots will not come any more."""
        self._gone = await self._store.entrants.gone()

    async def _extend(self, lane: _Lane, taken: set[int]) -> list[OpenMatch]:
        rows = await self._store.matches.open(
            MatchState.QUEUED,
            _PAGE,
            after=lane.read_to,
            tournament_id=max(0, lane.tournament_id),
            counted=None if lane.tournament_id > 0 else lane.tournament_id != _ASKED_FOR,
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
            self._house.update((bot_id, bot.house) for bot_id, bot in bots.items())
