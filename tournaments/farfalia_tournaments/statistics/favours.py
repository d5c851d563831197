"""Who favours whom with the cards that it plays: more than it favours others, and more than others favour that one.

Every match says of each seat by how many points its cards favoured each other seat. What a bot gives to whoever sits so
far to its left, and what everybody gives to a bot, is taken off first: both come from play that has nobody in mind.
What is left for one opponent, against what is left for the others, is a hypothesis of its own for each bot and each
opponent. The null distribution is as wide as most of them are, as in `collusion`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, median
from typing import Final, Generic, TypeVar

from farfalia_tournaments.results import Entrant

#: One is judged by as many matches with the other one as results are.
_FEWEST_MATCHES: Final = 10
#: Pairs, either way round, from which the width of the null distribution is taken; with fewer it is that of luck.
_FEWEST_PAIRS: Final = 20
_SWEEPS: Final = 8
_NORMAL: Final = NormalDist()
_MEDIAN: Final = _NORMAL.inv_cdf(0.75)

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class MatchFavours(Generic[Entrant]):
    """By how many points of a match the cards of each seat favoured each other seat, on its own account."""

    entrants: tuple[Entrant, ...]
    points: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Favour:
    """By how many points per match one favours another one more than others, with its standard error.

    The standard error is as wide as most pairs differ, and not less than luck's. `matches` are those in which both sat
    and cards of the one say something.
    """

    points: float
    standard_error: float
    matches: int

    @property
    def score(self) -> float:
        """The points in standard errors."""
        return self.points / self.standard_error

    @property
    def p_value(self) -> float:
        """The probability that one who has nobody in mind favours the other one as much, or more."""
        return math.erfc(self.score / math.sqrt(2)) / 2


def favours(matches: Iterable[MatchFavours[Entrant]]) -> dict[tuple[Entrant, Entrant], Favour]:
    """Return how each entrant favours each other one with which it has met often enough."""
    left = _left(list(matches))
    squares: defaultdict[Entrant, float] = defaultdict(float)
    counts: defaultdict[Entrant, int] = defaultdict(int)
    for (giver, _), given in left.items():
        squares[giver] += sum([points * points for points in given])
        counts[giver] += len(given)
    found = {}
    for pair, given in left.items():
        if len(given) >= _FEWEST_MATCHES:
            error = math.sqrt(max(1e-9, squares[pair[0]]) / max(1, counts[pair[0]] - 1) / len(given))
            found[pair] = sum(given) / len(given), error, len(given)
    width = _width([points / error for points, error, _ in found.values()])
    return {pair: Favour(points, error * width, number) for pair, (points, error, number) in found.items()}


def _left(matches: Sequence[MatchFavours[Entrant]]) -> dict[tuple[Entrant, Entrant], list[float]]:
    """Return, by giver and receiver, what is left of each match without what the giver gives to such a seat, and what
    the receiver is given by all: least squares by alternation, which a few sweeps bring to rest.
    """
    rows = [
        (giver, receiver, (its - mine) % len(match.entrants), match.points[mine][its])
        for match in matches
        for mine, giver in enumerate(match.entrants)
        # A seat that has decided nothing says nothing.
        if any(match.points[mine])
        for its, receiver in enumerate(match.entrants)
        if its != mine and receiver != giver
    ]
    gives: Mapping[tuple[Entrant, int], float] = {}
    takes: Mapping[Entrant, float] = {}
    for _ in range(_SWEEPS):
        gives = _means(((giver, steps), points - takes.get(receiver, 0.0)) for giver, receiver, steps, points in rows)
        takes = _means((receiver, points - gives[giver, steps]) for giver, receiver, steps, points in rows)
    left: defaultdict[tuple[Entrant, Entrant], list[float]] = defaultdict(list)
    for giver, receiver, steps, points in rows:
        left[giver, receiver].append(points - gives[giver, steps] - takes[receiver])
    return dict(left)


def _means(values: Iterable[tuple[_Key, float]]) -> dict[_Key, float]:
    sums: defaultdict[_Key, float] = defaultdict(float)
    counts: defaultdict[_Key, int] = defaultdict(int)
    for key, value in values:
        sums[key] += value
        counts[key] += 1
    return {key: total / counts[key] for key, total in sums.items()}


def _width(scores: Sequence[float]) -> float:
    """Return how wide most scores spread, in standard errors: 1 unless it is surely more than luck."""
    if len(scores) < _FEWEST_PAIRS:
        return 1.0
    width = median(map(abs, scores)) / _MEDIAN
    # The standard error of this estimate is 1.17 by the root of their number.
    return width if width > 1 + 2 * 1.17 / math.sqrt(len(scores)) else 1.0
