"""Rounds that turn: one round on a circle of residues, played again with 1, 2, 3 … added to every number."""

import random
from math import gcd

from farfalia_tournaments.schedules.chance import below, shuffled
from farfalia_tournaments.schedules.designs.differences import Differences, Undoable, settle
from farfalia_tournaments.schedules.designs.known import STARTERS
from farfalia_tournaments.schedules.model import Tables

_MOVES = 5_000
"""Moves in one search from one start, for each starter. Short searches from many starts find more than long ones."""


def complete_turns(entrants: int, seats: int) -> int:
    """Return from how many starters on, turned all around, every pair can meet equally often."""
    if entrants % seats == 0:
        return 1
    meetings = entrants // seats * seats * (seats - 1)
    return (entrants - 1) // gcd(meetings, entrants - 1)


def turned(entrants: int, seats: int, starters: int, *, pivot: bool, rng: random.Random) -> list[Tables] | None:
    """Return rounds from so many starters, byes equal and pairs even within one; None if the search finds none.

    With a pivot the last entrant keeps its table while the others turn; that needs full rounds.
    """
    modulus = entrants - pivot
    bases: list[Tables] | None
    if starters == 1 and pivot == (entrants % seats == 0) and (entrants, seats) in STARTERS:
        bases = [STARTERS[entrants, seats]]
    else:
        bases = _search(entrants, seats, starters, pivot=pivot, rng=rng)
    if bases is None:
        return None
    return [_shifted(tables, shift, modulus, pivot=pivot) for tables in bases for shift in range(modulus)]


def _search(entrants: int, seats: int, starters: int, *, pivot: bool, rng: random.Random) -> list[Tables] | None:
    modulus = entrants - pivot
    for _ in range(entrants // 2):
        bases = [_base(modulus, entrants // seats, seats, pivot=pivot, rng=rng) for _ in range(starters)]
        differences = Differences(modulus, [table for *tables, _ in bases for table in tables])

        def move(bases: list[Tables] = bases, differences: Differences = differences) -> Undoable:
            return _exchange(bases[below(rng, starters)], differences, rng)

        if settle(differences, move, _MOVES * starters, rng):
            return [tables for *tables, _ in bases]
    return None


def _base(modulus: int, tables: int, seats: int, *, pivot: bool, rng: random.Random) -> Tables:
    """Seat the residues at random: the first table is one short if the pivot sits there; the bench comes last."""
    residues = shuffled(rng, range(modulus))
    sizes = [seats - pivot] + [seats] * (tables - 1)
    base = []
    for size in sizes:
        base.append(residues[:size])
        residues = residues[size:]
    return [*base, residues]


def _exchange(base: Tables, differences: Differences, rng: random.Random) -> Undoable:
    """Let two residues of a round change places; the bench counts for nothing."""
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


def _shifted(tables: Tables, shift: int, modulus: int, *, pivot: bool) -> Tables:
    round_ = [[(residue + shift) % modulus for residue in table] for table in tables]
    if pivot:
        round_[0].append(modulus)
    return round_
