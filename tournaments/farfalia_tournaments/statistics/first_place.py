"""How many more rounds it takes until the first place is known, for these entrants, by what is known of them now.

Each draw from the posterior is a field that these results allow. In it the strongest is so many points ahead of each
other one, and what is known of a difference grows as rounds do: its error falls with their root. What a ladder
knew before counts as rounds that were played already. The first round after
which the doubts about all others come to less than what is allowed is the answer for that field; all fields together
give a median and a range. Doubts are those of a `Contest`, which hold at all looks.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, Generic

from farfalia_tournaments.results import Entrant
from farfalia_tournaments.statistics.looks import lasting_doubt
from farfalia_tournaments.statistics.strengths import StrengthFit

#: More rounds than this nobody plays: then it is said not to be known.
MOST_MORE: Final = 1000
#: Fields that are drawn, and the nearest opponents of the strongest one that count in each.
_FIELDS: Final = 200
_NEAREST: Final = 6
_NORMAL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class FirstPlace(Generic[Entrant]):
    """Who is first, with which probability, and whether that is `known` at 95 %.

    `more` is about how many more rounds it takes, infinite if more than `MOST_MORE`; in 8 of 10 fields that these
    results allow it is from `low` to `high`, which may be infinite, too. All are 0 if it is known.
    """

    entrant: Entrant
    probability: float
    known: bool
    low: float = 0
    more: float = 0
    high: float = 0


def first_place(
    fit: StrengthFit[Entrant], rounds: float, planned: float, *, final: bool, confidence: float = 0.95
) -> FirstPlace[Entrant] | None:
    """Return what is known of the first place after so many of the planned rounds, of at least two entrants.

    `final` says that all that was planned is played, so that this is the only look. None with fewer than two.
    """
    if len(fit.entrants) < 2 or rounds <= 0:
        return None
    before = fit.played_before(rounds)
    rounds, planned = rounds + before, planned + before
    leader, *others = fit.order()
    behind = [fit.probability(other, leader) for other in others]
    doubts = behind if final else [lasting_doubt(one, rounds, planned) for one in behind]
    known = sum(doubts) <= 1 - confidence
    first = FirstPlace(leader, fit.chances(1, fit.entrants)[leader], known)
    if known:
        return first
    needed = sorted(_needed(gaps, rounds, planned, 1 - confidence) for gaps in fit.gaps_of_first(_FIELDS, _NEAREST))
    low, more, high = (needed[round(len(needed) * share)] for share in (0.1, 0.5, 0.9))
    return FirstPlace(leader, first.probability, known, low, more, high)


def _needed(gaps: Sequence[tuple[float, float]], rounds: float, planned: float, allowed: float) -> float:
    """Return how many more rounds it takes in a field whose first one is so far ahead of others: `inf` beyond the most.

    Each gap comes with the error that it is known with today.
    """

    def doubt(more: int) -> float:
        longer = math.sqrt((rounds + more) / rounds)
        return sum(lasting_doubt(_NORMAL.cdf(-gap / error * longer), rounds + more, planned) for gap, error in gaps)

    if doubt(MOST_MORE) > allowed:
        return math.inf
    return bisect_left(range(MOST_MORE), True, lo=1, key=lambda more: doubt(more) <= allowed)
