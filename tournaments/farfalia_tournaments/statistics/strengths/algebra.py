"""Symmetric positive definite matrices as lists of rows: as much algebra as a fit of strengths needs.

The inner loops are `sum(map(mul, …))`, the fastest that Python has without a library.
"""

import math
from collections.abc import Sequence
from operator import mul

Matrix = list[list[float]]


def cholesky(matrix: Sequence[Sequence[float]]) -> Matrix:
    """Return the lower triangle L of matrix = L L', row by row; ValueError if it is not positive definite."""
    lower: Matrix = []
    for row in matrix:
        new: list[float] = []
        for value, above in zip(row, lower, strict=False):
            new.append((value - sum(map(mul, new, above))) / above[-1])
        new.append(math.sqrt(row[len(new)] - sum(map(mul, new, new))))
        lower.append(new)
    return lower


def log_determinant(lower: Matrix) -> float:
    """Return the logarithm of the determinant of L L'."""
    return 2 * sum(math.log(row[-1]) for row in lower)


def forward(lower: Matrix, values: Sequence[float]) -> list[float]:
    """Return x of L x = values."""
    found: list[float] = []
    for row, value in zip(lower, values, strict=True):
        found.append((value - sum(map(mul, row, found))) / row[-1])
    return found


def inverse(lower: Matrix) -> Matrix:
    """Return the inverse of L L'."""
    size = len(lower)
    columns = []  # of the inverse of L, each from its diagonal down
    for start in range(size):
        column = [1 / lower[start][-1]]
        for row in lower[start + 1 :]:
            column.append(-sum(map(mul, row[start:], column)) / row[-1])
        columns.append(column)
    found = [[0.0] * size for _ in range(size)]
    for i, one in enumerate(columns):
        for j in range(i, size):
            found[i][j] = found[j][i] = sum(map(mul, one[j - i :], columns[j]))
    return found


def times(matrix: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Return the product of a matrix and a vector."""
    return [sum(map(mul, row, values)) for row in matrix]
