"""A sum tree: draws one of many by weights that grow with waiting time, in O(log n)."""

import random


class WeightTree:
    """Numbers (of anything), each with a weight above 0 and the time at which it began to wait, in seconds.

    A draw at a time `now` takes number i in proportion to `weight × (1 + (now - since) / patience)`. That is linear in
    the weight and in weight × since, so two sums per node of a binary tree are enough, whatever the time is.
    """

    def __init__(self) -> None:
        self._leaves = 1
        #: Sums of weight, and of weight × since, by node: node 1 is the root, leaf k is node `leaves + k`.
        self._weight = [0.0, 0.0]
        self._moment = [0.0, 0.0]
        self._leaf: dict[int, int] = {}
        self._number: list[int] = [0]
        self._since: dict[int, float] = {}
        self._free = [0]
        #: Sum of the times at which the numbers began to wait.
        self.total_time = 0.0

    @property
    def total_weight(self) -> float:
        """Sum of the weights."""
        return self._weight[1]

    def put(self, number: int, weight: float, since: float) -> None:
        """Add a number that is not there."""
        if not self._free:
            self._grow()
        leaf = self._free.pop()
        self._leaf[number], self._number[leaf], self._since[number] = leaf, number, since
        self.total_time += since
        self._set(leaf, weight, weight * since)

    def remove(self, number: int) -> None:
        """Remove a number that is there."""
        leaf = self._leaf.pop(number)
        self._free.append(leaf)
        self.total_time -= self._since.pop(number)
        if not self._leaf:
            self.total_time = 0.0  # what rounding has left of it
        self._set(leaf, 0.0, 0.0)

    def draw(self, now: float, patience: float, rng: random.Random) -> int:
        """Return one number at random; with a patience of 0 seconds by the weights alone. It needs at least one."""
        early, late = (1 + now / patience, 1 / patience) if patience > 0 else (1.0, 0.0)
        weight, moment = self._weight, self._moment
        node = 1
        mark = rng.random() * (early * weight[1] - late * moment[1])
        while node < self._leaves:
            node *= 2
            left = early * weight[node] - late * moment[node]
            # Rounding must not lead to an empty branch.
            if weight[node + 1] and (mark >= left or not weight[node]):
                mark -= left
                node += 1
        return self._number[node - self._leaves]

    def _set(self, leaf: int, weight: float, moment: float) -> None:
        # Each node is the sum of its children, never a running total: nothing is left behind by rounding.
        node = self._leaves + leaf
        self._weight[node], self._moment[node] = weight, moment
        while node > 1:
            node //= 2
            self._weight[node] = self._weight[2 * node] + self._weight[2 * node + 1]
            self._moment[node] = self._moment[2 * node] + self._moment[2 * node + 1]

    def _grow(self) -> None:
        """Double the tree: the old one becomes the left half of the new one."""
        old = self._leaves
        for sums in (self._weight, self._moment):
            grown = [0.0] * (4 * old)
            start = 1
            while start <= old:
                grown[2 * start : 3 * start] = sums[start : 2 * start]
                start *= 2
            grown[1] = sums[1]
            sums[:] = grown
        self._leaves = 2 * old
        self._number += [0] * old
        self._free = list(range(2 * old - 1, old - 1, -1))
