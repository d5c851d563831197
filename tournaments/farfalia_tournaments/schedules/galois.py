"""Arithmetic in the Galois fields GF(q) of 2, 3, 4 and 5 elements, the sizes of a table."""

from itertools import product


def plus(one: int, other: int, order: int) -> int:
    """Return the sum of two elements of GF(order)."""
    return one ^ other if order == 4 else (one + other) % order


def times(one: int, other: int, order: int) -> int:
    """Return the product of two elements of GF(order)."""
    if order != 4:
        return one * other % order
    # 1, 2, 3 are the powers 0, 1, 2 of the element 2.
    return 0 if 0 in (one, other) else (one + other - 2) % 3 + 1


def vectors(dimension: int, order: int) -> list[tuple[int, ...]]:
    """Return all vectors over GF(order) of that dimension, the origin first."""
    return list(product(range(order), repeat=dimension))
