"""The crosstable: how everybody did against everybody."""

from collections.abc import Iterable
from itertools import permutations
from typing import NamedTuple

from farfalia_tournaments.results import Entrant, MatchResult, ordered


class Pair(NamedTuple):
    """How one entrant did against another: matches with both, how often it was placed better, how often equal."""

    meetings: int
    better: int
    equal: int


def crosstable(results: Iterable[MatchResult[Entrant]]) -> dict[tuple[Entrant, Entrant], Pair]:
    """Return, for each ordered pair that met, how the first did against the second.

    Partners of one side do not meet. Pairs that never met are left out; the others are in the order of their names.
    """
    met: dict[Entrant, dict[Entrant, Pair]] = {}
    for result in results:
        for seat, other in permutations(range(len(result.entrants)), 2):
            if result.sides[seat] == result.sides[other]:
                continue
            row = met.setdefault(result.entrants[seat], {})
            meetings, better, equal = row.get(result.entrants[other], Pair(0, 0, 0))
            place, place_of_other = result.places[seat], result.places[other]
            row[result.entrants[other]] = Pair(
                meetings + 1, better + (place < place_of_other), equal + (place == place_of_other)
            )
    return {(one, other): met[one][other] for one in ordered(met) for other in ordered(met[one])}
