"""Round robin: everybody plays in every round but the few with a bye, and meets everybody about equally often."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Final

from farfalia_tournaments.errors import ScheduleError
from farfalia_tournaments.schedules.chance import shuffled
from farfalia_tournaments.schedules.designs import resolvable
from farfalia_tournaments.schedules.designs.base_rounds import developed, fewest_base_rounds
from farfalia_tournaments.schedules.designs.difference_families import cyclic_design
from farfalia_tournaments.schedules.designs.doubled_planes import doubled_planes
from farfalia_tournaments.schedules.designs.mixed_differences import balanced_rounds, rounds_at_most_once, tables_once
from farfalia_tournaments.schedules.designs.transversal import transversal_rounds
from farfalia_tournaments.schedules.designs.unital import hermitian_unital
from farfalia_tournaments.schedules.even_rounds import even_rounds
from farfalia_tournaments.schedules.model import Schedule, Tables
from farfalia_tournaments.schedules.packing import packed
from farfalia_tournaments.schedules.relations import relate_evenly
from farfalia_tournaments.schedules.seats import evenly_seated, one_table

#: Seats of a table for which there are schedules.
TABLE_SIZES: Final = (2, 3, 4, 5)
#: The most rounds that are spent on a balanced design when the number of rounds is left open.
CHEAP_ROUNDS: Final = 25
#: The most rounds of a design that is looked for by developing base rounds.
_LONGEST_SEARCHED: Final = 64


def round_robin(
    entrants: int,
    seats: int = 5,
    rounds: int | None = None,
    *,
    rng: random.Random,
    teams: Sequence[Sequence[int]] = (),
    short: bool = False,
) -> Schedule:
    """Return a schedule in which all pairs meet as equally often as can be found.

    Nobody sits twice in one round; seats and byes are equal for all within one. With as many entrants as seats, each
    round is the one table with its seats permuted.

    With a given number of rounds, each has as many tables as there are entrants for. Without one, there are enough
    rounds for everybody to meet everybody: up to 25 for full rounds of a balanced design, if one is found; for larger
    fields, pairs meet once or twice and rounds differ in their number of tables.

    With `short` there are as few tables as are known for everybody to meet everybody, all equally often within one, and
    rounds may have few tables: 21 entrants at tables of five meet once at 21 tables, one in each round.

    `teams` are seats that play together: any two then share a team as equally often as can be found, and with one
    table as early as possible; without a number, such a table of four plays 6 rounds, which make that exact.

    The same arguments and the same state of `rng` give the same schedule on every machine. Raises ScheduleError
    for too few entrants (fill the table with house bots), unknown table sizes, fewer rounds than one, and rounds with
    `short`.
    """
    _check(entrants, seats, rounds)
    if short and rounds is not None:
        raise ScheduleError(
            "%(rounds)s rounds: expected none with a short design, they follow from the field", rounds=rounds
        )
    names = shuffled(rng, range(entrants))
    if entrants == seats and short:
        drawn = one_table(seats, 1, rng)
    elif entrants == seats and teams:
        cycle = seats * (seats - 1)
        cycles, rest = divmod(rounds or cycle // 2, cycle)
        drawn = _in_teams(seats, cycle, rng, teams) * cycles + _in_teams(seats, rest, rng, teams)
    elif entrants == seats:
        drawn = one_table(seats, seats if rounds is None else rounds, rng)
    else:
        if short:
            numbered = _short(entrants, seats, rng)
        else:
            numbered = _open(entrants, seats, rng) if rounds is None else _fixed(entrants, seats, rounds, rng)
        drawn = _seat_all([shuffled(rng, tables) for tables in shuffled(rng, numbered)], seats, rng, teams)
    named = [[[names[number] for number in table] for table in tables] for tables in drawn]
    return Schedule.of(entrants, seats, named)


def _check(entrants: int, seats: int, rounds: int | None) -> None:
    if seats not in TABLE_SIZES:
        raise ScheduleError(
            "tables of %(seats)s seats: expected one of %(choices)s",
            seats=seats,
            choices=", ".join(map(str, TABLE_SIZES)),
        )
    if entrants < seats:
        raise ScheduleError(
            "%(entrants)s entrants: expected at least %(seats)s, as many as a table has seats",
            entrants=entrants,
            seats=seats,
        )
    if rounds is not None and rounds < 1:
        raise ScheduleError("%(rounds)s rounds: expected at least 1", rounds=rounds)


def _open(entrants: int, seats: int, rng: random.Random) -> list[Tables]:
    """Return rounds in which everybody meets everybody, evenly."""
    if known := _known_design(entrants, seats):
        return known
    for base_rounds, infinity in [*_balanced_base_rounds(entrants, seats), (1, False)]:
        if base_rounds * (entrants - infinity) <= CHEAP_ROUNDS and (
            found := developed(entrants, seats, base_rounds, infinity=infinity, rng=rng)
        ):
            return found
    return packed(tables_once(entrants, seats) or cyclic_design(entrants, seats, rng), rng)


def _short(entrants: int, seats: int, rng: random.Random) -> list[Tables]:
    """Return rounds in which everybody meets everybody, at as few tables as are known."""
    known = _known_design(entrants, seats)
    if known and _meet_once(known, entrants, seats):
        return known
    return packed(tables_once(entrants, seats) or cyclic_design(entrants, seats, rng, short=True), rng)


def _fixed(entrants: int, seats: int, rounds: int, rng: random.Random) -> list[Tables]:
    """Return a given number of rounds, as even as possible."""
    known = _known_design(entrants, seats)
    if known and (_meet_once(known, entrants, seats) or (rounds + 1) % len(known) <= 2):
        return _repeated(known, entrants, rounds, rng)
    at_most_once = rounds_at_most_once(entrants, seats) or doubled_planes(entrants, seats) or []
    if rounds <= len(at_most_once):
        return at_most_once[:rounds]
    if apart := transversal_rounds(entrants, seats, rounds):
        return apart
    for base_rounds, infinity in _balanced_base_rounds(entrants, seats):
        period = base_rounds * (entrants - infinity)
        # One round more or less than a balanced design is even within one; two are not.
        if period <= min(rounds + 1, _LONGEST_SEARCHED) and (rounds + 1) % period <= 2:
            found = developed(entrants, seats, base_rounds, infinity=infinity, rng=rng)
            if found:
                return _repeated(found, entrants, rounds, rng)
    if rounds % entrants == 0 and rounds <= _LONGEST_SEARCHED:
        found = developed(entrants, seats, rounds // entrants, infinity=False, rng=rng)
        if found:
            return found
    return even_rounds(entrants, seats, rounds, rng)


def _known_design(entrants: int, seats: int) -> list[Tables] | None:
    """Return rounds in which every pair meets equally often, if they are known without a search."""
    if seats == 2:
        return resolvable.circle_method(entrants)
    return (
        resolvable.affine_geometry(entrants, seats)
        or hermitian_unital(entrants, seats)
        or balanced_rounds(entrants, seats)
    )


def _meet_once(design: list[Tables], entrants: int, seats: int) -> bool:
    """Return whether every pair meets once, so that any number of rounds, repeated, is even within one."""
    return len(design) * (entrants // seats) * seats * (seats - 1) == entrants * (entrants - 1)


def _balanced_base_rounds(entrants: int, seats: int) -> list[tuple[int, bool]]:
    """Return how many base rounds may develop into a balanced design, and whether with a point at infinity."""
    fewest = fewest_base_rounds(entrants, seats)
    return [(fewest, entrants % seats == 0), (2 * fewest, entrants % seats == 0)]


def _repeated(design: list[Tables], entrants: int, rounds: int, rng: random.Random) -> list[Tables]:
    """Return as many rounds of a design, repeated with the entrants drawn again each time."""
    played: list[Tables] = []
    while len(played) < rounds:
        drawn = shuffled(rng, range(entrants))
        played += [[[drawn[entrant] for entrant in table] for table in tables] for tables in shuffled(rng, design)]
    return played[:rounds]


def _seat_all(rounds: list[Tables], seats: int, rng: random.Random, teams: Sequence[Sequence[int]]) -> list[Tables]:
    """Return the tables of all rounds seated, in the same order."""
    even = evenly_seated(list(chain.from_iterable(rounds)), seats)
    flat = iter(relate_evenly(even, seats, rng, teams))
    return [[next(flat) for _ in tables] for tables in rounds]


def _in_teams(seats: int, rounds: int, rng: random.Random, teams: Sequence[Sequence[int]]) -> list[Tables]:
    """Return rounds of the one table of all entrants, in which the same teams return as late as possible."""
    if not rounds:
        return []
    seen: Counter[frozenset[frozenset[int]]] = Counter()

    def turn(tables: Tables) -> int:
        (table,) = tables
        together = frozenset(frozenset(table[seat] for seat in team) for team in teams)
        seen[together] += 1
        return seen[together]

    return sorted(_seat_all([[list(range(seats))]] * rounds, seats, rng, teams), key=turn)
