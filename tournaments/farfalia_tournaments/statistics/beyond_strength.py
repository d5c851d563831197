"""Whom an entrant beats by more than strengths say: what remains of the differences of two at their common tables."""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Final, Generic

from farfalia_tournaments.results import Entrant, MatchResult, ordered
from farfalia_tournaments.statistics.discoveries import stand_out
from farfalia_tournaments.statistics.residual_scores import ResidualScores

#: Two are compared from as many common units on.
FEWEST_MEETINGS: Final = 5
#: Where strengths leave less than this part of a difference, as where a table seats nearly the whole field, nothing is
#: known.
_LEAST_LEFT: Final = 0.3
_NORMAL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class BeyondStrength(Generic[Entrant]):
    """How many points per match `entrant` makes more against `other` than their strengths say, and the standard error.

    `stands_out` says whether that is more than chance makes among all pairs of the field. A unit is a match, or the
    matches of one table with equal cards.
    """

    entrant: Entrant
    other: Entrant
    units: int
    points: float
    error: float
    stands_out: bool


def beyond_strength(results: Iterable[MatchResult[Entrant]]) -> list[BeyondStrength[Entrant]]:
    """Return all pairs that met often enough, each once; none of tables with partners for the whole match.

    Strengths come from the same matches, and take a part of what two have against each other for themselves: where all
    meet equally often, the part of the field that sits at a table. That is given back.
    """
    alone = [result for result in results if len(set(result.sides)) == len(result.sides)]
    tables = [table for table in ResidualScores(alone).tables if len(table.scores) > 1]
    pairs: defaultdict[tuple[Entrant, Entrant], list[float]] = defaultdict(lambda: [0.0, 0.0, 0])
    weights: defaultdict[Entrant, float] = defaultdict(float)
    squares, number = 0.0, 0
    for table in tables:
        for entrant in table.scores:
            weights[entrant] += table.weight
        for one, other in combinations(ordered(table.scores), 2):
            difference, own = table.scores[one] - table.scores[other], pairs[one, other]
            own[0] += table.weight
            own[1] += table.weight * difference
            own[2] += 1
            squares += table.weight * difference * difference
            number += 1
    if not squares:
        return []
    seats = sum(len(table.scores) for table in tables) / len(tables)
    taken = seats / (seats - 1) * (len(weights) - 1) / len(weights) / 2
    found = []
    for pair, (weight, made, units) in pairs.items():
        left = 1 - taken * weight * sum(1 / weights[entrant] for entrant in pair)
        if units >= FEWEST_MEETINGS and left >= _LEAST_LEFT:
            found.append((pair, int(units), made / weight / left, math.sqrt(squares / number / weight / left)))
    far = stand_out([2 * _NORMAL.cdf(-abs(points) / error) for _, _, points, error in found])
    return [
        BeyondStrength(*pair, units, points, error, out)
        for (pair, units, points, error), out in zip(found, far, strict=True)
    ]
