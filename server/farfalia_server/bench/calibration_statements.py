"""What standings and crosstable say of a tournament, in a form that can be held against the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from farfalia_tournaments import MatchResult, pair_probabilities, standings, units

#: What counts as told apart: a probability of being stronger of at least this, either way.
_TOLD_APART = 0.975


@dataclass(frozen=True, slots=True)
class Statements:
    """Entrants by number, best first, and what is said of them.

    `probability` is that of the first of a pair to be the stronger one. The intervals are of a score against a table of
    the others, in points per match less the mean of the table; `ranks` the first and the last place that an entrant may
    truly have, if that is said.
    """

    order: tuple[int, ...]
    probability: Mapping[tuple[int, int], float]
    intervals: Mapping[int, tuple[float, float]]
    ranks: Mapping[int, tuple[int, int]]

    def told_apart(self, one: int, other: int) -> bool:
        """Return whether it is said of two who is the stronger one."""
        return not 1 - _TOLD_APART < self.probability[one, other] < _TOLD_APART


def statements(results: Sequence[MatchResult[int]]) -> Statements:
    """Return what the standings and the crosstable say after these results."""
    rows = standings(results, ratings={})
    return Statements(
        order=tuple(row.entrant for row in rows),
        probability=pair_probabilities(units(results)),
        intervals={row.entrant: row.interval for row in rows if row.interval is not None},
        ranks={},
    )
