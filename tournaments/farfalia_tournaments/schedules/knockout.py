"""Knock-out of tables: the best of each table qualify for the next round, until one table is left."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from farfalia_tournaments.errors import ScheduleError
from farfalia_tournaments.schedules.chance import shuffled
from farfalia_tournaments.schedules.history import History
from farfalia_tournaments.schedules.knockout_size import KnockoutSize
from farfalia_tournaments.schedules.swiss import seated


@dataclass(frozen=True, slots=True)
class KnockoutRound:
    """The tables of a round, None for a house bot, and the entrants with byes, best seed first."""

    tables: tuple[tuple[int | None, ...], ...]
    byes: tuple[int, ...]


def knockout_plan(entrants: int, seats: int, advance: int | None = None) -> tuple[KnockoutSize, ...]:
    """Return the sizes of all rounds, from the first to the final.

    There are as many full tables as there are entrants for, and the best seeds get the byes. A final is always full of
    entrants: where the numbers do not work out, house bots sit at tables of one round, the first whose entrants do not
    all fit at full tables anyway; they are fewer than a table knocks out. Half of a table advances unless `advance`
    says how many. Raises ScheduleError for fewer entrants than seats, and for tables from which nobody or everybody
    would advance.
    """
    check_knockout(entrants, seats, advance)
    going_on = advance or default_advance(seats)
    sizes = []
    while True:
        size = _size(entrants, seats, going_on)
        sizes.append(size)
        if entrants <= seats:
            return tuple(sizes)
        entrants = size.tables * going_on + size.byes


def check_knockout(entrants: int, seats: int, advance: int | None) -> None:
    """Raise ScheduleError unless a knock-out of as many entrants is possible."""
    if entrants < seats:
        raise ScheduleError(
            "a knock-out of %(entrants)s entrants: expected at least %(seats)s, as many as a table has seats",
            entrants=entrants,
            seats=seats,
        )
    if advance is not None and not 1 <= advance < seats:
        raise ScheduleError(
            "advance %(advance)s: expected 1 to %(most)s of the %(seats)s at a table",
            advance=advance,
            most=seats - 1,
            seats=seats,
        )


def default_advance(seats: int) -> int:
    """Return how many of a table advance by default: half, rounded down."""
    return seats // 2


def knockout_round(
    seeds: Sequence[int],
    seats: int,
    advance: int,
    history: History,
    byes_had: Mapping[int, int],
    *,
    rng: random.Random,
) -> KnockoutRound:
    """Draw the next round of those still in, best seed first.

    The best seeds among those who have had the fewest byes, as `byes_had` counts them, have one now. The others are
    dealt to the tables in serpentine order, so that tables are about equally strong, house bots last. At most `seats`
    entrants play the final.
    """
    size = _size(len(seeds), seats, advance)
    byes = sorted(seeds, key=lambda entrant: byes_had.get(entrant, 0))[: size.byes]
    order: list[int | None] = [entrant for entrant in seeds if entrant not in byes]
    order += [None] * size.house_bots
    tables: list[list[int | None]] = [[] for _ in range(size.tables)]
    for place, entrant in enumerate(order):
        row, column = divmod(place, size.tables)
        tables[column if row % 2 == 0 else -1 - column].append(entrant)
    return KnockoutRound(
        tuple(seated(shuffled(rng, table), history) for table in tables),
        tuple(entrant for entrant in seeds if entrant in byes),
    )


def advanced(
    round_: KnockoutRound, seeds: Sequence[int], advance: int, scores: Mapping[int, float | Fraction]
) -> list[int]:
    """Return who is still in after a round, best seed first; of equal scores the better seed advances."""
    still_in = set(round_.byes)
    for table in round_.tables:
        members = [entrant for entrant in seeds if entrant in table]
        still_in.update(sorted(members, key=lambda entrant: -scores.get(entrant, 0))[:advance])
    return [entrant for entrant in seeds if entrant in still_in]


def _size(entrants: int, seats: int, advance: int) -> KnockoutSize:
    if entrants <= seats:
        return KnockoutSize(entrants, 1, 0, seats - entrants)
    # Every table eliminates as many as do not advance, so that the number to be eliminated has to be a multiple of
    # that. While all tables are full of entrants and more than a final is left, that can wait.
    waits = entrants % seats == 0 and entrants // seats * advance >= seats
    house_bots = 0 if waits else (seats - entrants) % (seats - advance)
    tables, byes = divmod(entrants + house_bots, seats)
    return KnockoutSize(entrants, tables, byes, house_bots)
