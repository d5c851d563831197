"""Matchmaking on a ladder: which of the waiting bots are seated next."""

import heapq
import random
from collections.abc import Hashable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from farfalia_tournaments.schedules.chance import shuffled
from farfalia_tournaments.weights import WeightTree

#: A bot whose mu differs by as many times the spread of the ladder counts half as much as an equal.
CLOSE: Final = 1.0
#: Draws after which the exact sum over all who wait is cheaper than another draw.
_MOST_DRAWS: Final = 64
#: Where a candidate stands in the queue: its matches, the time since when it waits, its number.
_QueueKey = tuple[int, float, int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that waits for a table.

    `mu`, `sigma` and `matches` are those of its rating, `since` the moment of its last match or of its arrival, in
    seconds of any clock, and `capacity` how many matches it could begin now. `owner` is None for a house bot, which has
    no siblings.
    """

    entrant: int
    mu: float
    sigma: float
    matches: int
    since: float
    owner: Hashable
    capacity: int = 1


class WaitingPool:
    """The bots that wait on a ladder whose tables have `seats` seats.

    Bots of one owner are siblings and form a group, of which no two are seated at one table unless `siblings` allows
    it; then every bot is a group of its own. The pool is kept up to date as bots come, go and are rated. Every call
    costs O(log n) for n bots, except where it says otherwise. The same calls with the same state of `rng` give the same
    tables.
    """

    def __init__(self, seats: int, *, siblings: bool = False) -> None:
        self.seats = seats
        self.siblings = siblings
        self._waiting: dict[int, Candidate] = {}
        self._weights = WeightTree()
        self._queue: list[_QueueKey] = []
        #: The queue of each group.
        self._queues: dict[Hashable, list[_QueueKey]] = {}
        self._sizes: dict[Hashable, int] = {}
        self._mu = self._mu_squared = 0.0

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, entrant: object) -> bool:
        return entrant in self._waiting

    @property
    def groups(self) -> int:
        """How many groups wait: the most that could sit at one table."""
        return len(self._sizes)

    def put(self, candidate: Candidate) -> None:
        """Add a candidate, or replace what is known of it; one without capacity does not wait."""
        self.remove(candidate.entrant)
        if candidate.capacity <= 0:
            return
        self._waiting[candidate.entrant] = candidate
        self._weights.put(candidate.entrant, candidate.sigma, candidate.since)
        self._mu += candidate.mu
        self._mu_squared += candidate.mu**2
        group, place = self._group(candidate), _queue_key(candidate)
        self._sizes[group] = self._sizes.get(group, 0) + 1
        self._push(self._queue, place, len(self))
        self._push(self._queues.setdefault(group, []), place, self._sizes[group])

    def remove(self, entrant: int) -> None:
        """Remove a candidate, if it is there."""
        candidate = self._waiting.pop(entrant, None)
        if candidate is None:
            return
        self._weights.remove(entrant)
        self._mu -= candidate.mu
        self._mu_squared -= candidate.mu**2
        group = self._group(candidate)
        self._sizes[group] -= 1
        if not self._sizes[group]:
            del self._sizes[group], self._queues[group]
        if not self._waiting:  # what rounding has left of the sums goes with the last one
            self._mu = self._mu_squared = 0.0
            self._queue.clear()

    def next_table(self, now: float, rng: random.Random) -> tuple[int, ...] | None:
        """Seat a table and return who plays, in the order of their seats, or None while there are too few.

        The first is always the first in the queue: of those that have played least the one that has waited longest, so
        that everybody gets a share. The others are drawn with weights for how informative a match with them is: twice
        the sigma counts twice as much, a distant mu less, a longer wait more.
        """
        if self.groups < self.seats:
            return None
        table = [self._first(self._queue)]
        spread, patience = self._spread(), self._patience(now)
        while len(table) < self.seats:
            table.append(self._draw(table, spread, patience, now, rng))
        self._seat(table, now)
        return tuple(candidate.entrant for candidate in shuffled(rng, table))

    def next_partial_table(self, now: float) -> tuple[int, ...]:
        """Seat one of each group, although they are too few for a table, first in the queue first; may be empty."""
        firsts = sorted((self._first(queue) for queue in self._queues.values()), key=_queue_key)
        table = firsts[: self.seats]
        self._seat(table, now)
        return tuple(candidate.entrant for candidate in table)

    def places(self) -> dict[int, int]:
        """Return the place in the queue of everybody who waits, from 1; O(n log n)."""
        queue = sorted(self._waiting.values(), key=_queue_key)
        return {candidate.entrant: place for place, candidate in enumerate(queue, 1)}

    def _group(self, candidate: Candidate) -> Hashable:
        alone = self.siblings or candidate.owner is None
        return (True, candidate.entrant) if alone else (False, candidate.owner)

    def _push(self, queue: list[_QueueKey], key: _QueueKey, valid: int) -> None:
        """Add a key to a queue; outdated keys are removed when they are the larger part."""
        heapq.heappush(queue, key)
        if len(queue) > 2 * valid + _MOST_DRAWS:
            queue[:] = {
                it for it in queue if (known := self._waiting.get(it[2])) is not None and _queue_key(known) == it
            }
            heapq.heapify(queue)

    def _first(self, queue: list[_QueueKey]) -> Candidate:
        """Return the first of a queue, past outdated keys."""
        while True:
            candidate = self._waiting.get(queue[0][2])
            if candidate is not None and _queue_key(candidate) == queue[0]:
                return candidate
            heapq.heappop(queue)

    def _seat(self, table: list[Candidate], now: float) -> None:
        for candidate in table:
            taken = replace(candidate, matches=candidate.matches + 1, capacity=candidate.capacity - 1, since=now)
            self.put(taken)

    def _spread(self) -> float:
        mean = self._mu / len(self)
        variance = self._mu_squared / len(self) - mean**2
        return max(sqrt(max(0.0, variance)), self._weights.total_weight / len(self))

    def _patience(self, now: float) -> float:
        """Return the mean waiting time, in seconds."""
        return max(0.0, now - self._weights.total_time / len(self))

    def _draw(
        self, table: list[Candidate], spread: float, patience: float, now: float, rng: random.Random
    ) -> Candidate:
        """Return another candidate by rejection sampling: sigma and wait from the tree, closeness by acceptance."""
        first = table[0]
        taken = {self._group(candidate) for candidate in table}
        for _ in range(_MOST_DRAWS):
            candidate = self._waiting[self._weights.draw(now, patience, rng)]
            if self._group(candidate) not in taken and rng.random() < _closeness(first, candidate, spread):
                return candidate
        others = [candidate for candidate in self._waiting.values() if self._group(candidate) not in taken]
        weights = [_information(first, other, spread, patience, now) for other in others]
        return rng.choices(others, weights)[0]


def _queue_key(candidate: Candidate) -> _QueueKey:
    return candidate.matches, candidate.since, candidate.entrant


def _closeness(first: Candidate, other: Candidate, spread: float) -> float:
    return 1 / (1 + abs(first.mu - other.mu) / (CLOSE * spread))


def _information(first: Candidate, other: Candidate, spread: float, patience: float, now: float) -> float:
    waited = 1 + max(0.0, now - other.since) / patience if patience > 0 else 1.0
    return other.sigma * _closeness(first, other, spread) * waited
