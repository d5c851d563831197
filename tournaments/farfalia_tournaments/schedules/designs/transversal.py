"""Transversal designs: rounds in which nobody meets anybody twice, for q times as many entrants as a table has seats.

The entrants form as many groups of q as a table has seats. At table j of round m sits entrant j + m·r of group r,
calculated in the Galois field of q elements, for q a power of a prime and at least the number of seats. Two of
different groups meet in exactly one of the q rounds, two of one group never. For other numbers q the product of fields
does the same if each is large enough: H. F. MacNeish, "Euler Squares", Annals of Mathematics 23, 1922.
"""

from farfalia_tournaments.schedules.galois import fields, plus, times
from farfalia_tournaments.schedules.model import Tables


def transversal_rounds(entrants: int, seats: int, rounds: int) -> list[Tables] | None:
    """Return this many rounds in which nobody meets anybody twice, or None if there are none."""
    order, rest = divmod(entrants, seats)
    smallest = min((prime**exponent for prime, exponent in fields(order)), default=0)
    if rest or rounds > order or smallest < seats:
        return None
    # Any two of these differ in each component, so their difference divides everything.
    rows = [_diagonal(row, order) for row in range(seats)]
    return [
        [
            [group * order + plus(table, times(slope, row, order), order) for group, row in enumerate(rows)]
            for table in range(order)
        ]
        for slope in range(rounds)
    ]


def _diagonal(number: int, order: int) -> int:
    """Return the element whose component in each field is this number."""
    element, weight = 0, 1
    for prime, exponent in fields(order):
        element, weight = element + weight * number, weight * prime**exponent
    return element
