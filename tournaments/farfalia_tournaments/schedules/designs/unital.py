"""Hermitian unitals: rounds in which q³ + 1 entrants meet exactly once, at tables of q + 1.

The entrants are the points of the Hermitian curve yᵠ + y = xᵠ⁺¹ over the Galois field of q² elements, with its one
point at infinity. A line meets the curve in one point or in q + 1, which form a table. Every slope gives a round: the
lines of that slope miss just the points where they touch the curve, and these lie on one vertical line, with the point
at infinity. R. C. Bose, "On the Application of Finite Projective Geometry for Deriving a Certain Series of Balanced
Kirkman Arrangements", Calcutta Mathematical Society, Golden Jubilee Commemoration Volume, 1959.
"""

from farfalia_tournaments.schedules.galois import fields, plus, times
from farfalia_tournaments.schedules.model import Tables


def hermitian_unital(entrants: int, seats: int) -> list[Tables] | None:
    """Return the rounds of the unital, one per slope; None if no unital has this many points and this many on a line.

    28 entrants at tables of four meet once in 9 rounds, 65 at tables of five in 16.
    """
    base = seats - 1
    if entrants != base**3 + 1 or len(fields(base)) != 1:
        return None
    order = base**2
    elements = range(order)
    conjugate = [_power(element, base, order) for element in elements]
    curve = [
        (x, y) for x in elements for y in elements if plus(conjugate[y], y, order) == times(x, conjugate[x], order)
    ]
    number = {point: index for index, point in enumerate(curve)}
    rounds = []
    for slope in elements:
        rises = [times(slope, x, order) for x in elements]
        lines = [[(x, plus(rises[x], offset, order)) for x in elements] for offset in elements]
        on_curve = [[number[point] for point in line if point in number] for line in lines]
        touched = [number[conjugate[slope], y] for y in elements if (conjugate[slope], y) in number]
        rounds.append([*(table for table in on_curve if len(table) == seats), [*touched, base**3]])
    return rounds


def _power(element: int, exponent: int, order: int) -> int:
    power = 1
    for _ in range(exponent):
        power = times(power, element, order)
    return power
