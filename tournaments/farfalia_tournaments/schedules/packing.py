"""Greedy packing of tables into rounds in which nobody sits twice: first fit, repeated."""

import random
from itertools import chain
from typing import Final

from farfalia_tournaments.schedules.chance import shuffled
from farfalia_tournaments.schedules.model import Tables

#: How often the tables are packed again.
_PASSES: Final = 30


def packed(tables: Tables, rng: random.Random) -> list[Tables]:
    """Return the tables in about as few rounds as greedy packing finds; rounds differ in their number of tables."""
    best = _first_fit(shuffled(rng, tables))
    for number in range(_PASSES):
        # Packed again round by round, in any order of the rounds, no more rounds are needed than before.
        again = sorted(best, key=len, reverse=True) if number % 3 == 0 else shuffled(rng, best)
        best = _first_fit(list(chain.from_iterable(again)))
    return best


def _first_fit(tables: Tables) -> list[Tables]:
    rounds: list[Tables] = []
    busy: list[int] = []  # a bit for each entrant of a round
    for table in tables:
        sitting = sum(1 << entrant for entrant in table)
        for number, taken in enumerate(busy):
            if not taken & sitting:
                rounds[number].append(table)
                busy[number] |= sitting
                break
        else:
            rounds.append([table])
            busy.append(sitting)
    return rounds
