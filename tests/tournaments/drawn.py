"""Schedules that are drawn once in a process; `python -m tests.tournaments.drawn` prints the digests of some."""

import hashlib
import random
from functools import cache
from typing import cast

from farfalia_tournaments import Schedule, round_robin

#: Entrants, seats and rounds: each way to draw a schedule.
CASES: list[tuple[int, int, int | None]] = [
    (5, 5, 7),
    (6, 5, 20),
    (8, 4, None),
    (12, 5, 10),
    (30, 5, None),
    (9, 3, 5),
    (7, 2, None),
]
SEED = 2026


def draw(entrants: int, seats: int = 5, rounds: int | None = None, seed: int = SEED) -> Schedule:
    return _drawn(entrants, seats, rounds, seed)


@cache
def _drawn(entrants: int, seats: int, rounds: int | None, seed: int) -> Schedule:
    return round_robin(entrants, seats, rounds, rng=random.Random(repr(seed)))


def digest(schedule: Schedule) -> str:
    text = repr(schedule.rounds).replace(" byes=", " sitting_out=")  # as it was when the digests were taken
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Chance:
    """Chance of which nothing but `random()` can be drawn."""

    def __init__(self) -> None:
        self.random = random.Random(repr(SEED)).random


if __name__ == "__main__":
    print(*(digest(round_robin(*case, rng=cast(random.Random, Chance()))) for case in CASES))
