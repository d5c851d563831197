"""Seats: everybody holds every seat equally often, within one, by an edge colouring, which always exists."""

import random

from farfalia_tournaments.schedules.chance import shuffled
from farfalia_tournaments.schedules.galois import plus, times
from farfalia_tournaments.schedules.model import Tables

#: An entrant and the number of a batch of its matches: up to `seats` of them each.
_Batch = tuple[int, int]
#: Steps of a batch, a table, the seat held there, and the one to hold instead.
_Path = list[tuple[_Batch, int, int, int]]


def one_table(seats: int, rounds: int, rng: random.Random) -> list[Tables]:
    """Return rounds of the one table of all entrants, every seat held once in `seats` rounds.

    In seats · (seats - 1) rounds any two hold any two seats exactly once: entrant i sits at a·i + b, calculated in
    the Galois field of `seats` elements.
    """
    seatings: list[Tables] = []
    while len(seatings) < rounds:
        for factor in range(1, seats):
            for summand in shuffled(rng, range(seats)):
                held = [plus(times(factor, entrant, seats), summand, seats) for entrant in range(seats)]
                seatings.append([sorted(range(seats), key=held.__getitem__)])
    return seatings[:rounds]


def evenly_seated(tables: Tables, seats: int) -> Tables:
    """Return the same tables, each in the order of seats that gives everybody each seat equally often, within one."""
    seating = _Seating(tables, seats)
    return [[held[seat][0] for seat in range(seats)] for held in seating.batch_at]


class _Seating:
    """Tables and batches as the two sides of a graph, with a seat as the colour of each edge between them.

    In a batch no seat is held twice, so entrants are even. No node has more edges than there are seats, hence a
    colouring exists (D. Kőnig, 1916): whenever an edge finds no free colour, swapping two colours along a path frees
    one.
    """

    def __init__(self, tables: Tables, seats: int) -> None:
        self._seats = seats
        self.batch_at: list[dict[int, _Batch]] = [{} for _ in tables]
        self._table_of: dict[_Batch, dict[int, int]] = {}
        played: dict[int, int] = {}
        for table, members in enumerate(tables):
            for entrant in members:
                matches = played.get(entrant, 0)
                played[entrant] = matches + 1
                self._seat((entrant, matches // seats), table)

    def _seat(self, batch: _Batch, table: int) -> None:
        there, held = self.batch_at[table], self._table_of.setdefault(batch, {})
        seat = next(seat for seat in range(self._seats) if seat not in there)
        if seat in held:
            # The path cannot come back to this table, where nobody holds that seat.
            self._swap(self._path(batch, seat, next(free for free in range(self._seats) if free not in held)))
        there[seat] = batch
        held[seat] = table

    def _path(self, batch: _Batch, seat: int, free: int) -> _Path:
        path = []
        while seat in self._table_of[batch]:
            table = self._table_of[batch][seat]
            path.append((batch, table, seat, free))
            if free not in self.batch_at[table]:
                break
            batch = self.batch_at[table][free]
            path.append((batch, table, free, seat))
        return path

    def _swap(self, path: _Path) -> None:
        for batch, table, seat, _ in path:
            del self._table_of[batch][seat], self.batch_at[table][seat]
        for batch, table, _, new in path:
            self._table_of[batch][new] = table
            self.batch_at[table][new] = batch
