"""Seat relations: how far to whose left each sits, and who shares a team, made more even with seats kept even."""

import random
from collections.abc import Iterable, Sequence
from itertools import chain, combinations, permutations
from typing import Final

from farfalia_tournaments.schedules.chance import below
from farfalia_tournaments.schedules.model import Tables

#: Seats looked at in a search, per table and at most.
_EFFORT_PER_TABLE: Final = 1_000
_MOST_EFFORT: Final = 40_000
#: The most tables of one move.
_LONGEST_CHAIN: Final = 12
#: The distance of two seats of one team, which no other two have, and how much more it counts than others.
_TOGETHER: Final = 0
_WEIGHT: Final = 4


def relate_evenly(tables: Tables, seats: int, rng: random.Random, teams: Sequence[Sequence[int]] = ()) -> Tables:
    """Return the tables seated so that any two meet more evenly at all distances of their seats, and in one team.

    A search of bounded length finds the improvement. Seats that were even for everybody, within one, stay so.
    """
    search = _SeatingSearch(tables, seats, teams)
    spent = 0
    while spent < min(_MOST_EFFORT, _EFFORT_PER_TABLE * len(tables)):
        swapped, seat, other = search.chain(rng)
        spent += 1 + len(swapped)
        search.try_swap(swapped, seat, other)
    return search.tables


class _SeatingSearch:
    """The current tables, the tables at which each entrant holds each seat, and how often two meet at each distance."""

    def __init__(self, tables: Tables, seats: int, teams: Sequence[Sequence[int]]) -> None:
        self.tables = [list(table) for table in tables]
        self.seats = seats
        distance = {(seat, further): further - seat for seat, further in permutations(range(seats), 2)}
        distance |= {places: _TOGETHER for team in teams for places in permutations(team, 2)}
        # The seats of every two at a table, how far they are apart, and the same seen from the other one.
        pairs = [(s, f, distance[s, f] % seats, distance[f, s] % seats) for s, f in combinations(range(seats), 2)]
        # A swap of two seats changes nothing about pairs at the other ones.
        self.pairs = {
            (seat, other): [pair for pair in pairs if {seat, other} & {*pair[:2]}]
            for seat, other in permutations(range(seats), 2)
        }
        self.weight = [_WEIGHT if steps == _TOGETHER else 1 for steps in range(seats)]
        self.entrants = 1 + max(chain.from_iterable(tables))
        self.held: list[list[list[int]]] = [[[] for _ in range(seats)] for _ in range(self.entrants)]
        for number, table in enumerate(self.tables):
            for seat, entrant in enumerate(table):
                self.held[entrant][seat].append(number)
        matches = [sum(len(numbers) for numbers in by_seat) for by_seat in self.held]
        self.fewest = [count // seats for count in matches]
        self.most = [-(-count // seats) for count in matches]
        self.met = [0] * (self.entrants * self.entrants * seats)
        for table in self.tables:
            self._count(self._keys(table, pairs), 1)

    def chain(self, rng: random.Random) -> tuple[list[int], int, int]:
        """Return tables at which two seats can be swapped, all together, with nobody's seats less even; maybe none.

        The first is any. The entrant that gains the other seat there gives it back at a second table, and so on, until
        the one that lost it at the first has it back, or the seats of both ends stay even without that.
        """
        seat = below(rng, self.seats)
        other = (seat + 1 + below(rng, self.seats - 1)) % self.seats
        found = [below(rng, len(self.tables))]
        gains, loses = self.tables[found[0]][seat], self.tables[found[0]][other]
        open_end = self._may_move(loses, other, seat)
        while not (open_end and gains != loses and self._may_move(gains, seat, other)):
            choice = self.held[gains][other]
            if len(found) == _LONGEST_CHAIN or not choice:
                return [], seat, other
            number = choice[below(rng, len(choice))]
            if number in found:
                return [], seat, other
            found.append(number)
            gains = self.tables[number][seat]
            if gains == loses:
                break
        return found, seat, other

    def _may_move(self, entrant: int, seat: int, other: int) -> bool:
        held = self.held[entrant]
        return len(held[seat]) > self.fewest[entrant] and len(held[other]) < self.most[entrant]

    def try_swap(self, numbers: list[int], seat: int, other: int) -> None:
        """Swap two seats at these tables unless that makes the distances less even."""
        tables, pairs = [self.tables[number] for number in numbers], self.pairs[seat, other]
        before = [key for table in tables for key in self._keys(table, pairs)]
        _swap(tables, seat, other)
        after = [key for table in tables for key in self._keys(table, pairs)]
        if self._count(before, -1) + self._count(after, 1) > 0:
            _swap(tables, seat, other)
            for key, again in zip(after, before, strict=True):
                self.met[key] -= 1
                self.met[again] += 1
            return
        for number, table in zip(numbers, tables, strict=True):
            for new, old in ((seat, other), (other, seat)):
                by_seat = self.held[table[new]]
                by_seat[old].remove(number)
                by_seat[new].append(number)

    def _keys(self, table: list[int], pairs: list[tuple[int, int, int, int]]) -> list[int]:
        """Return the places of pairs at a table among the counts."""
        seats, entrants = self.seats, self.entrants
        return [
            (table[seat] * entrants + table[further]) * seats + steps
            if table[seat] < table[further]
            else (table[further] * entrants + table[seat]) * seats + steps_back
            for seat, further, steps, steps_back in pairs
        ]

    def _count(self, keys: Iterable[int], times: int) -> int:
        """Add pairs to the counts, or with -1 take them out; return by how much the sum of squares rises."""
        rise = 0
        met, seats, weight = self.met, self.seats, self.weight
        for key in keys:
            rise += (2 * times * met[key] + 1) * weight[key % seats]
            met[key] += times
        return rise


def _swap(tables: Tables, seat: int, other: int) -> None:
    for table in tables:
        table[seat], table[other] = table[other], table[seat]
