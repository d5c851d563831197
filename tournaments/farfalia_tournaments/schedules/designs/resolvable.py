"""Resolvable designs known to algebra: rounds of full tables in which every pair meets exactly once (λ = 1).

For tables of two, the circle method: T. P. Kirkman, "On a Problem in Combinations", Cambridge and Dublin Mathematical
Journal 2, 1847. For q^d entrants at tables of q, the lines of the affine geometry AG(d, q): R. C. Bose, "On the
Construction of Balanced Incomplete Block Designs", Annals of Eugenics 9, 1939.
"""

from farfalia_tournaments.schedules.galois import plus, times, vectors
from farfalia_tournaments.schedules.model import Tables


def circle_method(entrants: int) -> list[Tables]:
    """Return the rounds of a round robin at tables of two.

    One entrant keeps its place, the others move around a circle; of an odd number one has a bye in each round.
    """
    circle = entrants - 1 if entrants % 2 == 0 else entrants
    rounds = []
    for turn in range(circle):
        tables = [[(turn + step) % circle, (turn - step) % circle] for step in range(1, (circle + 1) // 2)]
        rounds.append(tables + ([[turn, circle]] if circle < entrants else []))
    return rounds


def affine_geometry(entrants: int, seats: int) -> list[Tables] | None:
    """Return the lines of AG(d, q), a round per parallel class; None unless `entrants` is a power of `seats`.

    25 entrants at tables of five meet once in 6 rounds, 125 in 31.
    """
    dimension, points = 1, seats
    while points < entrants:
        dimension, points = dimension + 1, points * seats
    if points != entrants:
        return None
    space = vectors(dimension, seats)
    number = {point: index for index, point in enumerate(space)}
    rounds = []
    for direction in space:
        if _first_of(direction) != 1:
            continue
        seen: set[int] = set()
        tables: Tables = []
        for start in space:
            if number[start] not in seen:
                line = [number[_along(start, direction, scale, seats)] for scale in range(seats)]
                seen.update(line)
                tables.append(line)
        rounds.append(tables)
    return rounds


def _first_of(direction: tuple[int, ...]) -> int:
    """Return the first coordinate that is not 0; it is 1 in one vector of each parallel class."""
    return next((coordinate for coordinate in direction if coordinate), 0)


def _along(start: tuple[int, ...], direction: tuple[int, ...], scale: int, order: int) -> tuple[int, ...]:
    return tuple(plus(s, times(scale, d, order), order) for s, d in zip(start, direction, strict=True))
