"""How a match ended."""

from collections.abc import Sequence
from dataclasses import dataclass

#: Seats that play as one side all match.
Teams = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Points and places by seat, and the points of every deal; a place is shared by equal points (F18).

    >>> Outcome((7, 4), (1, 2), ((7, 4),)).places
    (1, 2)
    """

    points: tuple[int, ...]
    places: tuple[int, ...]
    deals: tuple[tuple[int, ...], ...]
    #: Seats that a house bot had to take over, in the order in which that happened; each is placed last.
    forfeits: tuple[int, ...] = ()


def places(
    points: Sequence[int], forfeits: Sequence[int] = (), teams: Teams | None = None, winning: int = 1
) -> tuple[int, ...]:
    """Return the places by seat: one more than the number of seats, or of teams, with more points (F18).

    If `winning` is more than 1, so many of the best win and are level in first place, with all who have as many points
    as the last of them (F7).

    A forfeited seat is worse than every seat that is not, whatever its points; among the forfeited
    the one that went later is better, so that two of them never share a place. It no longer counts as
    one of its team, whose points stand (F13).

    >>> places((7, 9, 7))
    (2, 1, 2)
    """
    # Those who are placed together, and keys to be compared: those who stayed by their points, those who went by when.
    ranks = []
    for team in teams or [(seat,) for seat in range(len(points))]:
        stayed = tuple(seat for seat in team if seat not in forfeits)
        if stayed:
            ranks.append((stayed, (1, sum(points[seat] for seat in team))))
    ranks += [((seat,), (0, order)) for order, seat in enumerate(forfeits)]
    found = {seat: 1 + sum(other > rank for _, other in ranks) for seats, rank in ranks for seat in seats}
    return tuple(1 if found[seat] <= winning and seat not in forfeits else found[seat] for seat in range(len(points)))
