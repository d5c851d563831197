"""Swiss rounds, for many entrants and few matches: tables are paired by score, and hardly anybody meets twice."""

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import TypeVar

from farfalia_tournaments.errors import ScheduleError
from farfalia_tournaments.schedules.chance import shuffled
from farfalia_tournaments.schedules.grouping import grouped
from farfalia_tournaments.schedules.history import History
from farfalia_tournaments.schedules.model import Round

#: An entrant, or None for a house bot where there may be some.
Occupant = TypeVar("Occupant", int, int | None)


def swiss_round(scores: Mapping[int, float | Fraction], seats: int, history: History, *, rng: random.Random) -> Round:
    """Return the next round of the entrants that are present, by their scores so far, more being better.

    Late entries are in the scores from then on, and withdrawals no longer. Equal scores are in random order. Byes go to
    those who have had the fewest, the last of the standings first; a round before a late entry counts as a bye, so that
    nobody who was there from the start has two more than another. Repeated meetings are as few as `grouped` finds,
    seats as even as the tables allow. The same arguments and the same state of `rng` give the same round. Raises
    ScheduleError if fewer are present than a table has seats.
    """
    if len(scores) < seats:
        raise ScheduleError(
            "%(entrants)s entrants present: expected at least %(seats)s, as many as a table has seats",
            entrants=len(scores),
            seats=seats,
        )
    ranked = sorted(shuffled(rng, sorted(scores)), key=lambda entrant: -scores[entrant])
    last_first = ranked[::-1]
    byes = set(sorted(last_first, key=history.byes)[: len(ranked) % seats])
    playing = [entrant for entrant in ranked if entrant not in byes]
    tables = grouped(playing, seats, history.meetings, rng)
    return Round(tuple(seated(shuffled(rng, table), history) for table in tables), tuple(sorted(byes)))


def seated(table: Sequence[Occupant], history: History) -> tuple[Occupant, ...]:
    """Return the table in the order of seats that is the most even for those who sit there, given their history.

    Of equally good orders it is the first permutation of the given order.
    """
    seats = range(len(table))
    held = {entrant: [history.held(entrant, seat) for seat in seats] for entrant in table}
    # A seat held one time more costs more than all seats of the table did: it is the most uneven one that counts.
    dearer = len(table) + 1
    cost = {entrant: [dearer ** (count - min(counts)) for count in counts] for entrant, counts in held.items()}
    return min(permutations(table), key=lambda order: sum(cost[entrant][seat] for seat, entrant in enumerate(order)))
