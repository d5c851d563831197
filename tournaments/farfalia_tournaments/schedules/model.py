"""A schedule as a value, and how even it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final

from farfalia_tournaments.schedules.balance_summary import BalanceKind, BalanceSummary
from farfalia_tournaments.schedules.designs.bounds import narrowest_meetings
from farfalia_tournaments.schedules.span import Span

#: The tables of one round; an entrant at none of them has a bye.
Tables = list[list[int]]

#: Entrants, seats and rounds of balanced designs that counting allows and of which none is known.
NOT_KNOWN_TO_EXIST: Final = frozenset({(15, 5, 14)})


@dataclass(frozen=True, slots=True)
class Round:
    """Tables at which no entrant sits twice, each in the order of its seats, and the entrants with byes."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Balance:
    """How even a schedule is: over all pairs, over all entrants at all seats, and over all entrants."""

    meetings: Span
    seats: Span
    byes: Span


@dataclass(frozen=True, slots=True)
class Schedule:
    """The rounds of a tournament between entrants 0 … entrants - 1, at tables of `seats`."""

    entrants: int
    seats: int
    rounds: tuple[Round, ...]
    balance: Balance

    @classmethod
    def of(cls, entrants: int, seats: int, tables: Iterable[Sequence[Sequence[int]]]) -> "Schedule":
        """Return the schedule with these tables in each round, each in the order of its seats."""
        rounds = []
        for seated in tables:
            busy = set(chain.from_iterable(seated))
            byes = tuple(entrant for entrant in range(entrants) if entrant not in busy)
            rounds.append(Round(tuple(tuple(table) for table in seated), byes))
        return cls(entrants, seats, tuple(rounds), _balance(entrants, seats, rounds))

    @property
    def matches(self) -> int:
        """How many tables there are, all rounds together."""
        return sum(len(round_.tables) for round_ in self.rounds)

    @property
    def best_possible(self) -> bool:
        """Whether no schedule of as many matches, equal for all within one, can be more even, by counting alone."""
        return (
            self.balance.meetings.width
            <= narrowest_meetings(self.entrants, self.seats, self.matches * self.seats).width
        )

    @property
    def summary(self) -> BalanceSummary:
        """How often two entrants meet, and whether that can be improved."""
        meetings = self.balance.meetings
        if meetings.width == 0:
            return BalanceSummary(BalanceKind.BALANCED_DESIGN, meetings)
        if meetings.width == 1 and self.best_possible:
            return BalanceSummary(BalanceKind.WITHIN_ONE, meetings)
        if self.best_possible:
            return BalanceSummary(BalanceKind.BEST_POSSIBLE, meetings)
        unknown = (self.entrants, self.seats, len(self.rounds)) in NOT_KNOWN_TO_EXIST
        return BalanceSummary(BalanceKind.NOT_KNOWN if unknown else BalanceKind.BEST_FOUND, meetings)


def _balance(entrants: int, seats: int, rounds: Iterable[Round]) -> Balance:
    meetings = [[0] * entrants for _ in range(entrants)]
    held = [[0] * seats for _ in range(entrants)]
    byes = [0] * entrants
    for round_ in rounds:
        for table in round_.tables:
            for seat, entrant in enumerate(table):
                held[entrant][seat] += 1
            for one, other in combinations(sorted(table), 2):
                meetings[one][other] += 1
        for entrant in round_.byes:
            byes[entrant] += 1
    return Balance(
        Span.of(meetings[one][other] for one, other in combinations(range(entrants), 2)),
        Span.of(chain.from_iterable(held)),
        Span.of(byes),
    )
