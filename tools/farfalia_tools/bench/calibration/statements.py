"""What standings and crosstable say about entrants, in a form that can be compared with the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from farfalia_tournaments import MatchResult, Strength, fit_strengths


@dataclass(frozen=True, slots=True)
class Statements:
    """Entrants by number, best first, and what is said about them.

    `probability` says how likely the first of a pair is the stronger one; shown where it is `known`. The intervals
    are of strengths, in points per match less the mean of the field; `ranks` are the first and the last place that an
    entrant may truly have. Two who share a bracket are not told apart.
    """

    order: tuple[int, ...]
    probability: Mapping[tuple[int, int], float]
    known: frozenset[tuple[int, int]]
    intervals: Mapping[int, tuple[float, float]]
    ranks: Mapping[int, tuple[int, int]]
    brackets: tuple[frozenset[int], ...]

    def told_apart(self, one: int, other: int) -> bool:
        """Return whether two entrants are told apart."""
        return not any(one in bracket and other in bracket for bracket in self.brackets)


def statements(
    results: Sequence[MatchResult[int]],
    families: Sequence[int] = (),
    known: Mapping[int, Strength] | None = None,
) -> Statements:
    """Return what is said after these results of entrants whose families may be known, and who may be known before."""
    by_name = {entrant: str(family) for entrant, family in enumerate(families)}
    fit = fit_strengths(results, families=by_name, known=known)
    order = fit.order()
    return Statements(
        order=tuple(order),
        probability={(one, other): fit.probability(one, other) for one in order for other in order if one != other},
        known=frozenset(pair for pair in permutations(order, 2) if fit.knows_probability(*pair)),
        intervals={one: fit.interval(one) for one in order},
        ranks={one: fit.rank_interval(one) for one in order},
        brackets=tuple(map(frozenset, fit.brackets())),
    )
