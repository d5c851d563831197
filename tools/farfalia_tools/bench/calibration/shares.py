"""How often statements were right: shares over tournaments, since statements about one tournament are correlated."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

#: With fewer tournaments than this, how far they differ among themselves tells little.
_ENOUGH: Final = 5


@dataclass(frozen=True, slots=True)
class Share:
    """How often something was true, among how many, and the standard error of the share.

    Where tournaments do not differ, or there are fewer than five, `error` is at least the distance to the farther end
    of E. B. Wilson's interval of one standard error (JASA 22, 1927), with each tournament counted as one statement.
    """

    share: float
    of: int
    error: float


def share_of(counted: Iterable[tuple[int, int]]) -> Share:
    """Return the share over all tournaments, each with how many of its statements were right and how many there were.

    There must be at least one statement. The error is that of a ratio of sums.
    """
    pairs = [(right, count) for right, count in counted if count]
    of = sum(count for _, count in pairs)
    share = sum(right for right, _ in pairs) / of
    squares = math.fsum((right - share * count) ** 2 for right, count in pairs)
    error = math.sqrt(squares * len(pairs) / max(1, len(pairs) - 1)) / of
    # Rounding leaves a little where all tournaments have the same share.
    if len(pairs) < _ENOUGH or error < 1e-9:
        error = max(error, _farther_end(share, len(pairs)))
    return Share(share, of, error)


def _farther_end(share: float, number: int) -> float:
    middle = (share * number + 0.5) / (number + 1)
    half = math.sqrt(number * share * (1 - share) + 0.25) / (number + 1)
    return max(middle + half - share, share - (middle - half))
