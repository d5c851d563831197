"""What is known of strengths before the first match: means and deviations that ladders have of the same versions.

A ladder measures strengths from a middle of its own, which is unknown to the tournament. So what is known is one more
block of observations, mean = strength + offset + error, with one unknown offset for all, of which nothing is expected.
It is taken out as hands are. With precisions k, as multiples of luck's, and K their sum:

    a'a: diag(k) - k k' / K   a: k (mean - middle)   y'y: sum of k (mean - middle)^2   middle: sum of k mean / K
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from farfalia_tournaments.statistics.strengths.posterior import Strength

#: The largest precision: a thousandth of luck's deviation. With larger ones equations lose their digits.
_SUREST: Final = 1e6


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of entrants by number: means from their common middle, and precisions as multiples of luck's."""

    means: Mapping[int, float]
    precisions: Mapping[int, float]

    @classmethod
    def of(cls, known: Mapping[int, Strength], luck: float) -> "Knowledge":
        """Return the knowledge of entrants, in points, where luck has this variance."""
        precisions = {number: min(luck / own.deviation**2, _SUREST) for number, own in known.items()}
        whole = sum(precisions.values())
        middle = sum(precisions[number] * own.mean for number, own in known.items()) / whole
        return cls({number: own.mean - middle for number, own in known.items()}, precisions)

    @property
    def contrasts(self) -> int:
        """How many differences it tells."""
        return len(self.means) - 1
