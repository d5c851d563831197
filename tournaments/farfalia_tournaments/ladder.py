"""A ladder that never ends: who sits down next, of those who wait."""

import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from farfalia_tournaments.schedules.chance import shuffled

CLOSE = 1.0
"""By how many times the spread of the field somebody must be away to count half as much as an equal."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that waits for a table.

    `mu`, `sigma` and `matches` are those of its rating, `idle` the seconds since its last match or since it came,
    and `capacity` how many matches it could begin now. `owner` is None for a house bot, which is nobody's sibling.
    """

    entrant: int
    mu: float
    sigma: float
    matches: int
    idle: float
    owner: Hashable
    capacity: int = 1


def next_table(
    candidates: Sequence[Candidate], seats: int, *, rng: random.Random, siblings: bool = False
) -> tuple[int, ...] | None:
    """Return who plays next, in the order of their seats, or None while there are too few.

    The first is always whoever has played least, and of those who has waited longest: so everybody has a share,
    whatever the others are drawn by. These are drawn with weights for what a match with them teaches: twice as
    uncertain counts twice as much, far away in mu less, having waited longer than others more. No two have one owner
    unless `siblings` may meet. The same candidates in any order and the same state of `rng` give the same table.
    """
    waiting = in_line(candidates)
    if len(companies(waiting, siblings)) < seats:
        return None
    first = waiting[0]
    table = [first]
    others = waiting[1:]
    spread = max(pstdev(other.mu for other in waiting), fmean(other.sigma for other in waiting))
    patience = fmean(other.idle for other in waiting)
    while len(table) < seats:
        others = [other for other in others if siblings or not any(_related(other, one) for one in table)]
        weights = [_lesson(first, other, spread, patience) for other in others]
        table.append(others.pop(_drawn(weights, rng)))
    return tuple(candidate.entrant for candidate in shuffled(rng, table))


def in_line(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return those who could begin a match, in the order in which they are sure to be seated."""
    able = (candidate for candidate in candidates if candidate.capacity > 0)
    return sorted(able, key=lambda candidate: (candidate.matches, -candidate.idle, candidate.entrant))


def companies(candidates: Sequence[Candidate], siblings: bool) -> set[tuple[bool, Hashable]]:
    """Return who of these could sit at one table: every owner once, every house bot, or everybody."""
    return {
        (True, candidate.entrant) if siblings or candidate.owner is None else (False, candidate.owner)
        for candidate in candidates
    }


def _related(one: Candidate, other: Candidate) -> bool:
    return one.owner is not None and one.owner == other.owner


def _lesson(first: Candidate, other: Candidate, spread: float, patience: float) -> float:
    closeness = 1 / (1 + abs(first.mu - other.mu) / (CLOSE * spread))
    waited = 1 + other.idle / patience if patience > 0 else 1.0
    return other.sigma * closeness * waited


def _drawn(weights: Sequence[float], rng: random.Random) -> int:
    mark = rng.random() * sum(weights)
    for place, weight in enumerate(weights):
        mark -= weight
        if mark < 0:
            return place
    return len(weights) - 1
