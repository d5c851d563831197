"""Random numbers from nothing but `rng.random()`.

Python promises the same sequence of that one method in all its versions; `shuffle`, `sample` and `randrange`
have changed before.
"""

import random
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def below(rng: random.Random, bound: int) -> int:
    """Return a random number from 0 to bound - 1."""
    return int(rng.random() * bound)


def shuffled(rng: random.Random, items: Iterable[T]) -> list[T]:
    """Return the items in a random order, as a new list: the Fisher–Yates shuffle."""
    drawn = list(items)
    for last in range(len(drawn) - 1, 0, -1):
        other = below(rng, last + 1)
        drawn[last], drawn[other] = drawn[other], drawn[last]
    return drawn
