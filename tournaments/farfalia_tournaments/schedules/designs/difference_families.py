"""Cyclic difference families: base blocks of residues, developed mod v.

Each base block is played with 0 … v - 1 added, v being the number of entrants. Everybody plays equally often, and a
pair meets as often as its difference occurs within the base blocks: λ times if all differences occur equally often.
R. C. Bose, "On the Construction of Balanced Incomplete Block Designs", Annals of Eugenics 9, 1939. Families for which
no algebra is known are found by simulated annealing, and need only be even within one.
"""

import random
from itertools import count
from math import gcd
from typing import Final

from farfalia_tournaments.schedules.chance import below, shuffled
from farfalia_tournaments.schedules.designs.differences import Differences, Move, settle
from farfalia_tournaments.schedules.designs.known import DIFFERENCE_FAMILIES

#: The most matches per entrant for which a balanced design is looked for.
_MATCHES_FOR_BALANCED: Final = 20
#: Starts of one search.
_TRIES: Final = 2
#: Moves of a start, and as many more for each residue of the base blocks.
_MOVES: Final = 40_000
_MOVES_PER_PLACE: Final = 2_000


def cyclic_design(entrants: int, seats: int, rng: random.Random, *, short: bool = False) -> list[list[int]]:
    """Return tables at which every pair meets, everybody plays equally often, and pairs are even within one.

    The design is balanced if such a family is found within 20 matches per entrant, and with `short` if that takes no
    more tables than others; otherwise it has as few base blocks as the search succeeds with, at most a few more than
    cover all pairs at best.
    """
    blocks = DIFFERENCE_FAMILIES.get((entrants, seats)) or _blocks(entrants, seats, rng, short)
    return [[(residue + shift) % entrants for residue in block] for block in blocks for shift in range(entrants)]


def _blocks(entrants: int, seats: int, rng: random.Random, short: bool) -> list[list[int]]:
    pairs = seats * (seats - 1)
    balanced = (entrants - 1) // gcd(pairs, entrants - 1)
    # With less to spare than this the search is hopeless as a rule, and with a block more it is soon over.
    spare = 20 if entrants <= 100 else 10
    fewest = -(-(spare + 1) * (entrants - 1) // (spare * pairs))
    most = fewest if short else _MATCHES_FOR_BALANCED // seats
    if balanced <= most and (found := _search(entrants, seats, balanced, rng)):
        return found
    return next(found for number in count(fewest) if (found := _search(entrants, seats, number, rng)))


def _search(entrants: int, seats: int, number: int, rng: random.Random) -> list[list[int]] | None:
    for _ in range(_TRIES):
        blocks = [shuffled(rng, range(entrants))[:seats] for _ in range(number)]
        differences = Differences(entrants, blocks)

        def move(blocks: list[list[int]] = blocks, differences: Differences = differences) -> Move:
            block, place, value = blocks[below(rng, number)], below(rng, seats), below(rng, entrants)
            if value in block:
                return 0, lambda: None
            old = block[place]
            return differences.replace(block, place, value), lambda: differences.replace(block, place, old)

        if settle(differences, move, _MOVES + _MOVES_PER_PLACE * number * seats, rng):
            return blocks
    return None
