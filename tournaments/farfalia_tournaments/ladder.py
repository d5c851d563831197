"""A ladder that never ends: who of those who wait sits down next."""

import heapq
import random
from collections.abc import Hashable
from dataclasses import dataclass, replace
from math import sqrt

from farfalia_tournaments.schedules.chance import shuffled
from farfalia_tournaments.weights import WeightTree

CLOSE = 1.0
"""By how many times the spread of the field somebody must be away to count half as much as an equal."""

_TRIES = 64
"""Draws after which the exact sum over all who wait is cheaper than another draw."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that waits for a table.

    `mu`, `sigma` and `matches` are those of its rating, `since` the moment of its last match or of its coming, in
    seconds of any clock, and `capacity` how many matches it could begin now. `owner` is None for a house bot, which is
    nobody's sibling.
    """

    entrant: int
    mu: float
    sigma: float
    matches: int
    since: float
    owner: Hashable
    capacity: int = 1


class WaitingPool:
    """Those who wait on a ladder whose tables have `seats` seats; siblings have one owner.

    It is kept up to date as bots come, go and are rated, and every call costs O(log n) for n bots, except where it
    says otherwise. The same calls with the same state of the randomness give the same tables.
    """

    def __init__(self, seats: int, *, siblings: bool = False) -> None:
        self.seats = seats
        self.siblings = siblings
        self._waiting: dict[int, Candidate] = {}
        self._weights = WeightTree()
        self._line: list[tuple[int, float, int]] = []
        #: The line of each company: of those who can't share a table.
        self._companies: dict[Hashable, list[tuple[int, float, int]]] = {}
        self._sizes: dict[Hashable, int] = {}
        self._mu = self._mu_squared = 0.0

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, entrant: object) -> bool:
        return entrant in self._waiting

    @property
    def companies(self) -> int:
        """How many could sit at one table if it had that many seats."""
        return len(self._sizes)

    def put(self, candidate: Candidate) -> None:
        """Adds a candidate, or replaces what is known of it; one without capacity does not wait."""
        self.remove(candidate.entrant)
        if candidate.capacity <= 0:
            return
        self._waiting[candidate.entrant] = candidate
        self._weights.put(candidate.entrant, candidate.sigma, candidate.since)
        self._mu += candidate.mu
        self._mu_squared += candidate.mu**2
        company, place = self._company(candidate), _place(candidate)
        self._sizes[company] = self._sizes.get(company, 0) + 1
        self._queue(self._line, place, len(self))
        self._queue(self._companies.setdefault(company, []), place, self._sizes[company])

    def remove(self, entrant: int) -> None:
        """Takes a candidate out, if it is there."""
        candidate = self._waiting.pop(entrant, None)
        if candidate is None:
            return
        self._weights.remove(entrant)
        self._mu -= candidate.mu
        self._mu_squared -= candidate.mu**2
        company = self._company(candidate)
        self._sizes[company] -= 1
        if not self._sizes[company]:
            del self._sizes[company], self._companies[company]
        if not self._waiting:  # what rounding has left of the sums goes with the last one
            self._mu = self._mu_squared = 0.0
            self._line.clear()

    def next_table(self, now: float, rng: random.Random) -> tuple[int, ...] | None:
        """Seats a table and returns who plays, in the order of their seats, or None while there are too few.

        The first is always the one that has played least, and of those the one that has waited longest: so everybody
        has a share, whatever the others are drawn by. These are drawn with weights for what a match with them teaches:
        twice as uncertain counts twice as much, far away in mu less, having waited longer than others more. No two
        have one owner unless siblings may meet.
        """
        if self.companies < self.seats:
            return None
        table = [self._first(self._line)]
        spread, patience = self._spread(), self._patience(now)
        while len(table) < self.seats:
            table.append(self._draw(table, spread, patience, now, rng))
        self._seat(table, now)
        return tuple(candidate.entrant for candidate in shuffled(rng, table))

    def next_company(self, now: float) -> tuple[int, ...]:
        """Seats those who can sit together although they are too few for a table, first in line first; may be empty."""
        firsts = sorted((self._first(line) for line in self._companies.values()), key=_place)
        table = firsts[: self.seats]
        self._seat(table, now)
        return tuple(candidate.entrant for candidate in table)

    def places(self) -> dict[int, int]:
        """Returns the place in line of everybody who waits, from 1; O(n log n)."""
        line = sorted(self._waiting.values(), key=_place)
        return {candidate.entrant: place for place, candidate in enumerate(line, 1)}

    def _company(self, candidate: Candidate) -> Hashable:
        alone = self.siblings or candidate.owner is None
        return (True, candidate.entrant) if alone else (False, candidate.owner)

    def _queue(self, line: list[tuple[int, float, int]], place: tuple[int, float, int], valid: int) -> None:
        """Adds a place to a line; those who have left it are taken out when they are the larger part."""
        heapq.heappush(line, place)
        if len(line) > 2 * valid + _TRIES:
            line[:] = {it for it in line if (known := self._waiting.get(it[2])) is not None and _place(known) == it}
            heapq.heapify(line)

    def _first(self, line: list[tuple[int, float, int]]) -> Candidate:
        """The first of a line, past those who have left it or have another place by now."""
        while True:
            candidate = self._waiting.get(line[0][2])
            if candidate is not None and _place(candidate) == line[0]:
                return candidate
            heapq.heappop(line)

    def _seat(self, table: list[Candidate], now: float) -> None:
        for candidate in table:
            taken = replace(candidate, matches=candidate.matches + 1, capacity=candidate.capacity - 1, since=now)
            self.put(taken)

    def _spread(self) -> float:
        mean = self._mu / len(self)
        variance = self._mu_squared / len(self) - mean**2
        return max(sqrt(max(0.0, variance)), self._weights.total_weight / len(self))

    def _patience(self, now: float) -> float:
        """Seconds that those who wait have waited in the mean."""
        return max(0.0, now - self._weights.total_time / len(self))

    def _draw(
        self, table: list[Candidate], spread: float, patience: float, now: float, rng: random.Random
    ) -> Candidate:
        """Draws by rejection: uncertainty and patience from the tree, nearness by accepting in proportion to it."""
        first = table[0]
        taken = {self._company(candidate) for candidate in table}
        for _ in range(_TRIES):
            candidate = self._waiting[self._weights.draw(now, patience, rng)]
            if self._company(candidate) not in taken and rng.random() < _closeness(first, candidate, spread):
                return candidate
        others = [candidate for candidate in self._waiting.values() if self._company(candidate) not in taken]
        weights = [_lesson(first, other, spread, patience, now) for other in others]
        return rng.choices(others, weights)[0]


def _place(candidate: Candidate) -> tuple[int, float, int]:
    return candidate.matches, candidate.since, candidate.entrant


def _closeness(first: Candidate, other: Candidate, spread: float) -> float:
    return 1 / (1 + abs(first.mu - other.mu) / (CLOSE * spread))


def _lesson(first: Candidate, other: Candidate, spread: float, patience: float, now: float) -> float:
    waited = 1 + max(0.0, now - other.since) / patience if patience > 0 else 1.0
    return other.sigma * _closeness(first, other, spread) * waited
