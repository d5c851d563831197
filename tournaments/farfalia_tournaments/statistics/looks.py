"""Intervals that hold at every look: of a tournament that is watched, and may be stopped at any moment.

An interval for a fixed end holds at that end. Anyone who looks after every round sees some that do not hold, and may
stop just there. The boundary of H. Robbins, "Statistical Methods Related to the Law of the Iterated Logarithm", Annals
of Mathematical Statistics 41, 1970, is as much wider as it takes for all looks together: a normal mixture, narrowest
towards the planned end.
"""

import math
from statistics import NormalDist
from typing import Final

#: Into how many parts of this size the planned matches fall; the mixture has the weight of one. Near the planned end no
#: other number gives a narrower boundary at 95 %.
_PARTS: Final = 8
#: A smaller probability counts as this one.
_LEAST: Final = 1e-15


def widening(played: float, planned: float, confidence: float = 0.95) -> float:
    """Return how many times as wide an interval has to be that holds at all looks, after a part of what is planned.

    Two to four times in the beginning, one and a half times towards the end.
    """
    parts = _parts(played, planned)
    boundary = math.sqrt((1 + 1 / parts) * (math.log1p(parts) - 2 * math.log(1 - confidence)))
    return boundary / NormalDist().inv_cdf((1 + confidence) / 2)


def lasting_doubt(probability: float, played: float, planned: float) -> float:
    """Return the doubt, ½ at most, whether a statement is wrong that has this probability of being wrong at a fixed
    end, after a part of what is planned.

    It is the error of the boundary that the statement has just reached: if you look at all times, and believe such a
    statement as soon as its doubt is below a level, you are wrong no more often than that.
    """
    if probability >= 0.5:
        return 0.5
    parts = _parts(played, planned)
    score = NormalDist().inv_cdf(max(probability, _LEAST))
    return min(0.5, 0.5 * math.exp((math.log1p(parts) - score * score * parts / (1 + parts)) / 2))


def _parts(played: float, planned: float) -> float:
    return _PARTS * max(played, 1) / max(planned, played, 1)
