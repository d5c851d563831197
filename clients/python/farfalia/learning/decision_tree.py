"""A tree over a seat's own decisions, grown in many worlds in lock step.

The others play on as their models do. The seat plays on as cautious does, or another card where that gains more in all
worlds together in which it would see the same: what it cannot know decides nothing. Worlds that look the same to it are
few early in a deal, so that nothing grows there. Towards the end they are many, and where all of them are among those
that were drawn the ending is solved against these models.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from farfalia.learning.card_sets import Bytes, Places
from farfalia.learning.lockstep_policy import Floats, PolicyTable, Whims

#: Rows that a table grows to at most.
_ROWS: Final = 2048
#: A card must be better than cautious's by this number of standard errors, in worlds that count as much as this number.
#: Where each counts as much on average, all that are possible are taken to be among them.
_DOUBT: Final = 1.0
_ENOUGH: Final = 4.0
#: Cards are below this number.
_CARDS: Final = 64
#: What was seen is told by a number: it is multiplied by this odd one for all that is added.
_APART: Final = np.uint64(0x9E3779B97F4A7C15)
#: Values are multiples of one part in this number, so that sums of them are the same on every machine.
_GRID: Final = 2.0**20


def tree_values(
    table: PolicyTable, own: NDArray[np.bool_], weights: Floats, counts: Floats, whims: Whims | None
) -> Floats:
    """Return by how much the seat comes out ahead in each row, (rows,), if it plays on as the tree says.

    Rows are worlds, which count so much, once for each action that was tried, one action after the other. `own` says by
    position whether the seat plays there, `weights` by side what a point counts; whims are by world. The table is used
    up.
    """
    count = len(counts)
    world = np.arange(len(table.rows)) % count
    seen = (np.arange(len(table.rows)) // count).astype(np.uint64) * _APART + table.shown
    branchings = []
    while table.left > 1:
        acting = table.acting
        cards, values = table.values()
        if whims is not None:
            values += whims.scale[acting, world] * whims.liking[cards, world]
        policy = values.argmax(axis=0)
        played = cards[policy, table.rows]
        mine = own[acting]
        if mine.any() and len(cards) > 1:
            is_policy = np.arange(len(cards))[:, np.newaxis] == policy
            row, choice = np.nonzero((is_policy | (mine & np.isfinite(values))).T)
            group = np.full(len(seen), -1)
            group[mine] = np.unique(seen[mine], return_inverse=True)[1]
            # Where most rows look like no other one nothing can be found out.
            if len(row) <= _ROWS and counts[world[mine]].sum() >= 2 * (group.max() + 1):
                played = cards[choice, row]
                branchings.append(_Branching(row, played, is_policy[choice, row], group, world))
                table, world, seen = table.chosen(row), world[row], seen[row]
        seen = (seen + played + np.uint64(1)) * _APART
        table.play(played)
        if not table.step:
            seen = (seen + table.shown) * _APART
    found: Floats = np.rint(weights @ table.play_out() * _GRID) / _GRID
    for branching in reversed(branchings):
        found = branching.decided(found, counts)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Branching:
    """Rows of a table, the parents, each with the cards that were tried in it: the rows of the table after it."""

    #: By child: the row that it comes from, its card, and whether the policy plays that.
    parent: Places
    card: Bytes
    policy: NDArray[np.bool_]
    #: By parent: the number of those that look the same to the seat, -1 where another one plays; and the world.
    group: Places
    world: Places

    def decided(self, values: Floats, counts: Floats) -> Floats:
        """Return what each parent comes to, by what its children do, if the seat plays one card in all of its group."""
        group = self.group[self.parent]
        tried = group >= 0
        parent, card = self.parent[tried], self.card[tried]
        world = self.world[parent]
        half, others = np.zeros_like(world), np.zeros_like(world)
        if counts.mean() < _ENOUGH:
            # These are a few of many worlds. What is best in one half of them is tried in the other one: a card chosen
            # for the worlds in which it is counted would seem to come to more than it does.
            half, others = world % 2, 1 - world % 2
        which = (2 * group[tried] + half) * _CARDS + card
        size = 2 * (self.group.max() + 1) * _CARDS
        weights = counts[world]
        gains = values[tried] - values[self.policy][parent]
        total = np.bincount(which, weights, size)
        mean = np.bincount(which, weights * gains, size) / np.maximum(total, 1)
        error = np.sqrt(np.bincount(which, (weights * (gains - mean[which])) ** 2, size)) / np.maximum(total, 1)
        clear = (mean > _DOUBT * error) & (total >= _ENOUGH)
        better = np.where(clear, mean, 0.0).reshape(-1, _CARDS)
        best = np.where(better.any(axis=1), better.argmax(axis=1), _CARDS)[2 * group[tried] + others]
        chosen = self.policy.copy()
        chosen[tried] = np.where(best < _CARDS, card == best, chosen[tried])
        return values[chosen]
