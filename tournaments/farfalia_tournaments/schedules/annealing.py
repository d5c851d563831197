"""Rounds with as many tables as fit, found by simulated annealing.

S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983. A move swaps
two entrants of one round, at tables or between a table and the bench. The cost adds up, over all pairs, the square of
how far their meetings lie outside a goal, and the same for byes and floor … ceil of their mean: it is 0 exactly when
all meetings are within the goal and byes are even within one.
"""

import random
from itertools import combinations, pairwise
from typing import Final

from farfalia_tournaments.schedules.chance import shuffled
from farfalia_tournaments.schedules.cooling import SWEEP, acceptances
from farfalia_tournaments.schedules.model import Tables
from farfalia_tournaments.schedules.span import Span, around

#: Temperatures at which the annealing begins and ends.
_HOT: Final = 0.5
_COLD: Final = 0.1
#: What uneven byes cost, against uneven meetings.
_BYE_WEIGHT: Final = 2
#: The best rounds are kept after as many sweeps each.
_KEEP_EVERY: Final = 20


def annealed(entrants: int, seats: int, rounds: int, goal: Span, moves: int, rng: random.Random) -> list[Tables]:
    """Return rounds with byes even within one, and meetings as near to the goal as that number of moves gets."""
    search = _AnnealingSearch(entrants, seats, rounds, goal, rng)
    for sweep, acceptance in enumerate(acceptances(moves, _HOT, _COLD)):
        if search.cost == search.bye_cost == 0:
            break
        if sweep % _KEEP_EVERY == 0:
            search.keep_best()
        search.sweep(acceptance)
    search.keep_best()
    return [round_[: entrants // seats] for round_ in search.best]


def distance_costs(goal: Span, most: int) -> list[int]:
    """Return for counts 0 … most the square of their distance from the goal."""
    return [max(goal.least - count, count - goal.most, 0) ** 2 for count in range(most + 1)]


class _AnnealingSearch:
    """The current rounds, each a list of tables with the bench last, and the best so far."""

    def __init__(self, entrants: int, seats: int, rounds: int, goal: Span, rng: random.Random) -> None:
        self.rng = rng
        self.seats = seats
        self.playing = entrants // seats * seats
        self.rounds = _first_rounds(entrants, seats, rounds, rng)
        self.met = [[0] * entrants for _ in range(entrants)]
        self.byes = [0] * entrants
        for *tables, bench in self.rounds:
            for table in tables:
                for one, other in combinations(table, 2):
                    self.met[one][other] += 1
                    self.met[other][one] += 1
            for entrant in bench:
                self.byes[entrant] += 1
        pair_costs = distance_costs(goal, rounds + 1)
        bye_costs = distance_costs(around(rounds * (entrants - self.playing), entrants), rounds + 1)
        self.rise = [after - before for before, after in pairwise(pair_costs)]
        self.fall = [0] + [-change for change in self.rise]
        self.bye_rise = [_BYE_WEIGHT * (after - before) for before, after in pairwise(bye_costs)]
        self.bye_fall = [0] + [-change for change in self.bye_rise]
        self.cost = sum(pair_costs[self.met[one][other]] for one, other in combinations(range(entrants), 2))
        self.bye_cost = 0  # the first rounds deal byes in turn
        self.best_cost = self.cost
        self.best = self._copy()

    def keep_best(self) -> None:
        """Keep the rounds if they are the best so far; uneven byes never are."""
        if self.bye_cost == 0 and self.cost < self.best_cost:
            self.best_cost = self.cost
            self.best = self._copy()

    def _copy(self) -> list[Tables]:
        return [[list(table) for table in round_] for round_ in self.rounds]

    def sweep(self, acceptance: list[float]) -> None:
        """Try as many moves as belong to one temperature."""
        # The hot loop of the room: everything it touches is a local name.
        random_ = self.rng.random
        met, rise, fall = self.met, self.rise, self.fall
        rounds, seats, playing = self.rounds, self.seats, self.playing
        entrants, bench = len(met), playing // seats
        for _ in range(SWEEP):
            round_ = rounds[int(random_() * len(rounds))]
            table_of_one, seat_of_one = divmod(int(random_() * playing), seats)
            table_of_other, seat_of_other = divmod(int(random_() * entrants), seats)
            if table_of_one == table_of_other:
                continue
            here, there = round_[table_of_one], round_[table_of_other]
            one, other = here[seat_of_one], there[seat_of_other]
            met_one, met_other = met[one], met[other]
            change = 0
            for mate in here:
                if mate != one:
                    change += fall[met_one[mate]] + rise[met_other[mate]]
            if table_of_other != bench:
                for mate in there:
                    if mate != other:
                        change += fall[met_other[mate]] + rise[met_one[mate]]
                bye_change = 0
            else:
                bye_change = self.bye_rise[self.byes[one]] + self.bye_fall[self.byes[other]]
            total = change + bye_change
            if total > 0 and (total >= len(acceptance) or random_() >= acceptance[total]):
                continue
            self._leave(one, other, here)
            if table_of_other != bench:
                self._leave(other, one, there)
            else:
                self.byes[one] += 1
                self.byes[other] -= 1
            here[seat_of_one], there[seat_of_other] = other, one
            self.cost += change
            self.bye_cost += bye_change

    def _leave(self, one: int, other: int, table: list[int]) -> None:
        """Count the other instead of the one at a table where the one still sits."""
        met, met_one, met_other = self.met, self.met[one], self.met[other]
        for mate in table:
            if mate != one:
                met_one[mate] -= 1
                met[mate][one] -= 1
                met_other[mate] += 1
                met[mate][other] += 1


def _first_rounds(entrants: int, seats: int, rounds: int, rng: random.Random) -> list[Tables]:
    """Return rounds with byes dealt in turn and the others seated at random."""
    in_turn = shuffled(rng, range(entrants))
    byes = entrants % seats
    dealt = []
    for number in range(rounds):
        bench = [in_turn[(number * byes + step) % entrants] for step in range(byes)]
        active = shuffled(rng, (entrant for entrant in range(entrants) if entrant not in bench))
        dealt.append([active[at : at + seats] for at in range(0, len(active), seats)] + [bench])
    return dealt
