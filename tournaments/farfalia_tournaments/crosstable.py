"""The crosstable: how everybody did against everybody."""

from collections.abc import Iterable
from typing import NamedTuple

from farfalia_tournaments.results import Entrant, MatchResult, ordered, shown


class Pair(NamedTuple):
    """How one entrant did against another: matches with both, how often it was placed better, how often equal."""

    meetings: int
    better: int
    equal: int


def crosstable(results: Iterable[MatchResult[Entrant]]) -> dict[tuple[Entrant, Entrant], Pair]:
    """Return, for each ordered pair that met, how the first did against the second.

    Partners of one side do not meet, nor does anybody meet an entrant about whom the match tells nothing. Pairs that
    never met are left out; the others are in the order of their names.
    """
    met: dict[Entrant, dict[Entrant, list[int]]] = {}  # counts in the order of `Pair`
    for result in results:
        seats = [(entrant, result.sides[seat], result.places[seat]) for entrant, seat in shown(result).items()]
        for entrant, side, place in seats:
            row = met.setdefault(entrant, {})
            for other, other_side, other_place in seats:
                if side != other_side:
                    counts = row.setdefault(other, [0, 0, 0])
                    counts[0] += 1
                    counts[1] += place < other_place
                    counts[2] += place == other_place
    return {(one, other): Pair(*met[one][other]) for one in ordered(met) for other in ordered(met[one])}
