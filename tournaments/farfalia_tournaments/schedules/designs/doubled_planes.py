"""Doubled planes: rounds in which 32 entrants at tables of four meet nobody twice, in 10 rounds.

Two affine planes of order 4 on the same 16 points, no line of one with three points of a line of the other, have ten
parallel classes in which every pair meets twice. Each point becomes two entrants, and each line two tables: a sign for
each of its points says which of the two entrants sits at which table. If the two meetings of every pair have different
signs, entrants of different points meet exactly once, and those of one point never. That is a system of linear
equations over GF(2), one for each pair of points.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from typing import Final

from farfalia_tournaments.schedules.designs.resolvable import affine_geometry
from farfalia_tournaments.schedules.model import Tables

#: By the seats of a table, which are a plane's order: where the second plane has the points of the first. Found by
#: trying permutations until the equations had a solution.
_SECOND_PLANES: Final = {4: (6, 12, 4, 14, 9, 3, 0, 8, 13, 5, 15, 7, 2, 1, 11, 10)}


def doubled_planes(entrants: int, seats: int) -> list[Tables] | None:
    """Return rounds in which nobody meets anybody twice, or None if no doubled planes of this size are known."""
    moved = _SECOND_PLANES.get(seats)
    if moved is None or entrants != 2 * len(moved):
        return None
    plane = affine_geometry(len(moved), seats)
    assert plane is not None
    classes = plane + [[[moved[point] for point in line] for line in lines] for lines in plane]
    signs = iter(_signs([line for lines in classes for line in lines]))
    return [
        [[2 * point + (sign ^ other) for point, sign in line] for line in lines for other in (0, 1)]
        for lines in [[list(zip(line, next(signs), strict=True)) for line in lines] for lines in classes]
    ]


def _signs(lines: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return a sign, 0 or 1, for each point of each line, such that the two lines of each pair differ in it."""
    unknown = {(line, point): 1 << number for number, (line, point) in enumerate(_places(lines))}
    constant = 1 << len(unknown)
    equations = []
    for pair in combinations(sorted({point for line in lines for point in line}), 2):
        met = [unknown[line, point] for line, points in enumerate(lines) if {*pair} <= {*points} for point in pair]
        equations.append(reduce(int.__xor__, met, constant))
    solution = _solved(equations, constant)
    return [[int(solution & unknown[number, point] > 0) for point in line] for number, line in enumerate(lines)]


def _places(lines: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    return [(number, point) for number, line in enumerate(lines) for point in line]


def _solved(equations: Sequence[int], constant: int) -> int:
    """Return the unknowns that are 1 in a solution of equations over GF(2); all that are free are 0.

    An equation is a set of bits whose sum is 0; `constant` is the highest, and known to be 1.
    """
    leading: dict[int, int] = {}
    for equation in equations:
        for bit, other in leading.items():
            if equation & bit:
                equation ^= other
        lowest = equation & -equation
        assert lowest != constant, "these planes have no solution"
        if lowest:
            leading = {bit: other ^ equation if other & lowest else other for bit, other in leading.items()}
            leading[lowest] = equation
    return sum(bit for bit, equation in leading.items() if equation & constant)
