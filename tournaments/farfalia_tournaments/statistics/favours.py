"""Who favours whom with the cards that it plays: more than it favours others, and more than others favour that one.

Every match says of each seat by how many points its cards favoured each other seat. What a bot gives to a
seat at that distance, and what everybody gives to that opponent, is taken off first: both come from ordinary play.
What is left for one opponent must then stand out from luck and from what the same bot does with its other opponents: a
moderated t, G. K. Smyth, "Linear Models and Empirical Bayes Methods for Assessing Differential Expression in Microarray
Experiments", Statistical Applications in Genetics and Molecular Biology 3, 2004.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from farfalia_tournaments.results import Entrant
from farfalia_tournaments.statistics.strengths.student_mixtures import normal_score

#: One is judged by as many matches with the other one as results are.
_FEWEST_MATCHES: Final = 10
#: As many opponents whom one treats as differently as luck does are taken for granted beside those that it has met.
_LUCK_ALONE: Final = 4
_SWEEPS: Final = 8

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class MatchFavours(Generic[Entrant]):
    """By how many points of a match the cards of each seat favoured each other seat; all 0 if it decided nothing."""

    entrants: tuple[Entrant, ...]
    points: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Favour:
    """By how many points per match one favours another one more than others.

    The standard error is that of luck, and more if it treats the other ones as differently; `score` is the favour in
    such errors, as a normal variable: one who has nobody in mind has at most one of mean 0 and deviation 1. `matches`
    are those in which both sat and the cards of the one say something.
    """

    points: float
    standard_error: float
    matches: int
    score: float

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
    by_luck: defaultdict[Entrant, dict[Entrant, Favour]] = defaultdict(dict)
    for (giver, receiver), given in left.items():
        if len(given) >= _FEWEST_MATCHES:
            error = math.sqrt(max(1e-9, squares[giver]) / max(1, counts[giver] - 1) / len(given))
            points = sum(given) / len(given)
            by_luck[giver][receiver] = Favour(points, error, len(given), points / error)
    return {
        (giver, receiver): _beside_others(favour, [own[other].score for other in own if other != receiver])
        for giver, own in by_luck.items()
        for receiver, favour in own.items()
    }


def _beside_others(favour: Favour, others: Sequence[float]) -> Favour:
    """Return a favour held against what the same one does with others, scores by luck alone.

    A style that suits some and not others, such as always the lowest card, makes these wide.
    """
    degrees = len(others) + _LUCK_ALONE
    width = math.sqrt(max(1.0, (sum([score * score for score in others]) + _LUCK_ALONE) / degrees))
    error = favour.standard_error * width
    return Favour(favour.points, error, favour.matches, normal_score(favour.points / error, degrees))


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
