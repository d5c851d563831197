"""Rounds of full tables, as even as searches of bounded length find them."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Final

from farfalia_tournaments.schedules.annealing import annealed
from farfalia_tournaments.schedules.designs.bounds import narrowest_meetings
from farfalia_tournaments.schedules.model import Tables
from farfalia_tournaments.schedules.span import Span

#: Moves of one search, per table and with bounds: its length depends on the size of the schedule alone.
_MOVES_PER_TABLE: Final = 12_000
_LEAST_MOVES: Final = 50_000
_MOST_MOVES: Final = 2_000_000
#: Where one search is short, several are made, up to as many moves and tries together: from another start it may end
#: one or two more or less even.
_MOVES_OF_ALL: Final = 900_000
_MOST_TRIES: Final = 6


def even_rounds(entrants: int, seats: int, rounds: int, rng: random.Random) -> list[Tables]:
    """Return rounds in which pairs meet about equally often and byes are equal within one.

    Always succeeds; how even the pairs are depends on what the searches find. Most reach the narrowest span that is
    possible, or one wider.
    """
    tables = rounds * (entrants // seats)
    moves = min(_MOST_MOVES, max(_LEAST_MOVES, _MOVES_PER_TABLE * tables))
    tries = max(1, min(_MOST_TRIES, _MOVES_OF_ALL // moves))
    goal = narrowest_meetings(entrants, seats, tables * seats)

    def search(goal: Span) -> tuple[int, list[Tables]]:
        found = annealed(entrants, seats, rounds, goal, moves, rng)
        return _width(entrants, found), found

    width, best = search(goal)
    for _ in range(tries - 1):
        if width > goal.width:
            width, best = min((width, best), search(goal), key=lambda found: found[0])
    # A search whose goal is a wider span reaches it more easily than one that gets near to a narrower goal.
    while tries > 1 and width - 1 > goal.width:
        found = next((found for span in _around(goal, width - 1) if (found := search(span))[0] < width), None)
        if found is None:
            break
        width, best = found
    return best


def _around(goal: Span, width: int) -> Iterator[Span]:
    """Yield the spans of that width that contain the goal."""
    for least in range(max(0, goal.most - width), goal.least + 1):
        yield Span(least, least + width)


def _width(entrants: int, rounds: list[Tables]) -> int:
    met = Counter(chain.from_iterable(combinations(sorted(table), 2) for tables in rounds for table in tables))
    return Span.of(met[pair] for pair in combinations(range(entrants), 2)).width
