"""Designs on several circles of residues: R. C. Bose's method of mixed differences.

The entrants sit on circles of m residues each, the first m on the first, the next m on the second, and so on; those
that are left over are points at infinity. A base round is repeated with 1 … m - 1 added to the residues of all circles,
which gives m rounds. A base table with one entrant of each circle gives a whole round by itself. R. C. Bose, "On the
Construction of Balanced Incomplete Block Designs", Annals of Eugenics 9, 1939. The base rounds were found by searches:
by annealing, those of 85 as exact covers of the space by its lines, which R. H. F. Denniston, "Some Packings of
Projective Spaces", Atti della Accademia Nazionale dei Lincei 52, 1972, shows to exist. A test counts again what each
develops into.
"""

from typing import Final

from farfalia_tournaments.schedules.designs.known import tables_of
from farfalia_tournaments.schedules.model import Tables


class _Base:
    """Base rounds and base tables over circles of `modulus` residues, from texts in which a bar separates tables."""

    def __init__(self, modulus: int, *rounds: str, tables: str = "") -> None:
        self.modulus = modulus
        self.rounds = [tables_of(text) for text in rounds]
        self.tables = tables_of(tables) if tables else []


#: Rounds in which every pair meets equally often: once, but three in ten twice.
_BALANCED: Final = {
    (10, 3): _Base(5, "6 8 0 | 2 3 1 | 4 9 7", "0 7 3 | 5 6 1 | 2 8 9"),
    (21, 3): _Base(
        7, "9 12 10 | 0 4 5 | 11 14 2 | 6 19 13 | 16 15 20 | 1 18 7 | 3 17 8", tables="4 8 20 | 3 13 14 | 2 10 17"
    ),
    (33, 3): _Base(
        11,
        "27 6 21 | 0 22 5 | 16 15 25 | 32 30 26 | 12 17 19 | 29 18 4 | 8 23 24 | 20 3 7 | 13 28 31 | 2 11 14 | 10 9 1",
        tables="7 12 26 | 0 19 24 | 1 12 24 | 2 12 31 | 4 11 24",
    ),
    (39, 3): _Base(
        19,
        "0 13 36 | 16 23 4 | 35 20 32 | 18 10 24 | 8 30 29 | 17 37 2 | 28 33 1 | 22 31 7 | 5 38 34 | 15 26 14 | "
        "6 11 9 | 3 21 12 | 25 19 27",
    ),
    (45, 3): _Base(
        15,
        "27 5 17 | 38 8 36 | 0 31 41 | 21 29 15 | 12 39 33 | 24 11 20 | 19 30 44 | 40 26 1 | 32 43 35 | 23 6 9 | "
        "22 7 42 | 16 18 34 | 25 37 28 | 10 2 4 | 3 14 13",
        tables="1 22 41 | 1 20 33 | 8 19 42 | 7 15 36 | 12 28 35 | 2 20 35 | 12 17 34",
    ),
    (51, 3): _Base(
        25,
        "24 2 18 | 7 19 33 | 25 15 13 | 45 35 17 | 12 4 46 | 37 28 36 | 10 11 26 | 3 32 39 | 34 14 21 | 27 0 48 | "
        "1 6 31 | 49 38 43 | 41 29 22 | 30 50 8 | 20 5 16 | 9 42 40 | 47 44 23",
    ),
    (57, 3): _Base(
        19,
        "28 34 24 | 38 35 32 | 33 6 18 | 12 37 36 | 2 1 22 | 52 23 51 | 39 46 48 | 50 44 55 | 26 41 56 | 40 43 10 | "
        "42 19 15 | 31 5 45 | 30 16 8 | 49 11 7 | 3 9 54 | 25 27 20 | 17 14 0 | 4 47 13 | 29 21 53",
        tables="12 29 56 | 11 27 46 | 4 22 43 | 11 30 47 | 8 21 39 | 8 19 45 | 16 25 45 | 5 34 46 | 3 34 50",
    ),
    (40, 4): _Base(
        13,
        "0 13 39 26 | 35 16 18 38 | 20 9 23 8 | 12 37 32 5 | 27 22 15 36 | 21 1 17 11 | 10 33 31 2 | 29 14 19 30 | "
        "24 3 25 7 | 4 34 28 6",
    ),
    # The lines of the projective space PG(3, 4), in the rounds of a packing.
    (85, 5): _Base(
        7,
        "0 8 16 17 19 | 1 29 52 79 81 | 10 50 66 67 82 | 13 31 32 37 71 | 11 36 49 60 80 | 7 21 61 73 78 | "
        "4 39 48 70 75 | 12 41 51 56 74 | 2 28 38 42 63 | 3 25 27 57 69 | 6 22 26 33 40 | 9 30 46 68 84 | "
        "5 35 54 62 65 | 14 47 58 59 72 | 15 44 53 55 83 | 18 24 34 45 64 | 20 23 43 76 77",
        "0 2 6 13 20 | 12 43 45 55 73 | 5 48 58 77 81 | 8 41 44 47 82 | 3 28 61 70 71 | 18 35 40 69 72 | "
        "7 59 65 68 74 | 11 23 38 64 66 | 17 25 31 76 80 | 16 37 53 56 84 | 4 36 67 78 79 | 10 21 30 33 52 | "
        "9 22 39 50 57 | 1 26 27 42 49 | 14 29 46 63 83 | 15 34 51 54 75 | 19 24 32 60 62",
        "0 29 40 54 56 | 9 31 33 62 77 | 4 34 46 59 66 | 11 21 55 75 81 | 3 8 12 13 18 | 5 36 43 51 57 | "
        "6 27 76 83 84 | 1 32 47 53 65 | 2 52 67 71 74 | 7 22 35 70 80 | 10 26 44 45 60 | 14 25 37 41 42 | "
        "15 24 49 50 63 | 16 23 68 73 82 | 17 28 48 64 72 | 19 58 61 69 79 | 20 30 38 39 78",
    ),
}

#: Rounds in which nobody meets anybody twice, as many as there can be: tables of three leave everybody one opponent
#: that it does not meet, 24 at tables of four two.
_AT_MOST_ONCE: Final = {
    (18, 3): _Base(
        4,
        "16 2 8 | 4 1 13 | 11 6 7 | 15 0 5 | 12 3 10 | 14 9 17",
        "2 17 6 | 9 0 1 | 12 15 8 | 10 4 11 | 7 16 14 | 13 5 3",
    ),
    (24, 3): _Base(11, "0 12 6 | 9 10 7 | 5 19 22 | 18 23 3 | 8 1 17 | 20 16 21 | 13 15 2 | 11 14 4"),
    (30, 3): _Base(
        14, "5 22 0 | 21 7 28 | 15 11 17 | 1 27 2 | 25 20 14 | 24 23 8 | 29 18 13 | 6 10 4 | 9 12 19 | 16 26 3"
    ),
    (36, 3): _Base(
        17,
        "10 21 29 | 31 11 18 | 4 5 22 | 6 2 8 | 14 9 0 | 35 16 30 | 32 7 17 | 15 24 27 | 26 13 3 | 25 20 19 | "
        "33 23 1 | 28 34 12",
    ),
    (24, 4): _Base(7, "18 1 8 22 | 3 0 2 13 | 17 11 12 9 | 10 19 21 5 | 23 7 14 6 | 20 4 15 16"),
}

#: Tables at which every pair meets once, and which form no rounds. The last one of each repeats itself early.
_COMPLETE: Final = {
    (45, 5): _Base(
        15,
        tables="0 1 5 17 42 | 15 16 20 32 12 | 30 31 35 2 27 | 0 2 15 22 36 | 15 17 30 37 6 | "
        "30 32 0 7 21 | 0 3 6 9 12 | 15 18 21 24 27 | 30 33 36 39 42",
    ),
}


def balanced_rounds(entrants: int, seats: int) -> list[Tables] | None:
    """Return rounds in which every pair meets equally often, or None if none are known here."""
    base = _BALANCED.get((entrants, seats))
    return None if base is None else _rounds(base, entrants)


def rounds_at_most_once(entrants: int, seats: int) -> list[Tables] | None:
    """Return rounds in which nobody meets anybody twice, or None if none are known here."""
    base = _AT_MOST_ONCE.get((entrants, seats))
    return None if base is None else _rounds(base, entrants)


def tables_once(entrants: int, seats: int) -> Tables | None:
    """Return tables at which every pair meets once, or None if none are known here."""
    base = _COMPLETE.get((entrants, seats))
    if base is None:
        return None
    places = (
        _developed(table, shift, base.modulus, entrants) for table in base.tables for shift in range(base.modulus)
    )
    return [list(table) for table in dict.fromkeys(tuple(sorted(table)) for table in places)]


def _rounds(base: _Base, entrants: int) -> list[Tables]:
    shifts = range(base.modulus)
    developed = [
        [_developed(table, shift, base.modulus, entrants) for table in tables]
        for tables in base.rounds
        for shift in shifts
    ]
    return developed + [[_developed(table, shift, base.modulus, entrants) for shift in shifts] for table in base.tables]


def _developed(table: list[int], shift: int, modulus: int, entrants: int) -> list[int]:
    """Add the shift to the residues of a table, each on its circle."""
    on_circles = entrants // modulus * modulus
    return [
        place if place >= on_circles else place // modulus * modulus + (place % modulus + shift) % modulus
        for place in table
    ]
