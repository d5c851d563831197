"""Whether what ratings said before matches came true: how often the favourite of each pair was placed first."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Final

from farfalia_tournaments.ratings.ratings import Rating
from farfalia_tournaments.results import Entrant, MatchResult, rating_places, shown

#: Bins from 50 % to 100 %, each as wide as the others.
BINS: Final = 10
_NORMAL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Pairs whose favourite had a probability from `low` to `high`: how many, the mean of what was said, and the share
    of them in which the favourite was ahead by the places that ratings learn from, a tie being half of one.
    """

    low: float
    high: float
    pairs: int
    said: float
    happened: float


def probability_before(one: Rating, other: Rating, beta: float) -> float:
    """Return the probability that one is placed before another, by their ratings, if they play alone; ties apart."""
    return _NORMAL.cdf((one.mu - other.mu) / math.sqrt(2 * beta**2 + one.sigma**2 + other.sigma**2))


class Reliability:
    """Sums over matches, each added with the ratings before it."""

    def __init__(self) -> None:
        self._sums = [[0.0, 0.0, 0.0] for _ in range(BINS)]

    def add(self, ratings: Mapping[Entrant, Rating], result: MatchResult[Entrant], beta: float) -> None:
        """Add the pairs of rated entrants at a table at which everybody plays alone, forfeits as they were placed."""
        if len(set(result.sides)) < len(result.sides):
            return
        places = rating_places(result)
        rated = [seat for seat in shown(result).values() if result.rated[seat]]
        for one, other in combinations(rated, 2):
            said = probability_before(ratings[result.entrants[one]], ratings[result.entrants[other]], beta)
            first, second = (one, other) if said >= 0.5 else (other, one)
            said = max(said, 1 - said)
            place, behind = places[first], places[second]
            sums = self._sums[min(int((said - 0.5) * 2 * BINS), BINS - 1)]
            sums[0] += 1
            sums[1] += said
            sums[2] += 1.0 if place < behind else 0.5 if place == behind else 0.0

    def bins(self) -> tuple[ReliabilityBin, ...]:
        """Return the bins that have pairs, those of the least certain first."""
        width = 0.5 / BINS
        return tuple(
            ReliabilityBin(0.5 + number * width, 0.5 + (number + 1) * width, round(pairs), said / pairs, came / pairs)
            for number, (pairs, said, came) in enumerate(self._sums)
            if pairs
        )
