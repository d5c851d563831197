"""The history of the rounds so far: meetings, seats held and byes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from farfalia_tournaments.schedules.boards import Seating


@dataclass(frozen=True, slots=True)
class History:
    """Counts over rounds that were drawn, for schedules that are drawn round by round. House bots are not counted."""

    rounds: int
    _met: Counter[tuple[int, int]]
    _held: Counter[tuple[int, int]]
    _matches: Counter[int]

    @classmethod
    def of(cls, rounds: Iterable[Sequence[Seating]]) -> "History":
        """Return the counts of the tables of these rounds, each in the order of its seats."""
        number_of_rounds = 0
        met: Counter[tuple[int, int]] = Counter()
        held: Counter[tuple[int, int]] = Counter()
        matches: Counter[int] = Counter()
        for tables in rounds:
            number_of_rounds += 1
            for table in tables:
                present = sorted(entrant for entrant in table if entrant is not None)
                matches.update(present)
                met.update(combinations(present, 2))
                held.update((entrant, seat) for seat, entrant in enumerate(table) if entrant is not None)
        return cls(number_of_rounds, met, held, matches)

    def meetings(self, one: int, other: int) -> int:
        """Return how often two have sat at one table."""
        return self._met[min(one, other), max(one, other)]

    def held(self, entrant: int | None, seat: int) -> int:
        """Return how often an entrant has sat on a seat; 0 for a house bot."""
        return 0 if entrant is None else self._held[entrant, seat]

    def byes(self, entrant: int) -> int:
        """Return how many byes an entrant has had: rounds without a match, those before a late entry too."""
        return self.rounds - self._matches[entrant]
