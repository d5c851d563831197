"""Rounds for many entrants and few matches: neighbours in the standing meet, and hardly anybody twice."""

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

Occupant = TypeVar("Occupant", int, int | None)
"""An entrant, or None for a house bot where there may be some."""


def swiss_round(scores: Mapping[int, float | Fraction], seats: int, history: History, *, rng: random.Random) -> Round:
    """Draw the next round of those who are present, by their scores so far, more being better.

    Whoever comes late or leaves is in the scores or is not, from then on. Equal scores are in random order. Those who
    sit out have done so least often, the last of the standing first; a round that one came too late for counts, so
    that nobody who was there from the start sits out two more times than another. Repeated meetings are as few as
    `grouped` finds, seats as even as they can be without another table. The same arguments and the same state of
    `rng` give the same round. Raises ScheduleError if fewer are present than a table has seats.
    """
    if len(scores) < seats:
        raise ScheduleError(f"{len(scores)} entrants present: expected at least {seats}, as many as a table has seats")
    ranked = sorted(shuffled(rng, sorted(scores)), key=lambda entrant: -scores[entrant])
    last_first = ranked[::-1]
    idle = set(sorted(last_first, key=history.byes)[: len(ranked) % seats])
    playing = [entrant for entrant in ranked if entrant not in idle]
    tables = grouped(playing, seats, history.meetings, rng)
    return Round(tuple(seated(shuffled(rng, table), history) for table in tables), tuple(sorted(idle)))


def seated(table: Sequence[Occupant], history: History) -> tuple[Occupant, ...]:
    """Return the table in the order of seats that puts nobody where he sat more often than he must have.

    Among equally good orders it is the first of those that the order given begins.
    """
    seats = range(len(table))
    held = {entrant: [history.held(entrant, seat) for seat in seats] for entrant in table}
    # A seat held one time more costs more than all seats of the table did: it is the most uneven one that counts.
    dearer = len(table) + 1
    cost = {entrant: [dearer ** (count - min(counts)) for count in counts] for entrant, counts in held.items()}
    return min(permutations(table), key=lambda order: sum(cost[entrant][seat] for seat, entrant in enumerate(order)))
