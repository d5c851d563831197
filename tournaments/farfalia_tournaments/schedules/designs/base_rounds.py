"""Base rounds developed mod v: one round on a circle of residues, repeated with 1, 2, 3 … added to every number.

With v entrants the design is cyclic; with v + 1 it is 1-rotational: the last entrant is the point at infinity, to which
nothing is added. Base rounds whose differences are even within one are found by simulated annealing.
"""

import random
from math import gcd
from typing import Final

from farfalia_tournaments.schedules.chance import below, shuffled
from farfalia_tournaments.schedules.designs.differences import Differences, Move, settle
from farfalia_tournaments.schedules.designs.known import BASE_ROUNDS
from farfalia_tournaments.schedules.model import Tables

#: Moves of a search from one start, per base round. Short searches from many starts find more than long ones.
_MOVES: Final = 5_000


def fewest_base_rounds(entrants: int, seats: int) -> int:
    """Return the fewest base rounds that can develop into a balanced design: all pairs meet equally often."""
    if entrants % seats == 0:
        return 1
    meetings = entrants // seats * seats * (seats - 1)
    return (entrants - 1) // gcd(meetings, entrants - 1)


def developed(
    entrants: int, seats: int, base_rounds: int, *, infinity: bool, rng: random.Random
) -> list[Tables] | None:
    """Return the rounds that base rounds develop into, byes equal and pairs even within one; None if none are found.

    With a point at infinity the last entrant keeps its number while the others move on; that needs full rounds.
    """
    modulus = entrants - infinity
    found: list[Tables] | None
    if base_rounds == 1 and infinity == (entrants % seats == 0) and (entrants, seats) in BASE_ROUNDS:
        found = [BASE_ROUNDS[entrants, seats]]
    else:
        found = _search(entrants, seats, base_rounds, infinity=infinity, rng=rng)
    if found is None:
        return None
    return [_developed(tables, shift, modulus, infinity=infinity) for tables in found for shift in range(modulus)]


def _search(entrants: int, seats: int, base_rounds: int, *, infinity: bool, rng: random.Random) -> list[Tables] | None:
    modulus = entrants - infinity
    for _ in range(entrants // 2):
        found = [
            _random_base_round(modulus, entrants // seats, seats, infinity=infinity, rng=rng)
            for _ in range(base_rounds)
        ]
        differences = Differences(modulus, [table for *tables, _ in found for table in tables])

        def move(found: list[Tables] = found, differences: Differences = differences) -> Move:
            return _exchange(found[below(rng, base_rounds)], differences, rng)

        if settle(differences, move, _MOVES * base_rounds, rng):
            return [tables for *tables, _ in found]
    return None


def _random_base_round(modulus: int, tables: int, seats: int, *, infinity: bool, rng: random.Random) -> Tables:
    """Seat the residues at random, the first table one short for the point at infinity; the bench comes last."""
    residues = shuffled(rng, range(modulus))
    sizes = [seats - infinity] + [seats] * (tables - 1)
    base = []
    for size in sizes:
        base.append(residues[:size])
        residues = residues[size:]
    return [*base, residues]


def _exchange(base: Tables, differences: Differences, rng: random.Random) -> Move:
    """Swap two residues of a base round; those on the bench have byes and no differences."""
    bench = base[-1]
    while True:
        here, there = base[below(rng, len(base) - 1)], base[below(rng, len(base))]
        if here is not there and there:
            break
    place, other_place = below(rng, len(here)), below(rng, len(there))
    one, other = here[place], there[other_place]

    def put(first: int, second: int) -> int:
        change = differences.replace(here, place, first)
        if there is bench:
            bench[other_place] = second
            return change
        return change + differences.replace(there, other_place, second)

    return put(other, one), lambda: put(one, other)


def _developed(tables: Tables, shift: int, modulus: int, *, infinity: bool) -> Tables:
    round_ = [[(residue + shift) % modulus for residue in table] for table in tables]
    if infinity:
        round_[0].append(modulus)
    return round_
