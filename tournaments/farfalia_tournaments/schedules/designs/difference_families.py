"""Cyclic families: everybody meets everybody with hardly more matches than that needs.

A few blocks of residues, each played with 0 … entrants - 1 added: everybody plays equally often, and pairs meet
equally often within one.
"""

import random
from itertools import count
from math import gcd

from farfalia_tournaments.schedules.chance import below, shuffled
from farfalia_tournaments.schedules.designs.differences import Differences, Undoable, settle
from farfalia_tournaments.schedules.designs.known import DIFFERENCE_FAMILIES

_MATCHES_FOR_COMPLETE = 20
_TRIES = 2
_MOVES, _MOVES_PER_PLACE = 40_000, 2_000


def cyclic_design(entrants: int, seats: int, rng: random.Random) -> list[list[int]]:
    """Return tables at which every pair meets, everybody plays equally often, and pairs are even within one.

    A complete design if one is found within 20 matches for each entrant; otherwise of as few blocks as the search
    succeeds with, which is at most a few more than cover all pairs at best.
    """
    blocks = DIFFERENCE_FAMILIES.get((entrants, seats)) or _blocks(entrants, seats, rng)
    return [[(residue + shift) % entrants for residue in block] for block in blocks for shift in range(entrants)]


def _blocks(entrants: int, seats: int, rng: random.Random) -> list[list[int]]:
    pairs = seats * (seats - 1)
    complete = (entrants - 1) // gcd(pairs, entrants - 1)
    if complete * seats <= _MATCHES_FOR_COMPLETE and (found := _search(entrants, seats, complete, rng)):
        return found
    # With less to spare than this the search is hopeless as a rule, and with a block more it is soon over.
    spare = 20 if entrants <= 100 else 10
    fewest = -(-(spare + 1) * (entrants - 1) // (spare * pairs))
    return next(found for number in count(fewest) if (found := _search(entrants, seats, number, rng)))


def _search(entrants: int, seats: int, number: int, rng: random.Random) -> list[list[int]] | None:
    for _ in range(_TRIES):
        blocks = [shuffled(rng, range(entrants))[:seats] for _ in range(number)]
        differences = Differences(entrants, blocks)

        def move(blocks: list[list[int]] = blocks, differences: Differences = differences) -> Undoable:
            block, place, value = blocks[below(rng, number)], below(rng, seats), below(rng, entrants)
            if value in block:
                return 0, lambda: None
            old = block[place]
            return differences.replace(block, place, value), lambda: differences.replace(block, place, old)

        if settle(differences, move, _MOVES + _MOVES_PER_PLACE * number * seats, rng):
            return blocks
    return None
