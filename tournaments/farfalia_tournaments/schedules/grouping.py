"""Tables for entrants in the order of the standings: few repeated meetings above all, then near neighbours.

Repeated meetings are avoided by tabu search, with a tabu list of random tenure and aspiration: F. Glover, "Tabu
Search — Part I", ORSA Journal on Computing 1, 1989.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final

from farfalia_tournaments.schedules.chance import below, shuffled
from farfalia_tournaments.schedules.model import Tables

#: Moves of the search from one start.
_MOVES: Final = 1_500
#: Starts of the search; the first is the order of the standings.
_STARTS: Final = 3
#: Tabu tenure: for as many moves, and up to as many more by chance, an entrant may not return to the table it left.
_TENURE: Final = 8


def grouped(ranked: Sequence[int], seats: int, meetings: Callable[[int, int], int], rng: random.Random) -> Tables:
    """Return tables of `seats`, best first, for entrants ranked best first, as many as tables have seats.

    Above all few at a table have met before; two earlier meetings count four times as much as one. Among such tables
    they are near to those that the standings alone give. If there are more tables than anybody has met opponents,
    tables without a repeated meeting exist (A. Hajnal and E. Szemerédi, "Proof of a Conjecture of P. Erdős", 1970), and
    the search has found them in all cases tried.
    """
    search = _TabuSearch(ranked, seats, meetings)
    for start in range(_STARTS):
        if start:
            search.begin(shuffled(rng, range(len(ranked))))
        search.avoid_repeats(rng)
        if search.best_repeats == 0:
            break
    search.begin(search.best)
    search.draw_near()
    tables: Tables = [[] for _ in range(len(ranked) // seats)]
    for rank, entrant in enumerate(ranked):
        tables[search.table_of[rank]].append(entrant)
    return tables


class _TabuSearch:
    """Entrants by their ranks, the table of each, and how many repeated meetings each would have at each table."""

    def __init__(self, ranked: Sequence[int], seats: int, meetings: Callable[[int, int], int]) -> None:
        self.size, self.seats = len(ranked), seats
        self.again = [[meetings(one, other) ** 2 if one != other else 0 for other in ranked] for one in ranked]
        self.best_repeats = -1
        self.best = list(range(self.size))
        self.begin(self.best)

    def begin(self, order: Sequence[int]) -> None:
        """Seat the ranks in this order, table by table."""
        self.table_of = [0] * self.size
        for place, rank in enumerate(order):
            self.table_of[rank] = place // self.seats
        self.repeats_at = [[0] * (self.size // self.seats) for _ in range(self.size)]
        for rank, again in enumerate(self.again):
            for other, cost in enumerate(again):
                self.repeats_at[rank][self.table_of[other]] += cost
        self.repeats = sum(self.repeats_at[rank][table] for rank, table in enumerate(self.table_of)) // 2
        self._keep_best()

    def _keep_best(self) -> None:
        if self.best_repeats < 0 or self.repeats < self.best_repeats:
            self.best_repeats = self.repeats
            self.best = sorted(range(self.size), key=lambda rank: (self.table_of[rank], rank))

    def avoid_repeats(self, rng: random.Random) -> None:
        """Swap an entrant with a repeated meeting for the best other one that is not tabu, again and again."""
        tabu_until: dict[tuple[int, int], int] = {}
        for move in range(_MOVES):
            if self.best_repeats == 0:
                return
            repeating = [rank for rank, table in enumerate(self.table_of) if self.repeats_at[rank][table]]
            one = repeating[below(rng, len(repeating))]
            here = self.table_of[one]
            best: tuple[int, int, int] | None = None
            for other, there in enumerate(self.table_of):
                if there == here:
                    continue
                rise = self._rise(one, other)
                tabu = tabu_until.get((one, there), 0) > move or tabu_until.get((other, here), 0) > move
                # Aspiration: a swap that gives the fewest repeats so far is allowed although it is tabu.
                if tabu and self.repeats + rise >= self.best_repeats:
                    continue
                if best is None or rise <= best[0]:
                    best = min(best or (rise + 1, 0, 0), (rise, self._drift(one, other), other))
            if best is None:
                continue
            other = best[2]
            tabu_until[one, here] = tabu_until[other, self.table_of[other]] = move + _TENURE + below(rng, _TENURE)
            self._swap(one, other)
            self._keep_best()

    def draw_near(self) -> None:
        """Swap any two whose tables then fit the standings better, without more repeated meetings."""
        improved = True
        while improved:
            improved = False
            for one in range(self.size):
                for other in range(one + 1, self.size):
                    # One belongs before the other, so there is something to gain only if it sits behind.
                    if self.table_of[one] > self.table_of[other] and self._rise(one, other) <= 0:
                        self._swap(one, other)
                        improved = True

    def _rise(self, one: int, other: int) -> int:
        here, there = self.table_of[one], self.table_of[other]
        return (
            self.repeats_at[one][there]
            + self.repeats_at[other][here]
            - self.repeats_at[one][here]
            - self.repeats_at[other][there]
            - 2 * self.again[one][other]
        )

    def _drift(self, one: int, other: int) -> int:
        """Return by how much a swap moves the two from the tables of their ranks, in squared tables."""
        own, others_own = one // self.seats, other // self.seats
        here, there = self.table_of[one], self.table_of[other]
        after = (there - own) ** 2 + (here - others_own) ** 2
        return after - (here - own) ** 2 - (there - others_own) ** 2

    def _swap(self, one: int, other: int) -> None:
        here, there = self.table_of[one], self.table_of[other]
        self.repeats += self._rise(one, other)
        for rank, repeats in enumerate(self.repeats_at):
            change = self.again[rank][one] - self.again[rank][other]
            repeats[there] += change
            repeats[here] -= change
        self.table_of[one], self.table_of[other] = there, here
