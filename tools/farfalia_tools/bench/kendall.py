"""Kendall's tau, by which benchmarks say how well a field is in order."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

#: A field counts as ranked where tau, on average over the repetitions, is this.
RANKED: Final = 0.95


def kendall(scores: Sequence[float]) -> float:
    """Return Kendall's tau of scores that ought to fall: 1 if all pairs are in order,
    -1 if all are the other way round.

    It takes O(n log n) comparisons: 3,000 scores have 4.5 million pairs, too many to look at each.
    """
    before: list[float] = []  # those of the scores so far, lowest first
    in_order = 0
    for score in scores:
        lower, not_higher = bisect_left(before, score), bisect_right(before, score)
        in_order += len(before) - not_higher - lower
        before.insert(not_higher, score)
    return in_order / (len(scores) * (len(scores) - 1) // 2)
