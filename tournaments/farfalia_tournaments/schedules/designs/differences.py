"""Counts of the differences within blocks of residues, kept while the blocks change.

When the blocks are developed mod v, two entrants at circular distance d meet as often as d occurs as a difference
within the blocks. So a schedule of thousands of tables is as even as a handful of counts.
"""

import random
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

from farfalia_tournaments.schedules.annealing import distance_costs
from farfalia_tournaments.schedules.cooling import SWEEP, acceptances
from farfalia_tournaments.schedules.span import around

#: Temperatures at which the annealing begins and ends.
_HOT: Final = 1.0
_COLD: Final = 0.15

#: By how much a change raised the cost, and what undoes it.
Move = tuple[int, Callable[[], object]]


class Differences:
    """How often pairs at each circular distance meet, and the cost of that: 0 if they are even within one."""

    def __init__(self, modulus: int, blocks: Sequence[list[int]]) -> None:
        self._distance = [min(gap, modulus - gap) for gap in range(modulus)]
        # Half way around the circle, adding every residue in turn gives each pair twice.
        self._weight = [2 if 2 * distance == modulus else 1 for distance in range(modulus // 2 + 1)]
        ordered_pairs = sum(len(block) * (len(block) - 1) for block in blocks)
        self._costs = distance_costs(around(ordered_pairs, modulus - 1), ordered_pairs + 2)
        self.met = [0] * len(self._weight)
        for block in blocks:
            for one, other in combinations(block, 2):
                distance = self._distance[one - other]
                self.met[distance] += self._weight[distance]
        self.cost = sum(self._costs[count] for count in self.met[1:])

    def replace(self, block: list[int], place: int, value: int) -> int:
        """Put a value into a block and return by how much that raised the cost."""
        met, costs, distances, weights = self.met, self._costs, self._distance, self._weight
        old, block[place] = block[place], value
        change = 0
        for position, mate in enumerate(block):
            if position == place:
                continue
            distance = distances[old - mate]
            count = met[distance]
            met[distance] = fewer = count - weights[distance]
            change += costs[fewer] - costs[count]
            distance = distances[value - mate]
            count = met[distance]
            met[distance] = more = count + weights[distance]
            change += costs[more] - costs[count]
        self.cost += change
        return change


def settle(differences: Differences, move: Callable[[], Move], moves: int, rng: random.Random) -> bool:
    """Anneal the blocks by `move` until their differences are even within one; False if as many moves fail."""
    for acceptance in acceptances(moves, _HOT, _COLD):
        for _ in range(SWEEP):
            if differences.cost == 0:
                return True
            change, undo = move()
            if change > 0 and (change >= len(acceptance) or rng.random() >= acceptance[change]):
                undo()
    return differences.cost == 0
